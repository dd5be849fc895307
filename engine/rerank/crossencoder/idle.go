package crossencoder

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"dowse/engine"
)

// IdleTracer recomputes in full some pruned rerankings while nobody searches, so that thresholds
// are measured on a person's own queries. A search interrupts the pass, which is retried later.
// All methods but run are safe for concurrent use, and on nil.
type IdleTracer struct {
	rate float64       // share of rerankings that are traced
	wait time.Duration // pause without a search before a pass

	mu       sync.Mutex
	jobs     []engine.RerankJob // oldest first
	searches int                // under way
	ended    time.Time          // end of the last one
	stop     context.CancelFunc // of the pass under way; nil
	changed  chan struct{}      // wakes run
}

const (
	idleRate = 0.2             // fifty traces from some 250 searches
	idleWait = 3 * time.Second // longer than a pause while typing
	idleJobs = 16              // most jobs with their passages, below a megabyte
)

func newIdleTracer() *IdleTracer {
	return &IdleTracer{rate: idleRate, wait: idleWait, changed: make(chan struct{}, 1)}
}

// Pace sets the share of rerankings to trace, and the pause without a search before that.
func (t *IdleTracer) Pace(rate float64, wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rate, t.wait = rate, wait
}

// Search notes a search until done is called, and interrupts the pass under way.
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

// offer remembers some of the rerankings that do not want all candidates.
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

// wake wakes run. The caller holds t.mu.
func (t *IdleTracer) wake() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// run traces one job after the other until ctx ends. A job is retried only if its pass was
// interrupted.
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

// next waits for a job and for quiet. The pass ends with ctx or the next search; false: ctx ended.
func (t *IdleTracer) next(ctx context.Context) (job engine.RerankJob, pass context.Context, ok bool) {
	for {
		job, pass, quiet := t.takeJob(ctx)
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

// takeJob takes the oldest job if it is quiet. Otherwise pass is nil, and quiet signals when that
// may change; nil: only with t.changed.
func (t *IdleTracer) takeJob(ctx context.Context) (job engine.RerankJob, pass context.Context, quiet <-chan time.Time) {
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
