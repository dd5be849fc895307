package transformer

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
	"dowse/models/pack"
)

// residency hands out the layers of a decoder that does not fit into memory as a
// whole. Some layers are kept. The others come through two buffers, in the order
// in which passes want them, round and round: while one layer is computed the
// next that is not kept is read, that of the next pass among them.
//
// A layer that is to be kept stays in the buffer through which it came, so that
// what changes from one pass to the next, from a prompt to decoding and with the
// length of a context, costs no reading of its own.
type residency struct {
	stream *pack.Stream
	arch   architecture
	ledger *memory.Ledger
	size   int   // bytes of a layer
	rank   []int // of each layer: those of lower ranks are kept first
	goal   int   // how many are to be kept
	kept   []loadedLayer
	slots  [2]layerSlot
	reads  sync.WaitGroup
	stats  WindowStats
}

// loadedLayer is a layer in memory; without a buffer it is none.
type loadedLayer struct {
	buffer *memory.Buffer
	block  block
}

// layerSlot is a buffer through which layers come. Without one it is not used.
type layerSlot struct {
	loadedLayer
	layer   int        // that lies in it or is being read, -1 for none
	reading bool       // until the outcome was taken
	arrived chan error // the outcome
}

func newResidency(stream *pack.Stream, arch architecture, ledger *memory.Ledger) *residency {
	c := stream.Config()
	r := &residency{
		stream: stream, arch: arch, ledger: ledger, size: c.LayerBuffer(), rank: keepRanks(c.Layers), kept: make([]loadedLayer, c.Layers),
	}
	for i := range r.slots {
		r.slots[i].layer, r.slots[i].arrived = -1, make(chan error, 1)
	}
	return r
}

// keepRanks says in which order layers are kept as room grows: by the fractional
// parts of the multiples of the golden ratio. The layers below any bound, and so
// those above it, follow each other at no more than three distances, which are
// close together (Świerczkowski, On successive settings of an arc on the
// circumference of a circle, 1958). Between two layers that are read some are
// computed, which gives the reads the time that they need.
func keepRanks(layers int) []int {
	part := func(i int) float64 {
		_, fraction := math.Modf(float64(i) * math.Phi)
		return fraction
	}
	order := upTo(layers)
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(part(a), part(b)) })
	rank := make([]int, layers)
	for i, layer := range order {
		rank[layer] = i
	}
	return rank
}

// resize sets how many layers are to be kept: all of them, or two less than
// there is room for. What is too much is given back at once.
func (r *residency) resize(goal int) error {
	r.goal = goal
	for i := range r.kept {
		if r.rank[i] >= goal && r.kept[i].buffer != nil {
			if err := r.kept[i].buffer.Free(); err != nil {
				return err
			}
			r.kept[i] = loadedLayer{}
		}
	}
	return r.provide()
}

// provide takes the buffers that the layers which are not kept come through.
func (r *residency) provide() error {
	missing, have := len(r.kept)-r.keeping(), 0
	for i := range r.slots {
		if r.slots[i].buffer != nil {
			have++
		}
	}
	for i := range r.slots {
		if s := &r.slots[i]; s.buffer == nil && have < missing {
			buffer, err := memory.NewBuffer(r.ledger, WindowPool, r.size)
			if err != nil {
				return err
			}
			s.buffer, s.layer = buffer, -1
			have++
		}
	}
	return nil
}

// keeping is how many layers are kept.
func (r *residency) keeping() int {
	n := 0
	for i := range r.kept {
		if r.kept[i].buffer != nil {
			n++
		}
	}
	return n
}

// slotOf is the slot with a layer, or nil.
func (r *residency) slotOf(layer int) *layerSlot {
	for i := range r.slots {
		if s := &r.slots[i]; s.buffer != nil && s.layer == layer {
			return s
		}
	}
	return nil
}

// read starts to read a layer into a slot that is not reading.
func (r *residency) read(s *layerSlot, layer int) {
	s.layer, s.reading = layer, true
	r.stats.LayersRead++
	r.stats.BytesRead += int64(r.size)
	r.reads.Go(func() {
		b, err := r.arch.read(r.stream, layer, s.buffer.Bytes())
		s.block = b
		s.arrived <- err
	})
}

// await returns when a slot's layer is there.
func (r *residency) await(ctx context.Context, s *layerSlot) error {
	if !s.reading {
		return nil
	}
	var err error
	select {
	case err = <-s.arrived:
	default:
		start := time.Now()
		select {
		case err = <-s.arrived:
		case <-ctx.Done():
			return ctx.Err()
		}
		r.stats.Stalls++
		r.stats.StallTime += time.Since(start)
	}
	s.reading = false
	if err != nil {
		err = fmt.Errorf("layer %d: %w", s.layer, err)
		s.layer = -1
	}
	return err
}

func (r *residency) acquire(ctx context.Context, i int) (block, error) {
	if err := r.provide(); err != nil {
		return nil, err
	}
	if l := r.kept[i]; l.buffer != nil {
		r.ahead(i, -1)
		return l.block, nil
	}
	s := r.slotOf(i)
	if s == nil { // the pass before this one was broken off
		var err error
		if s, err = r.idle(ctx); err != nil {
			return nil, err
		}
		r.read(s, i)
	}
	if err := r.await(ctx, s); err != nil {
		return nil, err
	}
	r.ahead(i, i)
	return s.block, nil
}

// idle returns a slot that is not reading, after a wait if both do.
func (r *residency) idle(ctx context.Context) (*layerSlot, error) {
	var found *layerSlot
	for i := range r.slots {
		if s := &r.slots[i]; s.buffer != nil && (found == nil || found.reading && !s.reading) {
			found = s
		}
	}
	if !found.reading {
		return found, nil
	}
	if err := r.await(ctx, found); err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return found, nil // whatever is wrong is so with a layer that nobody wants now
}

// ahead reads what comes after a layer, as far as there are slots without a layer
// that is in use or comes sooner.
func (r *residency) ahead(after, inUse int) {
	next := r.upcoming(after, inUse)
	for _, layer := range next {
		if r.slotOf(layer) != nil {
			continue
		}
		for i := range r.slots {
			s := &r.slots[i]
			if s.buffer != nil && !s.reading && (s.layer < 0 || s.layer != inUse && !slices.Contains(next, s.layer)) {
				r.read(s, layer)
				break
			}
		}
	}
}

// upcoming lists the layers that are not kept in the order in which they are
// wanted after one, as many as there are slots for.
func (r *residency) upcoming(after, inUse int) []int {
	room, next := 0, make([]int, 0, len(r.slots))
	for i := range r.slots {
		if r.slots[i].buffer != nil && (inUse < 0 || r.slots[i].layer != inUse) {
			room++
		}
	}
	for i := 1; i <= len(r.kept) && len(next) < room; i++ {
		if layer := (after + i) % len(r.kept); layer != inUse && r.kept[layer].buffer == nil {
			next = append(next, layer)
		}
	}
	return next
}

// release lets a layer stay or go.
func (r *residency) release(i int) {
	s := r.slotOf(i)
	if s != nil && r.rank[i] < r.goal {
		s.buffer.Charge(KeptPool)
		r.kept[i] = s.loadedLayer
		s.loadedLayer, s.layer = loadedLayer{}, -1
		_ = r.provide() // acquire tries again, and says what is wrong
	}
	r.ahead(i, -1)
}

// close waits for reads under way, which need their buffer, and gives all back.
func (r *residency) close() error {
	r.reads.Wait()
	var err error
	for i := range r.slots {
		err = errors.Join(err, r.slots[i].buffer.Free())
	}
	for i := range r.kept {
		err = errors.Join(err, r.kept[i].buffer.Free())
	}
	return err
}
