package transformer

import (
	"context"
	"slices"
	"sync"
	"time"

	"dowse/engine/kv"
)

// ReadGroup reads the keys and values of a group of layers of a chunk into dst, which
// is as long as they are at the chunk's level (see kv.Shape.GroupBytes). Several
// goroutines call it at a time.
type ReadGroup func(ctx context.Context, chunk, group int, dst []byte) error

// readers is how many groups are read at a time, to keep a disk busy.
const readers = 4

// chunkReader reads chunks beside what is computed.
type chunkReader struct {
	cache *kv.Cache
	read  ReadGroup
	stop  context.CancelFunc
	begin time.Time
	ready [kv.Groups]chan struct{} // closed once a group of all chunks was read

	mu     sync.Mutex
	jobs   []groupOf // not begun
	left   [kv.Groups]int
	failed []int // chunks that cannot be read
	bytes  int64
	reads  int
	took   time.Duration // since begin
}

// groupOf is a group of layers of a chunk.
type groupOf struct{ chunk, group int }

// readChunks starts to read chunks, which have memory. Where layers wait for them, a
// group of layers of all chunks comes before the next group; otherwise one chunk comes
// after the other, as they lie on a disk.
func readChunks(ctx context.Context, s *kv.Cache, chunks []int, layered bool, read ReadGroup) *chunkReader {
	r := &chunkReader{cache: s, read: read, begin: time.Now()}
	for g := range r.ready {
		r.ready[g], r.left[g] = make(chan struct{}), len(chunks)
		if len(chunks) == 0 {
			close(r.ready[g])
		}
		for _, i := range chunks {
			r.jobs = append(r.jobs, groupOf{i, g})
		}
	}
	if !layered {
		slices.SortStableFunc(r.jobs, func(a, b groupOf) int { return a.chunk - b.chunk })
	}
	ctx, r.stop = context.WithCancel(ctx)
	for range min(readers, len(chunks)) {
		go r.work(ctx)
	}
	return r
}

// work reads groups until no job is left.
func (r *chunkReader) work(ctx context.Context) {
	for {
		job, data := r.next(ctx)
		if job == nil {
			return
		}
		var err error
		if len(data) > 0 {
			err = r.read(ctx, job.chunk, job.group, data)
		}
		r.done(*job, len(data), err)
	}
}

// next takes a group with the memory to read it into, which is nil if the chunk has failed
// or ctx is done. It returns a nil group if no job is left.
func (r *chunkReader) next(ctx context.Context) (*groupOf, []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.jobs) == 0 {
		return nil, nil
	}
	job := r.jobs[0]
	r.jobs = r.jobs[1:]
	if ctx.Err() != nil || slices.Contains(r.failed, job.chunk) {
		return &job, nil
	}
	shape := r.cache.Shape()
	from, to := shape.GroupBytes(job.group, r.cache.Level(job.chunk))
	return &job, r.cache.Data(job.chunk)[from:to:to]
}

// done notes that a group was read.
func (r *chunkReader) done(job groupOf, bytes int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if bytes > 0 {
		r.reads++
		r.took = time.Since(r.begin)
	}
	switch {
	case err == nil:
		r.bytes += int64(bytes)
	case !slices.Contains(r.failed, job.chunk):
		r.failed = append(r.failed, job.chunk)
	}
	if r.left[job.group]--; r.left[job.group] == 0 {
		close(r.ready[job.group])
	}
}

// wait returns once the group of a layer was read, and reports whether it had to wait. The
// error is errUnread as soon as a chunk could not be read.
func (r *chunkReader) wait(ctx context.Context, s kv.Shape, layer int) (waited bool, err error) {
	group := 0
	for _, end := s.GroupLayers(group); layer >= end; _, end = s.GroupLayers(group) {
		group++
	}
	select {
	case <-r.ready[group]:
	default:
		waited = true
		select {
		case <-r.ready[group]:
		case <-ctx.Done():
		}
	}
	if err := ctx.Err(); err != nil {
		return waited, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.failed) > 0 {
		return waited, errUnread
	}
	return waited, nil
}

// end stops reading and waits for the reads under way.
func (r *chunkReader) end() {
	r.stop()
	for _, ready := range r.ready {
		<-ready
	}
}

// finish waits for all groups, and returns the chunks that could not be read, once.
func (r *chunkReader) finish() (failed []int) {
	for _, ready := range r.ready {
		<-ready
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	failed, r.failed = r.failed, nil
	return failed
}
