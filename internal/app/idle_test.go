package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dowse/engine"
)

// tracing is an idleTracer at work, whose passes take some time each and are
// noted as they begin and end.
type tracing struct {
	*idleTracer
	log  []string // of passes, by the goroutine that traces
	busy bool
}

// passTime is what a pass takes where nothing ends it.
const passTime = 10 * time.Second

func startTracing(t *testing.T) *tracing {
	t.Helper()
	tr := &tracing{idleTracer: newIdleTracer()}
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
	tr.busy = true
	defer func() { tr.busy = false }()
	select {
	case <-ctx.Done():
		tr.log = append(tr.log, job.Query+" stopped")
		return ctx.Err()
	case <-time.After(passTime):
	}
	if job.Query == "broken" {
		tr.log = append(tr.log, job.Query+" failed")
		return errors.New("no disk")
	}
	tr.log = append(tr.log, job.Query)
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
		done := tr.search()
		tr.offer(wide("one"))
		<-time.After(time.Hour)
		synctest.Wait()
		if tr.busy || len(tr.log) > 0 {
			t.Fatalf("a pass inside of a search: %v", tr.log)
		}
		done()
		<-time.After(idleWait - time.Millisecond)
		synctest.Wait()
		if tr.busy {
			t.Fatal("a pass began while the next search may still come")
		}
		<-time.After(time.Second)
		synctest.Wait()
		if !tr.busy {
			t.Fatal("no pass though nobody searches")
		}
		done = tr.search()
		synctest.Wait()
		if tr.busy || !slices.Equal(tr.log, []string{"one stopped"}) {
			t.Fatalf("busy %v inside of a search: %v", tr.busy, tr.log)
		}
		second := tr.search() // two at a time
		done()
		<-time.After(time.Hour)
		synctest.Wait()
		if tr.busy {
			t.Fatal("a pass while another search is under way")
		}
		second()
		tr.offer(wide("broken"))
		tr.offer(wide("two"))
		<-time.After(time.Minute)
		synctest.Wait()
		if want := []string{"one stopped", "one", "broken failed", "two"}; !slices.Equal(tr.log, want) {
			t.Errorf("%q instead of %q", tr.log, want)
		}
	})
}

// TestTracingIsBounded: the newest jobs are kept, those of which everything is
// wanted are of no use, and nothing of a search is held on to.
func TestTracingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := startTracing(t)
		done := tr.search()
		for i := range 3 * idleJobs {
			tr.offer(wide(fmt.Sprint(i)))
		}
		narrow := wide("narrow")
		narrow.Passages = narrow.Passages[:narrow.K]
		tr.offer(narrow)
		for _, job := range tr.jobs {
			if job.Observe != nil || !job.Deadline.IsZero() {
				t.Fatal("a job keeps its search")
			}
		}
		done()
		<-time.After(time.Hour)
		synctest.Wait()
		if len(tr.log) != idleJobs || tr.log[0] != fmt.Sprint(2*idleJobs) || tr.log[idleJobs-1] != fmt.Sprint(3*idleJobs-1) {
			t.Errorf("%q", tr.log)
		}
	})
}

// TestTracingOfNobody: a process that traces nothing asks no tracer.
func TestTracingOfNobody(t *testing.T) {
	var none *idleTracer
	done := none.search()
	none.offer(wide("one"))
	done()
}
