package search

import (
	"context"
	"slices"
	"sync"
	"time"

	"dowse/engine"
)

// hubBuffer is how many events a subscriber may lag behind before it loses
// the oldest. Progress comes a few times a second, so this is seconds.
const hubBuffer = 64

// hub hands events on to any number of subscribers. Publishing never blocks:
// a slow subscriber loses its oldest events. The zero hub is ready to use.
type hub struct {
	mu       sync.Mutex
	subs     map[chan engine.Event]struct{}
	progress *engine.Progress // newest one published
}

// publish delivers an event to everyone subscribed now.
func (h *hub) publish(e engine.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.Progress != nil {
		p := *e.Progress // the publisher may go on writing to its own
		h.progress, e.Progress = &p, &p
	}
	for ch := range h.subs {
		select {
		case ch <- e:
			continue
		default:
		}
		select {
		case <-ch: // make room; the subscriber may just have done so itself
		default:
		}
		ch <- e // there is room: nobody else sends while h.mu is held
	}
}

// subscribe returns a channel of the newest progress, if there is any, and of
// the events published from now on until ctx ends, which closes it.
func (h *hub) subscribe(ctx context.Context) <-chan engine.Event {
	ch := make(chan engine.Event, hubBuffer)
	h.mu.Lock()
	if h.subs == nil {
		h.subs = make(map[chan engine.Event]struct{})
	}
	h.subs[ch] = struct{}{}
	if h.progress != nil {
		ch <- engine.Event{Progress: h.progress}
	}
	h.mu.Unlock()
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.subs, ch)
		close(ch)
	})
	return ch
}

// lastProgress is a copy of the newest progress, or nil.
func (h *hub) lastProgress() *engine.Progress {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.progress == nil {
		return nil
	}
	p := *h.progress
	return &p
}

// Publish hands an event of the indexer to every subscriber.
func (e *Engine) Publish(ev engine.Event) { e.hub.publish(ev) }

// memoryEvery is how often subscribers are told what memory is held, where that has
// changed.
const memoryEvery = time.Second

// Subscribe implements Searcher. The memory in use and the newest progress
// come at once.
func (e *Engine) Subscribe(ctx context.Context) (<-chan engine.Event, error) {
	in := e.hub.subscribe(ctx)
	out := make(chan engine.Event)
	go e.forward(ctx, in, out)
	return out, nil
}

// lastWait is how long a reader is waited for with what was published before ctx ended.
const lastWait = time.Second

// forward hands on what comes in, and between it the memory in use, until in
// is closed. A reader that goes on reading after ctx ended gets all that was published before,
// such as what went wrong at the end of a run; one that is gone holds it up for lastWait.
func (e *Engine) forward(ctx context.Context, in <-chan engine.Event, out chan<- engine.Event) {
	defer close(out)
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	gone := false
	send := func(ev engine.Event) {
		select {
		case out <- ev:
			return
		case <-ctx.Done():
		}
		if gone {
			return
		}
		select {
		case out <- ev:
		case <-time.After(lastWait):
			gone = true
		}
	}
	var told []engine.PoolUse
	tell := func() {
		if pools := e.pools(); !slices.Equal(pools, told) {
			told = pools
			send(engine.Event{Memory: slices.Clone(pools)})
		}
	}
	tell()
	for {
		select {
		case ev, ok := <-in:
			if !ok {
				return
			}
			send(ev)
		case <-tick.C:
			tell()
		}
	}
}

// pools is what the ledger holds now.
func (e *Engine) pools() []engine.PoolUse {
	var pools []engine.PoolUse
	for _, p := range e.opts.Ledger.Snapshot() {
		pools = append(pools, engine.PoolUse{Pool: p.Name, Bytes: p.Bytes, Peak: p.Peak})
	}
	return pools
}
