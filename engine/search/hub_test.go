package search

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"dowse/engine"
	"dowse/engine/memory"
)

// progressed is an event of n files done.
func progressed(n int) engine.Event { return engine.Event{Progress: &engine.Progress{FilesDone: n}} }

func TestHubDropsTheOldest(t *testing.T) {
	var h hub
	ctx, cancel := context.WithCancel(t.Context())
	ch := h.subscribe(ctx)
	const n = 3 * hubBuffer
	for i := range n {
		h.publish(progressed(i)) // nobody reads: must not block
	}
	cancel()
	last, count := -1, 0
	for e := range ch { // the channel is closed
		if e.Progress.FilesDone <= last {
			t.Errorf("%d after %d", e.Progress.FilesDone, last)
		}
		last = e.Progress.FilesDone
		count++
	}
	if last != n-1 || count != hubBuffer {
		t.Errorf("%d events came, the last %d; want the newest %d", count, last, hubBuffer)
	}
	h.publish(progressed(0)) // to nobody
	if len(h.subs) != 0 {
		t.Error("the subscription is kept after its context ended")
	}
}

func TestHubUnderManyHands(t *testing.T) {
	var h hub
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 2000 {
			h.publish(progressed(i))
		}
	}()
	for range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		ch := h.subscribe(ctx)
		last := -1
		for range 5 {
			select {
			case e := <-ch:
				if e.Progress.FilesDone < last {
					t.Errorf("%d after %d", e.Progress.FilesDone, last)
				}
				last = e.Progress.FilesDone
			case <-done:
			}
		}
		cancel()
	}
	<-done
}

func TestHubKeepsProgressForThoseWhoComeLater(t *testing.T) {
	var h hub
	if h.lastProgress() != nil {
		t.Error("progress out of nothing")
	}
	p := engine.Progress{FilesDone: 7}
	h.publish(engine.Event{Progress: &p})
	h.publish(engine.Event{Problem: "x"})
	p.FilesDone = 8 // the publisher goes on
	if e := <-h.subscribe(t.Context()); e.Progress == nil || e.Progress.FilesDone != 7 {
		t.Errorf("first event %+v", e)
	}
	h.lastProgress().FilesDone = 9
	if h.lastProgress().FilesDone != 7 {
		t.Error("a caller changed the hub's progress")
	}
}

func TestSubscribe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ledger := &memory.Ledger{}
		ledger.Grow("weights", 10)
		e := New(Options{Ledger: ledger})
		e.Publish(progressed(1))
		ctx, cancel := context.WithCancel(t.Context())
		events, err := e.Subscribe(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if ev := <-events; len(ev.Memory) != 1 || ev.Memory[0] != (engine.PoolUse{Pool: "weights", Bytes: 10, Peak: 10}) {
			t.Errorf("first event %+v", ev)
		}
		if ev := <-events; ev.Progress == nil || ev.Progress.FilesDone != 1 {
			t.Errorf("second event %+v", ev)
		}
		e.Publish(engine.Event{Changed: &engine.Changed{Added: 3}})
		if ev := <-events; ev.Changed == nil || ev.Changed.Added != 3 {
			t.Errorf("third event %+v", ev)
		}
		<-time.After(time.Minute)
		select {
		case ev := <-events:
			t.Errorf("%+v while nothing changed", ev)
		default:
		}
		ledger.Grow("weights", 5)
		start := time.Now()
		if ev := <-events; len(ev.Memory) != 1 || ev.Memory[0].Bytes != 15 || time.Since(start) > memoryEvery {
			t.Errorf("after %v: %+v", time.Since(start), ev)
		}
		cancel()
		synctest.Wait()
		if ev, open := <-events; open {
			t.Errorf("%+v after the end", ev)
		}
	})
}

func TestSubscribeEndsWhileNobodyReads(t *testing.T) {
	// synctest fails when a goroutine is left over.
	synctest.Test(t, func(t *testing.T) {
		ledger := &memory.Ledger{}
		ledger.Grow("weights", 10)
		e := New(Options{Ledger: ledger})
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := e.Subscribe(ctx); err != nil {
			t.Fatal(err)
		}
		for i := range 10 * hubBuffer {
			e.Publish(progressed(i))
		}
		synctest.Wait()
		cancel()

		ended, err := e.Subscribe(ctx) // ctx is over already
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for range ended { // nothing, or what came at once; then closed
		}
		<-time.After(2 * lastWait) // of the bubble
	})
}

// Who reads on gets what was said before the end.
func TestTheLastEventsAreNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := New(Options{Ledger: &memory.Ledger{}})
		ctx, cancel := context.WithCancel(t.Context())
		events, err := e.Subscribe(ctx)
		if err != nil {
			t.Fatal(err)
		}
		const said = 20
		for range said {
			e.Publish(engine.Event{Problem: "no"})
		}
		cancel()
		synctest.Wait()
		heard := 0
		for range events {
			heard++
		}
		if heard != said {
			t.Errorf("%d of %d events", heard, said)
		}
	})
}

func TestSlowSubscriberGetsTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := New(Options{}) // without a ledger there is no memory to tell of
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		events, err := e.Subscribe(ctx)
		if err != nil {
			t.Fatal(err)
		}
		const n = 10 * hubBuffer
		for i := range n {
			e.Publish(progressed(i))
		}
		last := -1
		for last != n-1 {
			ev := <-events
			if ev.Progress == nil || ev.Progress.FilesDone <= last {
				t.Fatalf("%+v after %d", ev, last)
			}
			last = ev.Progress.FilesDone
		}
	})
}
