package swap

import (
	"errors"
	"sync"

	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// job is one read of rows.
type job struct {
	bundle pack.Bundle
	span   span
	layer  int   // the first whose rows are wanted; records have those of later layers too
	single bool  // the row of this layer alone is read
	demand bool  // a pass waits for it
	turns  []int // of the group's layers
	room   int   // slots reserved for it

	done chan struct{} // closed when the rows are stored
	err  error         // valid then
}

// errClosed ends reads that had not begun when the Swapper was closed.
var errClosed = errors.New("the weights are closed")

// readers are goroutines that read rows, each into a buffer of its own, demanded rows first.
type readers struct {
	records Records
	deliver func(j *job, data []byte, err error) // called for one job at a time under mu

	mu      *sync.Mutex
	wake    *sync.Cond
	demand  []*job // in their order
	ahead   []*job
	closed  bool
	buffers []*memory.Buffer
	running sync.WaitGroup
}

// start begins n readers with buffers of that size.
func (r *readers) start(ledger *memory.Ledger, n, bytes int) error {
	r.wake = sync.NewCond(r.mu)
	for range n {
		buffer, err := memory.NewBuffer(ledger, weights.WindowPool, bytes)
		if err != nil {
			return err
		}
		r.buffers = append(r.buffers, buffer)
	}
	for _, buffer := range r.buffers {
		r.running.Go(func() { r.run(buffer.Bytes()) })
	}
	return nil
}

// run reads until the readers are closed.
func (r *readers) run(buffer []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		j := r.next()
		switch {
		case r.closed:
			return
		case j == nil:
			r.wake.Wait()
			continue
		}
		r.mu.Unlock()
		data, err := r.read(j, buffer)
		r.mu.Lock()
		r.deliver(j, data, err)
	}
}

func (r *readers) read(j *job, buffer []byte) ([]byte, error) {
	if j.single {
		return r.records.ReadRow(j.layer, j.bundle, j.span.from, buffer)
	}
	return r.records.ReadRecords(j.layer, j.bundle, j.span.from, j.span.to, buffer)
}

// next takes the next job, or nil. The caller holds mu.
func (r *readers) next() (j *job) {
	for _, queue := range []*[]*job{&r.demand, &r.ahead} {
		if len(*queue) > 0 {
			j, *queue = (*queue)[0], (*queue)[1:]
			return j
		}
	}
	return nil
}

// add queues jobs. The caller holds mu.
func (r *readers) add(jobs []*job) {
	for _, j := range jobs {
		j.done = make(chan struct{})
		if j.demand {
			r.demand = append(r.demand, j)
		} else {
			r.ahead = append(r.ahead, j)
		}
	}
	r.wake.Broadcast()
}

// hasten moves a job that has not begun to the demanded ones. The caller holds mu.
func (r *readers) hasten(j *job) {
	for i, queued := range r.ahead {
		if queued == j {
			r.ahead = append(r.ahead[:i:i], r.ahead[i+1:]...)
			r.demand = append(r.demand, j)
			return
		}
	}
}

// forget drops reads ahead that have not begun. The caller holds mu.
func (r *readers) forget() {
	ahead := r.ahead
	r.ahead = nil
	for _, j := range ahead {
		r.deliver(j, nil, errClosed)
	}
}

// close ends the readers after the reads under way, and frees their buffers.
func (r *readers) close() error {
	r.mu.Lock()
	r.forget()
	demand := r.demand
	r.demand, r.closed = nil, true
	for _, j := range demand {
		r.deliver(j, nil, errClosed)
	}
	if r.wake != nil {
		r.wake.Broadcast()
	}
	r.mu.Unlock()
	r.running.Wait()
	var err error
	for _, buffer := range r.buffers {
		err = errors.Join(err, buffer.Free())
	}
	return err
}

// Records reads the rows of a model on disk, as *pack.Rows does. Buffers start at a
// multiple of directio.Align and have room for two times that beside what is asked
// for. Its methods may be called from several goroutines.
type Records interface {
	// Layout says how large rows, records and groups are.
	Layout() pack.RowLayout
	// ReadRecords reads the records that have a layer's rows of channels from to to-1
	// into a buffer, and returns them one after the other.
	ReadRecords(layer int, b pack.Bundle, from, to int, buffer []byte) ([]byte, error)
	// ReadRow reads the row that a layer has of a record.
	ReadRow(layer int, b pack.Bundle, channel int, buffer []byte) ([]byte, error)
	// ReadBundle reads all records of a bundle, and compares their checksum.
	ReadBundle(group int, b pack.Bundle, buffer []byte) ([]byte, error)
}

// span is a read of neighbouring records: those of channels from to to-1, of which
// some are wanted.
type span struct {
	from, to int
	wanted   []int32 // ascending; first is from, last is to-1
}

// planSpans returns the reads of the records of channels, which ascend. Records are read
// together across gaps cheaper than another read; or all from the first to the last, if that
// is faster. No read exceeds most bytes, unless one record does.
func planSpans(channels []int32, record int, p DiskProfile, most int) []span {
	spans := mergeSpans(channels, p.gap()/record, max(1, most/record))
	if len(spans) < 2 {
		return spans
	}
	single := 0.0
	for _, s := range spans {
		single += p.Seconds((s.to - s.from) * record)
	}
	all := int(channels[len(channels)-1]-channels[0]) + 1
	if float64(all*record)/p.or().Sequential < single {
		return mergeSpans(channels, all, max(1, most/record))
	}
	return spans
}

// mergeSpans joins records across gaps of at most gap records, up to most records.
func mergeSpans(channels []int32, gap, most int) []span {
	var spans []span
	first := 0
	for i, c := range channels {
		if i+1 < len(channels) {
			next := int(channels[i+1])
			if next-int(c)-1 <= gap && next-int(channels[first]) < most {
				continue
			}
		}
		spans = append(spans, span{from: int(channels[first]), to: int(c) + 1, wanted: channels[first : i+1]})
		first = i + 1
	}
	return spans
}

// spansSeconds returns the time of reads.
func spansSeconds(spans []span, record int, p DiskProfile) float64 {
	total := 0.0
	for _, s := range spans {
		total += p.Seconds((s.to - s.from) * record)
	}
	return total
}
