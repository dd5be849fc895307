package swap

import (
	"context"
	"errors"
	"sync"
	"time"

	"dowse/engine/internal/lfu"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// Options say how a Swapper works.
type Options struct {
	Budget  int64          // bytes of rows in memory, cached and on their way
	Readers int            // reads under way at a time; 0 for 8
	Disk    DiskProfile    // the zero profile for UsualDisk
	Ledger  *memory.Ledger // may be nil
	Waits   *weights.Waits // is told of waits for the disk; may be nil
}

// Swapper lends the rows of a model larger than its memory (ActiveFlow 4): the rows of
// active channels to a pass of one token, whole layers to a prompt.
//
// Its methods are for one goroutine at a time; any number may read what it lends.
type Swapper struct {
	records Records
	layout  pack.RowLayout
	sizes   swapSizes
	disk    DiskProfile
	ledger  *memory.Ledger
	waits   *weights.Waits

	mu      sync.Mutex // guards the rest against the readers
	readers readers
	budget  int64
	dense   denseGroups
	known   *memory.Buffer // of tables
	tables  [][pack.Bundles]table
	slabs   [pack.Bundles]slab
	limit   [pack.Bundles]int              // blocks that each slab may have
	pending [][pack.Bundles]map[int32]*job // [layers]: reads ahead of a channel's row
	promise [pack.Bundles]int              // slots reserved for reads ahead
	turn    []int                          // [layers]: how often each was released
	staged  [][]rowAt                      // [layers]: rows in memory, not cached, dropped when the layer is released
	lent    []pinned                       // rows that are lent
	lending int                            // their layer, -1 for none
	lentOf  *denseGroup                    // their group if all groups are in memory
	heap    []uint64                       // working memory of lfu.admit
	misses  []int32
	stats   Stats
}

// table is the state of the channels of a layer's bundle.
type table struct {
	lfu.Cache
	slot []int32 // [channels]: of its row, 0 for none
}

// pinned is a slot that may not move.
type pinned struct {
	bundle pack.Bundle
	slot   int32
}

// rowAt names a row of a layer.
type rowAt struct {
	bundle  pack.Bundle
	channel int32
}

// New returns a Swapper of the rows that r reads. The error wraps weights.ErrBudget and
// names the least budget if this one is too small.
func New(r Records, o Options) (*Swapper, error) {
	layout := r.Layout()
	s := &Swapper{
		records: r, layout: layout, sizes: newSwapSizes(layout, o.Readers), disk: o.Disk.or(), ledger: o.Ledger, waits: o.Waits,
		turn: make([]int, layout.Layers), staged: make([][]rowAt, layout.Layers), lending: -1,
		tables: make([][pack.Bundles]table, layout.Layers), pending: make([][pack.Bundles]map[int32]*job, layout.Layers),
	}
	if err := s.check(o.Budget); err != nil {
		return nil, err
	}
	s.budget = o.Budget
	s.dense.wake, s.dense.groups = sync.NewCond(&s.mu), layout.Groups()
	for b := range s.slabs {
		s.slabs[b] = slab{ledger: o.Ledger, block: s.sizes.block, row: s.sizes.row[b], perBlock: s.sizes.perBlock[b]}
		for layer := range s.pending {
			s.pending[layer][b] = map[int32]*job{}
		}
	}
	if err := s.layTables(); err != nil {
		return nil, err
	}
	s.readers = readers{records: r, mu: &s.mu, deliver: s.deliver}
	if err := s.readers.start(o.Ledger, s.sizes.readers, s.sizes.bounce); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s, s.settle()
}

// layTables takes the memory of the tables.
func (s *Swapper) layTables() error {
	channels := 0
	for _, n := range s.layout.Channels {
		channels += n * s.layout.Layers
	}
	var err error
	if s.known, err = memory.NewBuffer(s.ledger, weights.WindowPool, channels*channelBytes); err != nil {
		return err
	}
	ints, states := s.known.Int32()[:3*channels], s.known.Bytes()[12*channels:]
	for layer := range s.tables {
		for b := range s.tables[layer] {
			n := s.layout.Channels[b]
			t := &s.tables[layer][b]
			t.slot, t.Count, t.Used, ints = ints[:n:n], ints[n:2*n:2*n], ints[2*n:3*n:3*n], ints[3*n:]
			t.State, states = states[:n:n], states[n:]
		}
	}
	return nil
}

// check refuses a budget that is too small.
func (s *Swapper) check(budget int64) error {
	if least := s.sizes.minimum(); budget < least {
		return &weights.BudgetError{What: "its rows take", Least: least, Budget: budget}
	}
	return nil
}

// BeginSequence begins a text: counts start anew. Cached rows stay until others replace
// them.
func (s *Swapper) BeginSequence() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers.forget()
	s.stats = Stats{}
	for layer := range s.tables {
		for b := range s.tables[layer] {
			s.tables[layer][b].Reset()
		}
		if layer != s.lending {
			s.turn[layer]++
			s.dropStaged(layer)
		}
	}
}

// Stats returns the counts since BeginSequence.
func (s *Swapper) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := s.stats
	for _, c := range stats.ByBundle {
		stats.Add(c)
	}
	return stats
}

// SetBudget changes how many bytes of rows may be in memory, and frees the rest at once. If
// that is too little, also for rows that are lent, the budget stays as it was, and the error
// wraps weights.ErrBudget and names the least.
func (s *Swapper) SetBudget(bytes int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(bytes); err != nil {
		return err
	}
	before := s.budget
	s.budget = bytes
	if err := s.settle(); err != nil {
		return err
	}
	least, over := s.sizes.fixed+s.dense.bytes(), false
	for b := range s.slabs {
		least += int64(max(s.slabs[b].held, s.limit[b]) * s.sizes.block)
		over = over || s.slabs[b].held > s.limit[b]
	}
	if over || least > bytes {
		s.budget = before
		return errors.Join(&weights.BudgetError{What: "with the rows that are lent it takes", Least: least, Budget: bytes}, s.settle())
	}
	return nil
}

// settle divides the budget beyond the buffers of groups among the slabs, and evicts rows
// that no longer fit. The caller holds mu.
func (s *Swapper) settle() error {
	whole, groups := s.sizes.whole(s.budget), 0
	if s.dense.on || whole {
		groups = s.sizes.groups(s.budget)
		kept := int((s.budget - s.sizes.fixed - s.slabBytes()) / s.sizes.group())
		if err := s.dense.shrink(max(groups, kept)); err != nil {
			return err
		}
	} else if err := s.dense.shrink(0); err != nil {
		return err
	}
	if whole {
		return s.share(0, 0)
	}
	room, few := s.budget-s.sizes.fixed, int64(groups)*s.sizes.group()
	return s.share(room-max(s.dense.bytes(), few), room-few)
}

// share divides bytes among the slabs, and evicts rows that do not fit into soon bytes. The
// caller holds mu.
func (s *Swapper) share(bytes, soon int64) error {
	active := !s.dense.on
	var later [pack.Bundles]int
	s.limit = later
	if soon > 0 {
		s.limit, later = s.sizes.blocks(bytes, active), s.sizes.blocks(soon, active)
	}
	for b := range s.slabs {
		bundle, slab := pack.Bundle(b), &s.slabs[b]
		shrink := func(blocks int) {
			capacity := s.sizes.capacity(bundle, blocks, active)
			for layer := range s.tables {
				s.tables[layer][b].Shrink(capacity, func(c int32) { s.dismiss(layer, bundle, c) })
			}
		}
		if slab.used() > s.limit[b]*slab.perBlock {
			shrink(s.limit[b])
		}
		shrink(later[b])
		for layer := 0; layer < len(s.staged) && slab.used() > s.limit[b]*slab.perBlock; layer++ {
			s.dropStaged(layer)
		}
		if err := slab.shrink(s.limit[b], func(of rowOf, slot int32) { s.tables[of.layer][b].slot[of.channel] = slot }); err != nil {
			return err
		}
	}
	return nil
}

// dismiss drops a row that was evicted from the cache, or stages it while it is lent. The
// caller holds mu.
func (s *Swapper) dismiss(layer int, b pack.Bundle, c int32) {
	slot := s.tables[layer][b].slot[c]
	if slot == 0 {
		return
	}
	if s.slabs[b].pins[slot-1] {
		s.staged[layer] = append(s.staged[layer], rowAt{b, c})
		return
	}
	s.slabs[b].drop(slot)
	s.tables[layer][b].slot[c] = 0
}

// dropStaged drops the rows of a layer that are neither cached nor lent. The caller
// holds mu.
func (s *Swapper) dropStaged(layer int) {
	rest := s.staged[layer][:0]
	for _, r := range s.staged[layer] {
		t, slab := &s.tables[layer][r.bundle], &s.slabs[r.bundle]
		slot := t.slot[r.channel]
		switch {
		case slot == 0 || t.State[r.channel]&lfu.Kept != 0:
		case slab.pins[slot-1]:
			rest = append(rest, r)
		default:
			slab.drop(slot)
			t.slot[r.channel] = 0
			t.State[r.channel] &^= lfu.Ahead
		}
	}
	s.staged[layer] = rest
}

// await blocks until a read is over or ctx ends. It gives up mu, which the caller holds,
// meanwhile.
func (s *Swapper) await(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	default:
	}
	s.mu.Unlock()
	start := time.Now()
	defer func() {
		s.mu.Lock()
		s.stats.Stalls++
		s.stats.StallTime += time.Since(start)
	}()
	_, err := weights.Await(ctx, done, s.waits)
	return err
}

// Close waits for reads under way and frees all memory. Nothing may be lent.
func (s *Swapper) Close() error {
	err := s.readers.close()
	s.dense.running.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	err = errors.Join(err, s.dense.free())
	for b := range s.slabs {
		for _, block := range s.slabs[b].blocks {
			err = errors.Join(err, block.Free())
		}
		s.slabs[b].blocks = nil
	}
	return errors.Join(err, s.known.Free())
}

// Cached returns the bytes of blocks for rows, and of groups that stay between prompts.
func (s *Swapper) Cached() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	bytes := s.dense.bytes()
	for i := range s.slabs {
		bytes += int64(s.slabs[i].held * s.slabs[i].block)
	}
	return bytes
}
