// Package lent opens an index for calls, and closes it soon after the last one: a process that stays, because an agent or
// another machine has started it, keeps nobody from writing.
package lent

import (
	"context"
	"sync"
	"time"

	"dowse/engine"
)

// IdleClose is how long the index stays open after a call. Others that want to write wait for
// three seconds.
const IdleClose = time.Second

// Lender lends the index to calls, which may be several at a time.
type Lender struct {
	Open func(context.Context) (engine.Service, error)
	Idle time.Duration

	mu      sync.Mutex
	service engine.Service // nil while it is closed
	users   int
	closing *time.Timer
}

// With runs f on the index.
func (l *Lender) With(ctx context.Context, f func(engine.Service) error) error {
	service, err := l.take(ctx)
	if err != nil {
		return err
	}
	defer l.give()
	return f(service)
}

func (l *Lender) take(ctx context.Context) (engine.Service, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.service == nil {
		service, err := l.Open(ctx)
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

func (l *Lender) give() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users--; l.users > 0 {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(l.Idle, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.closing == timer { // nobody took it meanwhile
			_ = l.drop() // it was read alone, so that nothing is lost
		}
	})
	l.closing = timer
}

// drop closes the index. mu is held.
func (l *Lender) drop() (err error) {
	if l.service != nil {
		err = l.service.Close()
	}
	l.service, l.closing = nil, nil
	return err
}

// Close closes the index for good; calls under way are cancelled.
func (l *Lender) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.drop()
}

// Service is a service that lends the index to each call.
func (l *Lender) Service() engine.Service { return &service{engine.Relay{Via: l.via}, l} }

func (l *Lender) via(ctx context.Context, call func(engine.Service) error) error {
	return l.With(ctx, call)
}

type service struct {
	engine.Relay
	*Lender
}
