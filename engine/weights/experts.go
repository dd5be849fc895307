package weights

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dowse/engine/internal/lfu"
	"dowse/engine/memory"
)

// Experts says how the experts of a mixture on disk are read.
type Experts[E any] struct {
	Layers, Count int // layers of the model, and experts of one
	Bytes         int // size of a buffer for one of them
	// Read reads an expert of a layer into a buffer and returns a view of it. Several
	// calls, with different buffers, may be under way at a time.
	Read func(layer, expert int, buffer []byte) (E, error)
}

// ExpertStats counts what the experts of a mixture cost. An expert counts once for each
// pass and layer, however many tokens go through it.
type ExpertStats struct {
	Chosen   int // experts that routers chose: Hits, Foreseen and Demanded
	Hits     int // were in memory
	Foreseen int // were read, or began to be, before they were chosen
	Demanded int // were read once they were chosen
	// Guessable experts were chosen in layers with a guess; Guessed of them were in it.
	Guessable, Guessed int
	Reads              int // of experts
	Wasted             int // of these, read ahead and then not chosen
	BytesRead          int64
	Stalls             int // times that a pass waited for the disk
	StallTime          time.Duration
}

// expertReaders is how many reads are under way at a time: enough for reads of megabytes to
// keep the disk busy.
const expertReaders = 4

// ExpertCache lends the experts of a mixture that is larger than its memory. The experts of
// all layers share its slots. It evicts the expert chosen by the fewest tokens of the text,
// then the least recently chosen (LFU, the cache of ActiveFlow 4.2 with experts in the place
// of channels); guessed experts stay until the router has chosen, unless a pass waits for
// room.
//
// Its methods are for one goroutine at a time; any number may read what it lends.
type ExpertCache[E any] struct {
	experts Experts[E]
	ledger  *memory.Ledger
	waits   *Waits

	mu      sync.Mutex // guards the rest against the reads
	limit   int        // slots
	slots   []*expertSlot[E]
	at      []*expertSlot[E] // [Layers*Count]: nil where an expert is not in memory
	counts  lfu.Cache
	wanted  []int32 // chosen experts to read, in the order of their use
	ahead   []int32 // guessed experts to read
	guess   []bool  // [Count]: the guess about layer guessed
	guessed int     // -1 for no layer
	reading int
	failed  error // of taking memory for a slot
	closed  bool
	stats   ExpertStats
	running sync.WaitGroup
}

// expertSlot is memory for an expert.
type expertSlot[E any] struct {
	buffer *memory.Buffer
	id     int32 // the expert in it, or being read into it; -1 for none
	expert E
	read   *expertRead
	lent   bool
	wanted bool // chosen, and not used yet
	ahead  bool // read ahead, and not chosen yet
	guess  bool // guessed: it stays for now
}

// expertRead is a read, under way until done is closed.
type expertRead struct {
	done chan struct{}
	err  error
	over bool
}

// NewExpertCache returns a cache without memory; SetBudget gives it some.
func NewExpertCache[E any](experts Experts[E], ledger *memory.Ledger) *ExpertCache[E] {
	n := experts.Layers * experts.Count
	return &ExpertCache[E]{
		experts: experts, ledger: ledger, at: make([]*expertSlot[E], n), guess: make([]bool, experts.Count), guessed: -1,
		counts: lfu.Cache{Count: make([]int32, n), Used: make([]int32, n), State: make([]uint8, n)},
	}
}

// Tell sets who is told of long waits for the disk; nil for nobody.
func (c *ExpertCache[E]) Tell(w *Waits) { c.waits = w }

// BeginSequence begins a text: counts start anew. Experts in memory stay until others
// replace them.
func (c *ExpertCache[E]) BeginSequence() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Reset()
}

// Stats returns the counts so far.
func (c *ExpertCache[E]) Stats() ExpertStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// id numbers the experts of all layers.
func (c *ExpertCache[E]) id(layer int, expert int32) int32 {
	return int32(layer*c.experts.Count) + expert
}

// Hint reads ahead the experts, ascending, that a layer may want, into room that nothing
// else needs.
func (c *ExpertCache[E]) Hint(layer int, experts []int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget()
	c.guessed = layer
	for _, e := range experts {
		c.guess[e] = true
		if id := c.id(layer, e); c.at[id] != nil {
			c.at[id].guess = true
		} else {
			c.ahead = append(c.ahead, id)
		}
	}
	c.pump()
}

// Want tells which experts of a layer were chosen, ascending, and by how many tokens each.
// They must be acquired and released in this order. Missing ones are read, in place of
// hinted reads that have not begun.
func (c *ExpertCache[E]) Want(layer int, experts, tokens []int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.guessed == layer {
		c.stats.Guessable += len(experts)
		for _, e := range experts {
			if c.guess[e] {
				c.stats.Guessed++
			}
		}
	}
	c.forget()
	c.stats.Chosen += len(experts)
	var touched []int32
	for i, e := range experts {
		id := c.id(layer, e)
		touched = append(touched, id)
		c.counts.Count[id] += tokens[i] - 1
		slot := c.at[id]
		switch {
		case slot == nil:
			c.stats.Demanded++
			c.wanted = append(c.wanted, id)
			continue
		case slot.ahead:
			c.stats.Foreseen++
		default:
			c.stats.Hits++
		}
		slot.wanted, slot.ahead = true, false
	}
	c.counts.Touch(touched)
	for _, slot := range c.slots {
		if slot.ahead {
			slot.ahead = false
			c.stats.Wasted++
		}
	}
	c.pump()
}

// forget drops reads that have not begun, also those of a pass that was broken off. The
// caller holds mu.
func (c *ExpertCache[E]) forget() {
	c.wanted, c.ahead, c.guessed = c.wanted[:0], c.ahead[:0], -1
	clear(c.guess)
	for _, slot := range c.slots {
		slot.wanted, slot.guess = false, false
	}
}

// Acquire lends an expert of a layer until Release. It waits for the read, unless ctx ends
// first.
func (c *ExpertCache[E]) Acquire(ctx context.Context, layer, expert int) (e E, err error) {
	id := c.id(layer, int32(expert))
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		slot := c.at[id]
		if slot == nil {
			if slot, err = c.demand(ctx, id); err != nil {
				return e, err
			}
			if slot == nil {
				continue
			}
		}
		read := slot.read
		if err := c.await(ctx, read); err != nil {
			return e, err
		}
		if read.err != nil {
			return e, read.err
		}
		if c.at[id] == slot {
			slot.lent, slot.wanted, slot.ahead = true, false, false
			return slot.expert, nil
		}
	}
}

// demand begins to read an expert that a pass waits for, or waits for room and returns nil.
// The caller holds mu.
func (c *ExpertCache[E]) demand(ctx context.Context, id int32) (*expertSlot[E], error) {
	slot := c.room(true)
	if slot != nil {
		c.read(slot, id)
		return slot, nil
	}
	if c.failed != nil {
		return nil, c.failed
	}
	if read := c.underWay(); read != nil {
		return nil, c.await(ctx, read)
	}
	return nil, errors.New("the cache of experts has no room")
}

// await blocks until a read is over or ctx ends. It gives up mu, which the caller holds,
// meanwhile.
func (c *ExpertCache[E]) await(ctx context.Context, read *expertRead) error {
	if read.over {
		return nil
	}
	start := time.Now()
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.stats.Stalls++
		c.stats.StallTime += time.Since(start)
	}()
	_, err := Await(ctx, read.done, c.waits)
	return err
}

// Release takes an expert back.
func (c *ExpertCache[E]) Release(layer, expert int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slot := c.at[c.id(layer, int32(expert))]; slot != nil {
		slot.lent = false
	}
	c.pump()
}

// SetBudget changes how many bytes of experts may be in memory, and frees the rest at once,
// after reads into it. No expert may be lent. The error wraps ErrBudget where the budget is
// too small.
func (c *ExpertCache[E]) SetBudget(bytes int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := memory.InPages(c.experts.Bytes)
	if least := leastSlots * size; bytes < least && bytes < int64(len(c.at))*size {
		return &BudgetError{"its experts take", least, bytes}
	}
	c.limit, c.failed = int(bytes/size), nil
	if len(c.slots) > c.limit {
		c.forget()
	}
	for len(c.slots) > c.limit {
		var err error
		if slot := c.victim(false); slot != nil {
			err = c.drop(slot)
		} else if read := c.underWay(); read != nil {
			err = c.await(context.Background(), read)
		} else {
			err = fmt.Errorf("%w: %d experts are lent", ErrBudget, len(c.slots))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Close waits for reads under way and frees all memory.
func (c *ExpertCache[E]) Close() error {
	c.mu.Lock()
	c.forget()
	c.closed = true
	c.mu.Unlock()
	c.running.Wait()
	var err error
	for len(c.slots) > 0 {
		err = errors.Join(err, c.drop(c.slots[0]))
	}
	return err
}

// Cached returns the bytes of all slots.
func (c *ExpertCache[E]) Cached() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int64(len(c.slots)) * int64(c.experts.Bytes)
}
