package crossencoder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dowse/engine"
)

// tracing is an IdleTracer at work, whose passes take some time each and are
// noted as they begin and end.
type tracing struct {
	*IdleTracer
	mu      sync.Mutex
	passes  []string // that ended, and how
	running bool
}

// state is whether a pass is under way, and which have ended, and how.
func (tr *tracing) state() (busy bool, log []string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.running, slices.Clone(tr.passes)
}

// end notes how a pass ended.
func (tr *tracing) end(how string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.running, tr.passes = false, append(tr.passes, how)
}

// passTime is what a pass takes where nothing ends it.
const passTime = 10 * time.Second

func startTracing(t *testing.T) *tracing {
	t.Helper()
	tr := &tracing{IdleTracer: newIdleTracer()}
	tr.rate = 1
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tr.run(ctx, tr.pass)
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return tr
}

func (tr *tracing) pass(ctx context.Context, job engine.RerankJob) error {
	tr.mu.Lock()
	tr.running = true
	tr.mu.Unlock()
	select {
	case <-ctx.Done():
		tr.end(job.Query + " stopped")
		return ctx.Err()
	case <-time.After(passTime):
	}
	if job.Query == "broken" {
		tr.end(job.Query + " failed")
		return errors.New("no disk")
	}
	tr.end(job.Query)
	return nil
}

// wide is a job of which not all candidates are wanted.
func wide(query string) engine.RerankJob {
	return engine.RerankJob{Query: query, Passages: make([]string, 20), K: 10, Deadline: time.Now(), Observe: func(engine.RerankLayer) {}}
}

// TestTracingIsForIdleTime: no pass begins inside of a search or soon after one,
// and a search ends the pass under way at once, which is done again later.
func TestTracingIsForIdleTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := startTracing(t)
		done := tr.Search()
		tr.offer(wide("one"))
		<-time.After(time.Hour)
		synctest.Wait()
		if busy, log := tr.state(); busy || len(log) > 0 {
			t.Fatalf("a pass inside of a search: %v", log)
		}
		done()
		<-time.After(idleWait - time.Millisecond)
		synctest.Wait()
		if busy, _ := tr.state(); busy {
			t.Fatal("a pass began while the next search may still come")
		}
		<-time.After(time.Second)
		synctest.Wait()
		if busy, _ := tr.state(); !busy {
			t.Fatal("no pass though nobody searches")
		}
		done = tr.Search()
		synctest.Wait()
		if busy, log := tr.state(); busy || !slices.Equal(log, []string{"one stopped"}) {
			t.Fatalf("busy %v inside of a search: %v", busy, log)
		}
		second := tr.Search() // two at a time
		done()
		<-time.After(time.Hour)
		synctest.Wait()
		if busy, _ := tr.state(); busy {
			t.Fatal("a pass while another search is under way")
		}
		second()
		tr.offer(wide("broken"))
		tr.offer(wide("two"))
		<-time.After(time.Minute)
		synctest.Wait()
		want := []string{"one stopped", "one", "broken failed", "two"}
		if _, log := tr.state(); !slices.Equal(log, want) {
			t.Errorf("%q instead of %q", log, want)
		}
	})
}

// TestTracingIsBounded: the newest jobs are kept, those of which everything is
// wanted are of no use, and nothing of a search is held on to.
func TestTracingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := startTracing(t)
		done := tr.Search()
		for i := range 3 * idleJobs {
			tr.offer(wide(fmt.Sprint(i)))
		}
		narrow := wide("narrow")
		narrow.Passages = narrow.Passages[:narrow.K]
		tr.offer(narrow)
		tr.IdleTracer.mu.Lock()
		jobs := slices.Clone(tr.jobs)
		tr.IdleTracer.mu.Unlock()
		for _, job := range jobs {
			if job.Observe != nil || !job.Deadline.IsZero() {
				t.Fatal("a job keeps its search")
			}
		}
		done()
		<-time.After(time.Hour)
		synctest.Wait()
		if _, log := tr.state(); len(log) != idleJobs || log[0] != fmt.Sprint(2*idleJobs) || log[idleJobs-1] != fmt.Sprint(3*idleJobs-1) {
			t.Errorf("%q", log)
		}
	})
}

// TestTracingOfNobody: a process that traces nothing asks no tracer.
func TestTracingOfNobody(t *testing.T) {
	var none *IdleTracer
	done := none.Search()
	none.offer(wide("one"))
	done()
}
