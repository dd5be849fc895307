package indexes

import (
	"context"
	"errors"
	"sync"
	"time"

	"dowse/engine"
	"dowse/internal/daemon"
)

// failover is a service that outlives the process it asks. When that process ends, the call
// under way is made again on the next owner: another process, or this one.
type failover struct {
	engine.Relay
	opener *Opener
	access Access

	mu      sync.Mutex
	service engine.Service
}

var _ engine.Service = (*failover)(nil)

func newFailover(op *Opener, access Access, service engine.Service) *failover {
	h := &failover{opener: op, access: access, service: service}
	h.Via = h.ask
	return h
}

// failoverTries bounds how many owners may end under one call.
const failoverTries = 4

// lost reports whether an error means that the owner ended.
func lost(err error) bool {
	return errors.Is(err, daemon.ErrGone) || errors.Is(err, daemon.ErrNobody)
}

// AskOwner makes a call on the process that owns the index. asked is false where there is none,
// or where it ended meanwhile: then the call may be made in another way.
func (op *Opener) AskOwner(ctx context.Context, call func(engine.Service) error) (asked bool, err error) {
	client, err := daemon.Dial(ctx, op.Home.Socket())
	if err == nil {
		err = call(client)
	}
	return !lost(err), err
}

// current is the service as it is now.
func (h *failover) current() engine.Service {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.service
}

// replace opens the index again in place of a service that was lost, unless
// another call did that already.
func (h *failover) replace(ctx context.Context, gone engine.Service) (engine.Service, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.service != gone {
		return h.service, nil
	}
	service, err := h.opener.open(ctx, h.access)
	if err != nil {
		return nil, err
	}
	h.service = service
	return service, nil
}

// ask makes one call, again if its owner ended in the middle.
func (h *failover) ask(ctx context.Context, call func(engine.Service) error) error {
	service := h.current()
	for try := 1; ; try++ {
		err := call(service)
		if !lost(err) || ctx.Err() != nil || try == failoverTries {
			return err
		}
		if service, err = h.replace(ctx, service); err != nil {
			return err
		}
	}
}

// Close releases the service as it is now.
func (h *failover) Close() error { return h.current().Close() }

// failoverPause is waited before the owner is looked up again.
const failoverPause = 100 * time.Millisecond

// awaitOwnership waits until the other owners have ended and this process owns the index. It
// returns nil if ctx ends first.
func (h *failover) awaitOwnership(ctx context.Context) *Owner {
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
		case <-time.After(failoverPause):
		}
		// An error leaves the lost service in place, and the next look asks again.
		_, _ = h.replace(ctx, service)
	}
}
