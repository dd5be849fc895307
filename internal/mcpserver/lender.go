package mcpserver

import (
	"context"
	"sync"
	"time"

	"dowse/engine"
)

// idleClose is how long the index stays open after a call. Others that want to write wait for
// three seconds.
const idleClose = time.Second

// lender lends the index to calls, which may be several at a time.
type lender struct {
	open func(context.Context) (engine.Service, error)
	idle time.Duration

	mu      sync.Mutex
	service engine.Service // nil while it is closed
	users   int
	closing *time.Timer
}

// with runs f on the index.
func (l *lender) with(ctx context.Context, f func(engine.Service) error) error {
	service, err := l.take(ctx)
	if err != nil {
		return err
	}
	defer l.give()
	return f(service)
}

func (l *lender) take(ctx context.Context) (engine.Service, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.service == nil {
		service, err := l.open(ctx)
		if err != nil {
			return nil, err
		}
		l.service = service
	}
	if l.closing != nil {
		l.closing.Stop()
		l.closing = nil
	}
	l.users++
	return l.service, nil
}

func (l *lender) give() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users--; l.users > 0 {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(l.idle, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.closing == timer { // nobody took it meanwhile
			_ = l.drop() // it was read alone, so that nothing is lost
		}
	})
	l.closing = timer
}

// drop closes the index. mu is held.
func (l *lender) drop() (err error) {
	if l.service != nil {
		err = l.service.Close()
	}
	l.service, l.closing = nil, nil
	return err
}

// close closes the index for good; calls under way are cancelled.
func (l *lender) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.drop()
}
