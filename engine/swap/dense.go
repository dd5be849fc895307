package swap

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// DenseLayer is all rows of a layer, as they lie in the records of its group.
type DenseLayer struct {
	Weights [pack.Bundles][]int8 // row j of a bundle starts at j*Stride
	Stride  [pack.Bundles]int    // bytes
}

// AcquireDense lends all rows of a layer until ReleaseDense(layer). It blocks until the
// layer's group is read or ctx ends. Groups are read through two buffers, or one where
// memory is short: one is computed while the next is read.
//
// Memory without cached rows keeps groups for the next pass. From the second such pass in a
// row on the cache gives its memory to groups, too.
func (s *Swapper) AcquireDense(ctx context.Context, layer int) (DenseLayer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch whole := s.sizes.whole(s.budget); {
	case layer < 0 || layer >= s.layout.Layers:
		return DenseLayer{}, fmt.Errorf("layer %d of %d", layer, s.layout.Layers)
	case s.lending >= 0 && !whole:
		return DenseLayer{}, fmt.Errorf("layer %d: rows of layer %d are lent", layer, s.lending)
	case !s.dense.on:
		s.dense.on, s.dense.again, s.dense.warms, s.dense.passed = true, false, false, -1
		s.readers.forget()
		if err := s.settle(); err != nil {
			return DenseLayer{}, err
		}
	}
	group := layer / s.layout.GroupLayers
	if layer <= s.dense.passed { // a new pass
		s.dense.again, s.dense.warms = true, false
	}
	s.dense.next, s.dense.passed = group, layer
	g, err := s.group(ctx, group)
	if err != nil {
		return DenseLayer{}, fmt.Errorf("layer %d: %w", layer, err)
	}
	g.lent++
	if next := group + 1; next < s.layout.Groups() && s.dense.find(next) == nil {
		if free, err := s.vacant(group); err == nil && free != nil {
			s.readGroup(free, next)
		}
	}
	return s.view(g, layer), nil
}

// ReleaseDense takes the rows of a layer back.
func (s *Swapper) ReleaseDense(layer int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.dense.find(layer / s.layout.GroupLayers); g != nil && g.lent > 0 {
		g.lent--
	}
}

// view returns the rows of a layer of a group in memory.
func (s *Swapper) view(g *denseGroup, layer int) (d DenseLayer) {
	for b := range pack.Bundles {
		at := s.layout.RowOffset(layer, b, 0)
		d.Weights[b], d.Stride[b] = g.rows[b][at:], s.layout.RecordBytes(g.group, b)
	}
	return d
}

// group returns a group after its read. The caller holds mu.
func (s *Swapper) group(ctx context.Context, group int) (*denseGroup, error) {
	g := s.dense.find(group)
	for g == nil {
		free, err := s.vacant(-1)
		if err != nil {
			return nil, err
		}
		if free != nil {
			s.readGroup(free, group)
			g = free
		} else if err := s.awaitGroup(ctx); err != nil {
			return nil, err
		}
	}
	if err := s.await(ctx, g.done); err != nil {
		return nil, err
	}
	if g.err != nil {
		g.group = -1
	}
	return g, g.err
}

// awaitGroup blocks until a busy group may be idle. The caller holds mu.
func (s *Swapper) awaitGroup(ctx context.Context) error {
	for _, g := range s.dense.list {
		switch {
		case g.lent > 0:
		case g.reading:
			return s.await(ctx, g.done)
		case g.copying > 0: // from memory to memory, which ends soon
			s.dense.wake.Wait()
			return nil
		}
	}
	return errors.New("the layers of other groups are lent")
}

// vacant returns buffers for a group: new ones, those of an idle group other than spare, or
// nil. The caller holds mu.
func (s *Swapper) vacant(spare int) (*denseGroup, error) {
	more, err := s.mayGrow()
	if err != nil {
		return nil, err
	}
	if more {
		g := &denseGroup{group: -1}
		for b := range g.buffers {
			var err error
			if g.buffers[b], err = memory.NewBuffer(s.ledger, weights.WindowPool, s.sizes.dense[b]); err != nil {
				return nil, errors.Join(err, g.free())
			}
		}
		s.dense.list = append(s.dense.list, g)
		return g, nil
	}
	if found := s.dense.spare(s.dense.next, spare); found >= 0 {
		return s.dense.list[found], nil
	}
	return nil, nil
}

// mayGrow reports whether one more group fits: the least that a pass needs, or one in memory
// that the cache does not use or must give. The caller holds mu.
func (s *Swapper) mayGrow() (bool, error) {
	n := len(s.dense.list)
	if n < s.sizes.groups(s.budget) {
		return true, nil
	}
	room := s.budget - s.sizes.fixed - int64(n+1)*s.sizes.group()
	if n >= s.dense.groups || room < 0 || s.dense.warms || s.dense.copying() {
		return false, nil
	}
	if s.dense.again && s.slabBytes() > room {
		if err := s.share(room, room); err != nil {
			return false, err
		}
	}
	if s.slabBytes() > room {
		return false, nil
	}
	for b := range s.limit { // reads under way bring rows that may take no more
		s.limit[b] = min(s.limit[b], s.slabs[b].held)
	}
	return true, nil
}

// slabBytes returns the memory of cached rows. The caller holds mu.
func (s *Swapper) slabBytes() int64 {
	blocks := 0
	for b := range s.slabs {
		blocks += s.slabs[b].held
	}
	return int64(blocks) * int64(s.sizes.block)
}

// readGroup starts to read a group into buffers that are vacant. The caller holds mu.
func (s *Swapper) readGroup(g *denseGroup, group int) {
	g.group, g.reading, g.err, g.done = group, true, nil, make(chan struct{})
	s.dense.running.Go(func() {
		var rows [pack.Bundles][]int8
		var err error
		reads, bytes := 0, int64(0)
		for b := pack.Bundle(0); b < pack.Bundles && err == nil; b++ {
			var data []byte
			if data, err = s.records.ReadBundle(group, b, g.buffers[b].Bytes()); err == nil {
				rows[b] = signed(data)
				reads, bytes = reads+1, bytes+int64(len(data))
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		g.rows, g.err, g.reading = rows, err, false
		s.stats.Reads += reads
		s.stats.BytesRead += bytes
		close(g.done)
		s.dense.wake.Broadcast()
	})
}

// leaveDense gives the memory of groups to active rows. The caller holds mu.
func (s *Swapper) leaveDense(ctx context.Context) error {
	if !s.dense.on {
		return nil
	}
	for len(s.dense.list) > 0 {
		dropped, err := s.dense.drop(0)
		if err == nil && !dropped {
			err = s.awaitGroup(ctx)
		}
		if err != nil {
			return err
		}
	}
	s.dense.on = false
	return s.settle()
}

// wholeRows is Rows where all groups are in memory. The caller holds mu.
func (s *Swapper) wholeRows(ctx context.Context, layer int, b pack.Bundle, channels []int32, rows []*int8) error {
	g, err := s.group(ctx, layer/s.layout.GroupLayers)
	if err != nil {
		return fmt.Errorf("rows of layer %d: %w", layer, err)
	}
	if s.lending = layer; s.lentOf == nil {
		s.lentOf = g
		g.lent++
	}
	view := s.view(g, layer)
	for i, c := range channels {
		rows[i] = &view.Weights[b][int(c)*view.Stride[b]]
	}
	s.stats.ByBundle[b].Hits += len(channels)
	return nil
}
