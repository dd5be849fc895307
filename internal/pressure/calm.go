package pressure

import (
	"context"
	"fmt"
	"sync"

	"dowse/internal/ticks"
)

// Calm tells background work to wait while the machine runs on its battery, or others keep it busy.
type Calm struct {
	Battery bool    // wait while it runs on its battery
	Load    float64 // wait while others keep this share of the processors busy; 0: never

	mu    sync.Mutex
	why   string
	free  chan struct{} // closed when work may go on; nil while it may
	busy  int           // readings in a row above Load
	quiet int           // below, or below what lets work go on again
}

// calmEvery is how often the machine is looked at, and calmReadings how many looks in a row decide.
const (
	calmEvery    = 3 * ticks.Idle
	calmReadings = 3
	calmAgain    = .75 // of Load, below which work goes on again
)

// reading is what was seen of the machine.
type reading struct {
	onBattery bool
	others    float64 // share of the processors that others kept busy since the last one
}

// Follow looks at the machine until ctx ends. Work waits no longer then.
func (c *Calm) Follow(ctx context.Context) {
	tick := ticks.New(calmEvery)
	defer tick.Stop()
	defer c.note("")
	m := newMeter()
	c.decide(m.read())
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			c.decide(m.read())
		}
	}
}

// decide takes a reading.
func (c *Calm) decide(r reading) {
	limit := c.Load
	if c.Why() != "" {
		limit *= calmAgain
	}
	if c.Load > 0 && r.others >= limit {
		c.busy, c.quiet = c.busy+1, 0
	} else {
		c.busy, c.quiet = 0, c.quiet+1
	}
	switch {
	case c.Battery && r.onBattery:
		c.note("indexing waits while the machine runs on its battery (service.battery)")
	case c.busy >= calmReadings:
		c.note(fmt.Sprintf("indexing waits while other programs keep %.0f%% of the processors busy (service.load)", 100*r.others))
	case c.quiet >= calmReadings || c.busy == 0 && c.Load == 0:
		c.note("")
	}
}

// note says why work waits; "" lets it go on.
func (c *Calm) note(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.why = why
	switch {
	case why == "" && c.free != nil:
		close(c.free)
		c.free = nil
	case why != "" && c.free == nil:
		c.free = make(chan struct{})
	}
}

// Why says why work waits; "" while it does not. A nil Calm never has any wait.
func (c *Calm) Why() string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}

// Wait blocks while work is to wait, or until ctx ends.
func (c *Calm) Wait(ctx context.Context) error {
	for c != nil {
		c.mu.Lock()
		free := c.free
		c.mu.Unlock()
		if free == nil {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-free:
		}
	}
	return ctx.Err()
}
