package engine

import (
	"context"
	"sync"
)

// hubBuffer is how many events a subscriber may lag behind before it loses
// the oldest. Progress comes a few times a second, so this is seconds.
const hubBuffer = 64

// Hub hands events on to any number of subscribers. Publish never blocks: a
// slow subscriber loses its oldest events. The zero Hub is ready to use.
type Hub struct {
	mu   sync.Mutex
	subs map[chan Event]struct{}
}

// Publish delivers an event to everyone subscribed now.
func (h *Hub) Publish(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for ch := range h.subs {
		for {
			select {
			case ch <- e:
			default:
				select {
				case <-ch: // make room
				default:
				}
				continue
			}
			break
		}
	}
}

// Subscribe returns a channel of the events published until ctx ends, which
// closes it.
func (h *Hub) Subscribe(ctx context.Context) <-chan Event {
	ch := make(chan Event, hubBuffer)
	h.mu.Lock()
	if h.subs == nil {
		h.subs = make(map[chan Event]struct{})
	}
	h.subs[ch] = struct{}{}
	h.mu.Unlock()
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.subs, ch)
		close(ch)
	})
	return ch
}
