package indexes

import (
	"context"
	"errors"
	"sync"
)

// errClosing answers a call to a service that is being closed.
var errClosing = errors.New("dowse is ending; ask again")

// gate counts the calls under way, so that what they use is released after the
// last one. The zero value is open.
type gate struct {
	mu      sync.Mutex
	calls   sync.WaitGroup // added to under mu, before closed is set
	writers sync.WaitGroup // those of the calls that write; added to under mu, before held is set
	ends    map[int]context.CancelFunc
	writes  map[int]bool // of ends, those of calls that write
	next    int
	held    bool // calls that write are not let in
	retired bool // nor are others
	closed  bool // calls under way are cancelled too
}

// enter begins a call. The ctx that it returns ends with the one given, when the
// gate closes, or when the call ends by leave.
func (g *gate) enter(ctx context.Context) (inside context.Context, leave func(), err error) {
	return g.enterAs(ctx, false)
}

// enterAs is enter for a call that writes, or that does not.
func (g *gate) enterAs(ctx context.Context, writes bool) (inside context.Context, leave func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed || g.retired || writes && g.held {
		return nil, nil, errClosing
	}
	inside, cancel := context.WithCancel(ctx)
	if g.ends == nil {
		g.ends, g.writes = map[int]context.CancelFunc{}, map[int]bool{}
	}
	id := g.next
	g.next++
	g.ends[id] = cancel
	g.calls.Add(1)
	if writes {
		g.writes[id] = true
		g.writers.Add(1)
	}
	return inside, func() {
		g.mu.Lock()
		delete(g.ends, id)
		delete(g.writes, id)
		g.mu.Unlock()
		cancel()
		if writes {
			g.writers.Done()
		}
		g.calls.Done()
	}, nil
}

// hold cancels the calls that write, waits for them and lets none in before resume.
func (g *gate) hold() {
	g.mu.Lock()
	g.held = true
	for id := range g.writes {
		g.ends[id]()
	}
	g.mu.Unlock()
	g.writers.Wait()
}

// resume lets calls in again that write.
func (g *gate) resume() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = false
}

// retire lets no call in any more. Those under way go on, but for calls that write.
func (g *gate) retire() {
	g.hold()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.retired = true
}

// drain retires the gate and waits for the calls under way.
func (g *gate) drain() {
	g.retire()
	g.calls.Wait()
}

// isHeld reports whether calls that write were cancelled by hold.
func (g *gate) isHeld() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.held
}

// close lets no call in any more, cancels those under way and waits for them.
func (g *gate) close() {
	g.mu.Lock()
	g.closed = true
	for _, cancel := range g.ends {
		cancel()
	}
	g.mu.Unlock()
	g.calls.Wait()
}

// within runs a call inside of a gate.
func within[T any](ctx context.Context, g *gate, call func(context.Context) (T, error)) (T, error) {
	ctx, leave, err := g.enter(ctx)
	if err != nil {
		var none T
		return none, err
	}
	defer leave()
	return call(ctx)
}

// writing runs a call that writes inside of a gate. One that hold ended fails with
// errClosing, as if it had not been let in.
func writing[T any](ctx context.Context, g *gate, call func(context.Context) (T, error)) (T, error) {
	var none T
	inside, leave, err := g.enterAs(ctx, true)
	if err != nil {
		return none, err
	}
	defer leave()
	value, err := call(inside)
	if err != nil && inside.Err() != nil && ctx.Err() == nil && g.isHeld() {
		return none, errClosing
	}
	return value, err
}
