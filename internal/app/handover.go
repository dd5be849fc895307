package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"dowse/engine"
	"dowse/internal/daemon"
)

// handover is a service that outlives the process it asks. When that process
// ends, however it does, the call under way is made again on whoever owns the
// index then: another process, or this one.
type handover struct {
	app    *App
	access Access

	mu      sync.Mutex
	service engine.Service
}

var _ engine.Service = (*handover)(nil)

// handoverTries bounds how many owners may end under one call.
const handoverTries = 4

// lost says that an error means that the owner ended.
func lost(err error) bool {
	return errors.Is(err, daemon.ErrGone) || errors.Is(err, daemon.ErrNobody)
}

// current is the service as it is now.
func (h *handover) current() engine.Service {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.service
}

// replace opens the index again in place of a service that was lost, unless
// another call did that already.
func (h *handover) replace(ctx context.Context, gone engine.Service) (engine.Service, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.service != gone {
		return h.service, nil
	}
	service, err := h.app.open(ctx, h.access)
	if err != nil {
		return nil, err
	}
	h.service = service
	return service, nil
}

// ask makes one call, again if its owner ended in the middle.
func ask[T any](ctx context.Context, h *handover, call func(engine.Service) (T, error)) (T, error) {
	service := h.current()
	for try := 1; ; try++ {
		value, err := call(service)
		if !lost(err) || ctx.Err() != nil || try == handoverTries {
			return value, err
		}
		if service, err = h.replace(ctx, service); err != nil {
			return value, err
		}
	}
}

// Search implements engine.Searcher.
func (h *handover) Search(ctx context.Context, req engine.Request, emit func(engine.Event)) (*engine.Result, error) {
	return ask(ctx, h, func(s engine.Service) (*engine.Result, error) { return s.Search(ctx, req, emit) })
}

// Preview implements engine.Searcher.
func (h *handover) Preview(ctx context.Context, p engine.Passage, before, after int) (*engine.Preview, error) {
	return ask(ctx, h, func(s engine.Service) (*engine.Preview, error) { return s.Preview(ctx, p, before, after) })
}

// Status implements engine.Searcher.
func (h *handover) Status(ctx context.Context) (*engine.Status, error) {
	return ask(ctx, h, func(s engine.Service) (*engine.Status, error) { return s.Status(ctx) })
}

// Subscribe implements engine.Searcher. The channel closes when the present
// owner ends; a new subscription reaches the next.
func (h *handover) Subscribe(ctx context.Context) (<-chan engine.Event, error) {
	return ask(ctx, h, func(s engine.Service) (<-chan engine.Event, error) { return s.Subscribe(ctx) })
}

// Index implements engine.Service.
func (h *handover) Index(ctx context.Context, folders []string, emit func(engine.Event)) (*engine.IndexReport, error) {
	return ask(ctx, h, func(s engine.Service) (*engine.IndexReport, error) { return s.Index(ctx, folders, emit) })
}

// Check implements engine.Service.
func (h *handover) Check(ctx context.Context, emit func(engine.Event)) (*engine.CheckReport, error) {
	return ask(ctx, h, func(s engine.Service) (*engine.CheckReport, error) { return s.Check(ctx, emit) })
}

// ForgetAnswers implements engine.Service.
func (h *handover) ForgetAnswers(ctx context.Context) (*engine.Forgotten, error) {
	return ask(ctx, h, func(s engine.Service) (*engine.Forgotten, error) { return s.ForgetAnswers(ctx) })
}

// Close releases the service as it is now.
func (h *handover) Close() error { return h.current().Close() }

// handoverPause is waited between two looks at who owns the index.
const handoverPause = 100 * time.Millisecond

// inherit waits until this process owns the index, because those that did
// have ended, and returns the owner; nil if ctx ends first.
func (h *handover) inherit(ctx context.Context) *Owner {
	for {
		service := h.current()
		if owner, ok := service.(*Owner); ok {
			return owner
		}
		if events, err := service.Subscribe(ctx); err == nil {
			for range events { // it closes when the owner ends
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(handoverPause):
		}
		// An error leaves the lost service in place, and the next look asks again.
		_, _ = h.replace(ctx, service)
	}
}
