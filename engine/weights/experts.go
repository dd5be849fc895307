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
	// Of the experts that were chosen where there was a guess, Guessed were in it.
	Guessable, Guessed int
	Reads              int // of experts
	Wasted             int // of them, those that were read ahead and not chosen then
	BytesRead          int64
	Stalls             int // times that a pass waited for the disk
	StallTime          time.Duration
}

// expertReaders are the reads under way at a time. An expert has megabytes: so many keep
// the disk busy.
const expertReaders = 4

// ExpertCache lends the experts of a mixture that is larger than its memory: those that a
// router chose are read, and stay as long as they are worth it. What is chosen most often
// in the text at hand stays (LFU over all layers, the cache of ActiveFlow 4.2 with experts
// in the place of channels); among those that are chosen as often, what was chosen last.
//
// Its methods are for one goroutine at a time. What it lends may be read by any number of
// them.
type ExpertCache[E any] struct {
	experts Experts[E]
	ledger  *memory.Ledger
	waits   *Waits

	mu      sync.Mutex // guards all below against the reads
	limit   int        // slots
	slots   []*expertSlot[E]
	at      []*expertSlot[E] // [Layers*Count]: where an expert is, nil for nowhere
	counts  lfu.Cache
	wanted  []int32 // experts that were chosen and are to be read, in the order of their use
	ahead   []int32 // experts that may be chosen and are to be read
	guess   []bool  // [Count]: was guessed of the layer
	guessed int     // the layer, -1 for none
	reading int
	failed  error // there was no memory for a slot
	closed  bool
	stats   ExpertStats
	running sync.WaitGroup
}

// expertSlot is memory for an expert.
type expertSlot[E any] struct {
	buffer *memory.Buffer
	id     int32 // the expert that lies in it or is being read, -1 for none
	expert E
	read   *expertRead
	lent   bool
	wanted bool // was chosen, and not used yet
	ahead  bool // was read ahead, or is, and not chosen yet
	guess  bool // may be chosen: it stays for now
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

// Tell has waits for the disk told of; nil for none.
func (c *ExpertCache[E]) Tell(w *Waits) { c.waits = w }

// BeginSequence begins a text: what was chosen in the one before no longer counts.
// Experts that are in memory stay until others have earned their place.
func (c *ExpertCache[E]) BeginSequence() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Reset()
}

// Stats returns what was counted so far.
func (c *ExpertCache[E]) Stats() ExpertStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// id numbers the experts of all layers.
func (c *ExpertCache[E]) id(layer int, expert int32) int32 {
	return int32(layer*c.experts.Count) + expert
}

// Hint reads experts ahead that a layer may want, ascending, as far as there is room that
// is not needed otherwise.
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
// They are to be acquired and released in this order. Those that are not in memory are
// read, instead of what was hinted and not begun.
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

// forget drops what is to be read and has not begun, also of a pass that was broken off.
// The caller holds mu.
func (c *ExpertCache[E]) forget() {
	c.wanted, c.ahead, c.guessed = c.wanted[:0], c.ahead[:0], -1
	clear(c.guess)
	for _, slot := range c.slots {
		slot.wanted, slot.guess = false, false
	}
}

// Acquire lends an expert of a layer until Release. It waits for one that is being read,
// unless ctx ends first.
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

// demand begins to read an expert that a pass waits for. It returns nil after a wait for
// room. The caller holds mu.
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

// await blocks until a read is over or ctx ends. The caller holds mu, which is given up
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

// SetBudget changes how many bytes of experts there may be in memory. What is beyond it
// is given back at once, after reads into it. None may be lent. The error wraps ErrBudget
// where the budget is too small.
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

// Close waits for reads under way, which need their buffers, and gives all memory back.
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

// Cached returns the bytes that there are for experts.
func (c *ExpertCache[E]) Cached() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int64(len(c.slots)) * int64(c.experts.Bytes)
}
