package transformer

import (
	"context"
	"slices"
	"sync"
	"time"

	"dowse/engine/kv"
)

// ReadGroup reads the keys and values of a group of layers of a chunk into dst, which
// is as long as they are at the chunk's level (see kv.Shape.GroupBytes). It is called
// by one goroutine at a time.
type ReadGroup func(ctx context.Context, chunk, group int, dst []byte) error

// chunkReader reads chunks beside what is computed.
type chunkReader struct {
	ready [kv.Groups]chan struct{} // closed once a group of all chunks was read
	stop  context.CancelFunc

	mu     sync.Mutex
	failed []int // chunks that cannot be read
	bytes  int64
	reads  int
	took   time.Duration
}

// readChunks starts to read chunks, which have memory. Where layers wait for them, a
// group of layers of all chunks comes before the next group; otherwise one chunk comes
// after the other, as they lie on a disk.
func readChunks(ctx context.Context, s *kv.Cache, chunks []int, layered bool, read ReadGroup) *chunkReader {
	r := &chunkReader{}
	for g := range r.ready {
		r.ready[g] = make(chan struct{})
	}
	ctx, r.stop = context.WithCancel(ctx)
	shape := s.Shape()
	group := func(i, g int) {
		from, to := shape.GroupBytes(g, s.Level(i))
		r.group(ctx, i, g, s.Data(i)[from:to:to], read)
	}
	go func() {
		if !layered {
			for _, i := range chunks {
				for g := range r.ready {
					group(i, g)
				}
			}
			chunks = nil
		}
		for g := range r.ready {
			for _, i := range chunks {
				group(i, g)
			}
			close(r.ready[g])
		}
	}()
	return r
}

// group reads a group of a chunk, unless the chunk has failed or ctx is done.
func (r *chunkReader) group(ctx context.Context, chunk, group int, dst []byte, read ReadGroup) {
	if len(dst) == 0 || ctx.Err() != nil || slices.Contains(r.failed, chunk) {
		return
	}
	begin := time.Now()
	err := read(ctx, chunk, group, dst)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.took += time.Since(begin)
	r.reads++
	if err != nil {
		r.failed = append(r.failed, chunk)
		return
	}
	r.bytes += int64(len(dst))
}

// wait returns once the group that a layer is in was read, and reports whether that
// took a wait. The error is errUnread as soon as a chunk could not be read.
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
	if r.broken() {
		return waited, errUnread
	}
	return waited, nil
}

// end stops reading and waits for the read under way.
func (r *chunkReader) end() {
	r.stop()
	<-r.ready[kv.Groups-1]
}

// finish waits until all groups were read, and returns the chunks that could not be,
// which nobody waits for any more.
func (r *chunkReader) finish() (failed []int) {
	<-r.ready[kv.Groups-1]
	failed, r.failed = r.failed, nil
	return failed
}

// broken reports whether a chunk could not be read so far.
func (r *chunkReader) broken() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.failed) > 0
}
