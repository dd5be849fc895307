package crossencoder

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"dowse/engine"
)

// IdleTracer computes in full, while nobody searches, some of what was reranked
// with pruning, so that its threshold is measured on this person's own queries.
// A search that begins ends the pass under way, which is taken up again later.
// All methods but run may be called from several goroutines, and on nil.
type IdleTracer struct {
	rate float64       // share of rerankings that are traced
	wait time.Duration // without a search before a pass begins

	mu       sync.Mutex
	jobs     []engine.RerankJob // oldest first
	searches int                // under way
	ended    time.Time          // the last of them
	stop     context.CancelFunc // of the pass under way; nil
	changed  chan struct{}      // holds a value when run has to look again
}

const (
	// idleRate makes fifty traces of some 250 searches.
	idleRate = 0.2
	// idleWait is longer than a person pauses while typing.
	idleWait = 3 * time.Second
	// idleJobs are remembered at most, with their passages: less than a
	// megabyte. The oldest gives way.
	idleJobs = 16
)

func newIdleTracer() *IdleTracer {
	return &IdleTracer{rate: idleRate, wait: idleWait, changed: make(chan struct{}, 1)}
}

// Pace sets which share of the rerankings is traced, and after how long without a
// search.
func (t *IdleTracer) Pace(rate float64, wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rate, t.wait = rate, wait
}

// Search notes that a search begins, until done is called, and ends the pass
// under way.
func (t *IdleTracer) Search() (done func()) {
	if t == nil {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.searches++
	if t.stop != nil {
		t.stop()
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.searches--
		t.ended = time.Now()
		t.wake()
	}
}

// offer remembers some of the rerankings of which not all candidates are wanted.
func (t *IdleTracer) offer(job engine.RerankJob) {
	if t == nil || len(job.Passages) <= max(job.K, 1) || rand.Float64() >= t.rate {
		return
	}
	job.Observe, job.Deadline = nil, time.Time{}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.jobs = append(t.jobs, job)
	t.jobs = t.jobs[max(0, len(t.jobs)-idleJobs):]
	t.wake()
}

// wake lets run look again. The caller holds t.mu.
func (t *IdleTracer) wake() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// run traces, one job after the other, until ctx ends. What trace cannot do for
// another reason than its ctx is given up.
func (t *IdleTracer) run(ctx context.Context, trace func(context.Context, engine.RerankJob) error) {
	for {
		job, pass, ok := t.next(ctx)
		if !ok {
			return
		}
		err := trace(pass, job)
		t.mu.Lock()
		if err != nil && pass.Err() != nil && len(t.jobs) < idleJobs {
			t.jobs = append([]engine.RerankJob{job}, t.jobs...)
		}
		t.stop()
		t.stop = nil
		t.mu.Unlock()
	}
}

// next waits for a job and for quiet. The pass ends with ctx, or with the next
// search; false says that ctx ended.
func (t *IdleTracer) next(ctx context.Context) (job engine.RerankJob, pass context.Context, ok bool) {
	for {
		job, pass, quiet := t.take(ctx)
		if pass != nil {
			return job, pass, true
		}
		select {
		case <-ctx.Done():
			return job, nil, false
		case <-t.changed:
		case <-quiet:
		}
	}
}

// take takes the oldest job where nobody searched for long enough. Otherwise
// there is no pass, and quiet is when that may be; nil where only a change can
// make it so.
func (t *IdleTracer) take(ctx context.Context) (job engine.RerankJob, pass context.Context, quiet <-chan time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.searches > 0 || len(t.jobs) == 0 {
		return job, nil, nil
	}
	if left := t.wait - time.Since(t.ended); left > 0 {
		return job, nil, time.After(left)
	}
	job, t.jobs = t.jobs[0], t.jobs[1:]
	pass, t.stop = context.WithCancel(ctx)
	return job, pass, nil
}
