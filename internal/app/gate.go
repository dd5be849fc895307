package app

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
	mu     sync.Mutex
	calls  sync.WaitGroup // added to under mu, before closed is set
	ends   map[int]context.CancelFunc
	next   int
	closed bool
}

// enter begins a call. The ctx that it returns ends with the one given, when the
// gate closes, or when the call ends by leave.
func (g *gate) enter(ctx context.Context) (inside context.Context, leave func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, nil, errClosing
	}
	inside, cancel := context.WithCancel(ctx)
	if g.ends == nil {
		g.ends = map[int]context.CancelFunc{}
	}
	id := g.next
	g.next++
	g.ends[id] = cancel
	g.calls.Add(1)
	return inside, func() {
		g.mu.Lock()
		delete(g.ends, id)
		g.mu.Unlock()
		cancel()
		g.calls.Done()
	}, nil
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
