package swap

import (
	"errors"
	"sync"

	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// job is one read of rows, and what they are for.
type job struct {
	bundle pack.Bundle
	span   span
	layer  int   // the first whose rows are wanted; records have those of the layers behind it
	single bool  // the row of this layer alone is read
	demand bool  // a pass waits for it
	turns  []int // of the group's layers
	room   int   // slots that it is promised

	done chan struct{} // closed when the rows are where they belong
	err  error         // valid then
}

// errClosed is what reads end with that had not begun when the Swapper was closed.
var errClosed = errors.New("the weights are closed")

// readers are goroutines that read rows, each into a buffer of its own, those that a
// pass waits for first.
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

// run reads until there is an end.
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

// hasten moves a job that has not begun to those that a pass waits for. The caller
// holds mu.
func (r *readers) hasten(j *job) {
	for i, queued := range r.ahead {
		if queued == j {
			r.ahead = append(r.ahead[:i:i], r.ahead[i+1:]...)
			r.demand = append(r.demand, j)
			return
		}
	}
}

// forget takes out the jobs that nobody waits for and that have not begun. The
// caller holds mu.
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
