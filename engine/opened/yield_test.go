package opened

import (
	"context"
	"errors"
	"slices"
	"testing"

	"dowse/engine/memory"
)

// wanting models take so many bytes each time they are opened, and note what they got.
func wanting(a *memory.Arbiter, bytes int64, got *[]int64) (*Shared[*fakeModel], *fakeModels) {
	source := &fakeModels{}
	return New(Many, a, func(ctx context.Context, lease *memory.Lease) (*fakeModel, error) {
		granted, err := lease.Take(ctx, bytes)
		if err != nil {
			return nil, err
		}
		*got = append(*got, granted)
		return source.open(ctx)
	}), source
}

// TestSharedModelsTakeTurns: one that is idle is closed for another one, one at work
// is waited for, and a failure to open gives the room back.
func TestSharedModelsTakeTurns(t *testing.T) {
	var got []int64
	a := memory.NewArbiter(100)
	first, firsts := wanting(a, 70, &got)
	second, seconds := wanting(a, 60, &got)
	use := func(s *Shared[*fakeModel]) (done func() error) {
		t.Helper()
		_, done, err := s.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	failed := errors.New("damaged")
	firsts.failed = failed
	if _, _, err := first.Acquire(t.Context()); !errors.Is(err, failed) {
		t.Fatal(err)
	}
	firsts.failed = nil
	busy := use(first)
	waiting, cancel := context.WithCancel(t.Context())
	asked := make(chan error)
	go func() {
		_, _, err := second.Acquire(waiting)
		asked <- err
	}()
	cancel()
	if err := <-asked; !errors.Is(err, context.Canceled) || firsts.made[0].closed != 0 {
		t.Errorf("took from a model at work: %v, closed %d times", err, firsts.made[0].closed)
	}
	if err := busy(); err != nil {
		t.Fatal(err)
	}
	if err := use(second)(); err != nil || firsts.made[0].closed != 1 || len(seconds.made) != 1 {
		t.Errorf("%v, the first closed %d times", err, firsts.made[0].closed)
	}
	again := use(first)
	if len(firsts.made) != 2 || seconds.made[0].closed != 1 {
		t.Errorf("opened %d times, the second closed %d times", len(firsts.made), seconds.made[0].closed)
	}
	firsts.made[1].other = true // its files: the next user waits for the last one of the old
	next := make(chan func() error)
	go func() { next <- use(first) }()
	if err := again(); err != nil {
		t.Error(err)
	}
	if err := (<-next)(); err != nil || firsts.made[1].closed != 1 || !slices.Equal(got, []int64{70, 70, 60, 70, 70}) {
		t.Errorf("%v, closed %d times, took %d", err, firsts.made[1].closed, got)
	}
	if err := errors.Join(first.Close(), second.Close()); err != nil || firsts.made[2].closed != 1 {
		t.Error(err)
	}
}
