package opened

import (
	"context"
	"errors"
	"sync"
	"testing"

	"dowse/engine/memory"
)

// fakeModel counts what is done with it.
type fakeModel struct {
	number  int
	other   bool // its files are others by now
	closed  int
	failing error // of Close
}

func (m *fakeModel) Changed() bool { return m.other }
func (m *fakeModel) Close() error  { m.closed++; return m.failing }

// fakeModels opens one after the other, or fails.
type fakeModels struct {
	made   []*fakeModel
	failed error
}

func (f *fakeModels) open(ctx context.Context) (*fakeModel, error) {
	if err := errors.Join(f.failed, ctx.Err()); err != nil {
		return nil, err
	}
	m := &fakeModel{number: len(f.made) + 1}
	f.made = append(f.made, m)
	return m, nil
}

// exclusive is a model that one user has at a time.
type exclusive struct {
	*Shared[*fakeModel]
	done func() error // of who has it
}

// leased opens without asking for room.
func leased(open func(ctx context.Context) (*fakeModel, error)) func(context.Context, *memory.Lease) (*fakeModel, error) {
	return func(ctx context.Context, _ *memory.Lease) (*fakeModel, error) { return open(ctx) }
}

func newExclusive(open func(ctx context.Context) (*fakeModel, error)) *exclusive {
	return &exclusive{Shared: New(1, nil, leased(open))}
}

func (e *exclusive) acquire(ctx context.Context) (*fakeModel, error) {
	m, done, err := e.Acquire(ctx)
	if err == nil {
		e.done = done
	}
	return m, err
}

func (e *exclusive) release() { _ = e.done() } // only a model that was replaced meanwhile is closed then

// TestSharedOpensOnce and again where the files are others; what was open before
// is closed, once.
func TestSharedOpensOnce(t *testing.T) {
	source := &fakeModels{}
	turn := newExclusive(source.open)
	use := func(want int) {
		t.Helper()
		m, err := turn.acquire(t.Context())
		if err != nil || m.number != want {
			t.Fatalf("model %+v, %v; want %d", m, err, want)
		}
		turn.release()
	}
	use(1)
	use(1)
	source.made[0].other = true
	use(2)
	use(2)
	if source.made[0].closed != 1 || source.made[1].closed != 0 {
		t.Errorf("closed %d and %d times", source.made[0].closed, source.made[1].closed)
	}
	if err := errors.Join(turn.Close(), turn.Close()); err != nil || source.made[1].closed != 1 {
		t.Errorf("closed %d times, %v", source.made[1].closed, err)
	}
	use(3) // one who asks after all opens it anew
	if err := turn.Close(); err != nil || source.made[2].closed != 1 {
		t.Errorf("closed %d times, %v", source.made[2].closed, err)
	}
}

// TestSharedAfterFailures: the turn is given back, and the next caller tries again.
func TestSharedAfterFailures(t *testing.T) {
	source := &fakeModels{failed: errors.New("damaged")}
	turn := newExclusive(source.open)
	for range 2 {
		if m, err := turn.acquire(t.Context()); m != nil || !errors.Is(err, source.failed) {
			t.Fatalf("%+v, %v", m, err)
		}
	}
	source.failed = nil
	if _, err := turn.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	turn.release()
	source.made[0].other, source.made[0].failing = true, errors.New("busy")
	if m, err := turn.acquire(t.Context()); m != nil || !errors.Is(err, source.made[0].failing) {
		t.Errorf("where the old one does not close: %+v, %v", m, err)
	}
	if m, err := turn.acquire(t.Context()); err != nil || m.number != 2 || source.made[0].closed != 1 {
		t.Errorf("after that: %+v, %v, closed %d times", m, err, source.made[0].closed)
	}
	turn.release()
	source.made[1].failing = errors.New("stuck")
	if err := turn.Close(); !errors.Is(err, source.made[1].failing) {
		t.Errorf("close says %v", err)
	}
	if err := turn.Close(); err != nil || source.made[1].closed != 1 {
		t.Errorf("closed %d times, %v", source.made[1].closed, err)
	}
}

// TestSharedIsCancelled before, while it waits, and while it opens; the turn is not
// lost.
func TestSharedIsCancelled(t *testing.T) {
	source := &fakeModels{}
	turn := newExclusive(source.open)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 { // the turn is free, and must not win
		if m, err := turn.acquire(cancelled); m != nil || !errors.Is(err, context.Canceled) || len(source.made) != 0 {
			t.Fatalf("%+v, %v", m, err)
		}
	}
	if _, err := turn.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	waiting, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := turn.acquire(waiting)
		done <- err
	}()
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("waiting: %v", err)
	}
	turn.release()
	opening, end := context.WithCancel(t.Context())
	slow := newExclusive(func(ctx context.Context) (*fakeModel, error) { end(); return source.open(ctx) })
	if m, err := slow.acquire(opening); m != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("opening: %+v, %v", m, err)
	}
	for what, turn := range map[string]*exclusive{"waiting": turn, "opening": slow} {
		if m, err := turn.acquire(t.Context()); err != nil || m == nil {
			t.Errorf("after %s: %+v, %v", what, m, err)
		}
		turn.release()
	}
}

// TestSharedOneAtATime: callers and the one who closes wait for each other.
func TestSharedOneAtATime(t *testing.T) {
	source := &fakeModels{}
	turn := newExclusive(source.open)
	users, most := 0, 0 // unguarded: the race detector looks too
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			m, err := turn.acquire(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer turn.release()
			users++
			most = max(most, users)
			m.other = i%4 == 0
			if m.closed > 0 {
				t.Error("the model is closed while it is used")
			}
			users--
		})
	}
	group.Wait()
	if most != 1 {
		t.Errorf("%d at a time", most)
	}
	if _, err := turn.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	go func() { closed <- turn.Close() }()
	select {
	case err := <-closed:
		t.Errorf("closed under its user, %v", err)
	default:
	}
	if last := source.made[len(source.made)-1]; last.closed != 0 {
		t.Error("the model is closed while it is used")
	}
	turn.release()
	if err := <-closed; err != nil {
		t.Error(err)
	}
	for i, m := range source.made {
		if m.closed != 1 {
			t.Errorf("model %d was closed %d times", i, m.closed)
		}
	}
}

// TestSharedNil: where there is no model, there is nothing to close.
func TestSharedNil(t *testing.T) {
	var none *Shared[*fakeModel]
	if err := errors.Join(none.Close(), newExclusive((&fakeModels{}).open).Close()); err != nil {
		t.Error(err)
	}
}

// TestSharedByMany: users have it together; the last one of a model whose files
// changed closes it, while others have the next; Rest waits for all of them.
func TestSharedByMany(t *testing.T) {
	source := &fakeModels{}
	shared := New(Many, nil, leased(source.open))
	take := func(want int) (done func() error) {
		t.Helper()
		m, done, err := shared.Acquire(t.Context())
		if err != nil || m.number != want {
			t.Fatalf("model %+v, %v; want %d", m, err, want)
		}
		return done
	}
	first, second := take(1), take(1)
	source.made[0].other, source.made[0].failing = true, errors.New("busy")
	third := take(2)
	if err := first(); err != nil || source.made[0].closed != 0 {
		t.Errorf("closed under its user: %v", err)
	}
	if err := second(); !errors.Is(err, source.made[0].failing) || source.made[0].closed != 1 {
		t.Errorf("its last user: closed %d times, %v", source.made[0].closed, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := shared.Rest(ctx); !errors.Is(err, context.Canceled) || source.made[1].closed != 0 {
		t.Errorf("resting while it is used: %v", err)
	}
	if err := third(); err != nil {
		t.Error(err)
	}
	done, err := shared.Rest(t.Context())
	if err != nil || source.made[1].closed != 1 {
		t.Fatalf("rested, closed %d times, %v", source.made[1].closed, err)
	}
	if _, _, err := shared.Acquire(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("asked while it rests: %v", err)
	}
	done()
	if err := errors.Join(take(3)(), shared.Close()); err != nil || source.made[2].closed != 1 {
		t.Errorf("after that: closed %d times, %v", source.made[2].closed, err)
	}
}
