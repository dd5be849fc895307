package weights

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"dowse/engine/memory"
)

// Layers says how the layers of a model on disk are read.
type Layers[L any] struct {
	Count int // number of layers
	Bytes int // size of a buffer for one of them
	// Read reads layer i into a buffer and returns a view of it. Two calls, with
	// different buffers, may be under way at a time.
	Read func(i int, buffer []byte) (L, error)
}

// Stats counts what streaming layers cost.
type Stats struct {
	LayersRead int           // layers lent that were read for it
	BytesRead  int64         // bytes of those layers
	Stalls     int           // Acquires that waited for a read
	StallTime  time.Duration // time spent waiting for them
}

// Streamer is the Source of a model larger than its memory. It keeps some layers, none at
// first, and reads the others through two buffers in the order of passes: while one layer is
// computed, the next one that is not kept is read. One large read fills a buffer: pieces of
// 512 KiB to 1.75 MiB, two or four at a time, were no faster, and 10 to 40% slower beside
// other programs.
//
// A layer to be kept stays in the buffer it was read into, so keeping more reads nothing.
//
// Its methods are for one goroutine at a time.
type Streamer[L any] struct {
	layers Layers[L]
	ledger *memory.Ledger
	cyclic bool // another pass follows: after the last layer comes the first
	waits  *Waits

	rank  []int // rank of each layer: lower ranks are kept first
	goal  int   // number of layers to keep
	kept  []loaded[L]
	slots [2]slot[L]
	reads sync.WaitGroup
	stats Stats
}

// loaded is a layer in memory; without a buffer it is empty.
type loaded[L any] struct {
	buffer *memory.Buffer
	layer  L
}

// slot is a buffer that layers are read into. Without a buffer it is unused.
type slot[L any] struct {
	loaded[L]
	index   int        // layer in it or being read, -1 for none
	reading bool       // a read began, and its outcome was not taken yet
	unlent  bool       // the layer was not lent since it was read
	arrived chan error // outcome of the read
}

// NewStreamer returns a Streamer for passes that follow each other. It takes its
// buffers and starts to read with the first Acquire.
func NewStreamer[L any](layers Layers[L], ledger *memory.Ledger) *Streamer[L] {
	s := &Streamer[L]{
		layers: layers, ledger: ledger, cyclic: true,
		rank: keepRanks(layers.Count), kept: make([]loaded[L], layers.Count),
	}
	for i := range s.slots {
		s.slots[i].index, s.slots[i].arrived = -1, make(chan error, 1)
	}
	return s
}

// NewWindow returns a Streamer for a single pass, which keeps no layer. It starts
// to read the first two layers at once.
func NewWindow[L any](layers Layers[L], ledger *memory.Ledger) (*Streamer[L], error) {
	s := NewStreamer(layers, ledger)
	s.cyclic = false
	if err := s.provide(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.ahead(-1, -1)
	return s, nil
}

// Tell sets who is told of long waits for the disk; nil for nobody.
func (s *Streamer[L]) Tell(w *Waits) { s.waits = w }

// Stats returns the counts so far. Layers read ahead count once they are lent.
func (s *Streamer[L]) Stats() Stats { return s.stats }

// Keep sets how many layers to keep: all of them, or two less than fit. It frees the others
// at once.
func (s *Streamer[L]) Keep(layers int) error {
	s.goal = layers
	for i := range s.kept {
		if s.rank[i] >= layers && s.kept[i].buffer != nil {
			if err := s.kept[i].buffer.Free(); err != nil {
				return err
			}
			s.kept[i] = loaded[L]{}
		}
	}
	return s.provide()
}

// Kept returns how many layers are kept at the moment.
func (s *Streamer[L]) Kept() int {
	n := 0
	for i := range s.kept {
		if s.kept[i].buffer != nil {
			n++
		}
	}
	return n
}

// provide takes the buffers for layers that are not kept.
func (s *Streamer[L]) provide() error {
	missing, have := s.layers.Count-s.Kept(), 0
	for i := range s.slots {
		if s.slots[i].buffer != nil {
			have++
		}
	}
	for i := range s.slots {
		if slot := &s.slots[i]; slot.buffer == nil && have < missing {
			buffer, err := memory.NewBuffer(s.ledger, WindowPool, s.layers.Bytes)
			if err != nil {
				return err
			}
			slot.buffer, slot.index = buffer, -1
			have++
		}
	}
	return nil
}

// Acquire implements Source.
func (s *Streamer[L]) Acquire(ctx context.Context, i int) (layer L, err error) {
	if err := s.provide(); err != nil {
		return layer, err
	}
	if l := s.kept[i]; l.buffer != nil {
		s.ahead(i, -1)
		return l.layer, nil
	}
	slot := s.slotOf(i)
	if slot == nil { // the pass before this one was broken off
		if slot, err = s.idle(ctx); err != nil {
			return layer, err
		}
		s.read(slot, i)
	}
	if err := s.await(ctx, slot); err != nil {
		return layer, err
	}
	if slot.unlent {
		slot.unlent = false
		s.stats.LayersRead++
		s.stats.BytesRead += int64(s.layers.Bytes)
	}
	s.ahead(i, i)
	return slot.layer, nil
}

// Release implements Source. It keeps the layer, or lets the next one take its buffer.
func (s *Streamer[L]) Release(i int) {
	if slot := s.slotOf(i); slot != nil && s.rank[i] < s.goal {
		slot.buffer.Charge(KeptPool)
		s.kept[i] = slot.loaded
		slot.loaded, slot.index = loaded[L]{}, -1
		_ = s.provide() // Acquire tries again, and returns the error
	}
	s.ahead(i, -1)
}

// slotOf returns the slot with a layer, or nil.
func (s *Streamer[L]) slotOf(layer int) *slot[L] {
	for i := range s.slots {
		if slot := &s.slots[i]; slot.buffer != nil && slot.index == layer {
			return slot
		}
	}
	return nil
}

// read starts to read a layer into a slot that is not reading.
func (s *Streamer[L]) read(slot *slot[L], layer int) {
	slot.index, slot.reading, slot.unlent = layer, true, true
	s.reads.Go(func() {
		l, err := s.layers.Read(layer, slot.buffer.Bytes())
		slot.layer = l
		slot.arrived <- err
	})
}

// await blocks until the layer of a slot is read.
func (s *Streamer[L]) await(ctx context.Context, slot *slot[L]) error {
	if !slot.reading {
		return nil
	}
	var err error
	select {
	case err = <-slot.arrived:
	default:
		start, ended := time.Now(), error(nil)
		if err, ended = Await(ctx, slot.arrived, s.waits); ended != nil {
			return ended
		}
		s.stats.Stalls++
		s.stats.StallTime += time.Since(start)
	}
	slot.reading = false
	if err != nil {
		err = fmt.Errorf("layer %d: %w", slot.index, err)
		slot.index = -1
	}
	return err
}

// idle returns a slot that is not reading, after a wait if both are.
func (s *Streamer[L]) idle(ctx context.Context) (*slot[L], error) {
	var found *slot[L]
	for i := range s.slots {
		if slot := &s.slots[i]; slot.buffer != nil && (found == nil || found.reading && !slot.reading) {
			found = slot
		}
	}
	if !found.reading {
		return found, nil
	}
	if err := s.await(ctx, found); err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return found, nil // an error is about a layer that nobody wants now
}

// ahead reads the layers after one into slots that hold neither the layer in use nor one
// needed sooner.
func (s *Streamer[L]) ahead(after, inUse int) {
	next := s.upcoming(after, inUse)
	for _, layer := range next {
		if s.slotOf(layer) != nil {
			continue
		}
		for i := range s.slots {
			slot := &s.slots[i]
			if slot.buffer != nil && !slot.reading && (slot.index < 0 || slot.index != inUse && !slices.Contains(next, slot.index)) {
				s.read(slot, layer)
				break
			}
		}
	}
}

// upcoming lists the layers that are not kept, in the order of their use after one, at most
// as many as there are free slots.
func (s *Streamer[L]) upcoming(after, inUse int) []int {
	room, next := 0, make([]int, 0, len(s.slots))
	for i := range s.slots {
		if s.slots[i].buffer != nil && (inUse < 0 || s.slots[i].index != inUse) {
			room++
		}
	}
	last := after + s.layers.Count
	if !s.cyclic {
		last = s.layers.Count - 1
	}
	for i := after + 1; i <= last && len(next) < room; i++ {
		if layer := i % s.layers.Count; layer != inUse && s.kept[layer].buffer == nil {
			next = append(next, layer)
		}
	}
	return next
}

// Close implements Source. It waits for reads under way.
func (s *Streamer[L]) Close() error {
	s.reads.Wait()
	var err error
	for i := range s.slots {
		err = errors.Join(err, s.slots[i].buffer.Free())
	}
	for i := range s.kept {
		err = errors.Join(err, s.kept[i].buffer.Free())
	}
	return err
}

// Cached returns the bytes of kept layers.
func (s *Streamer[L]) Cached() int64 { return int64(s.Kept()) * int64(s.layers.Bytes) }

// keepRanks returns the rank of each layer: layers of lower ranks are kept first. Ranks
// follow the fractional parts of the multiples of the golden ratio, so the layers below any
// bound are spread evenly: their distances take at most three values, close together
// (Świerczkowski, On successive settings of an arc on the circumference of a circle, 1958).
// Kept layers between two that are read give the reads time.
func keepRanks(layers int) []int {
	part := func(i int) float64 {
		_, fraction := math.Modf(float64(i) * math.Phi)
		return fraction
	}
	order := make([]int, layers)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(part(a), part(b)) })
	rank := make([]int, layers)
	for i, layer := range order {
		rank[layer] = i
	}
	return rank
}
