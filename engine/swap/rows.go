package swap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"dowse/engine/internal/lfu"
	"dowse/models/pack"
)

// Rows sets rows[i] to the address of the row of channels[i], which ascend, valid until
// Release(layer). It reads missing rows, and blocks until they are read or ctx ends.
// Release(layer) is due after an error, too.
func (s *Swapper) Rows(ctx context.Context, layer int, b pack.Bundle, channels []int32, rows []*int8) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkRows(layer, b, channels, rows); err != nil {
		return err
	}
	if s.sizes.whole(s.budget) {
		return s.wholeRows(ctx, layer, b, channels, rows)
	}
	if err := s.leaveDense(ctx); err != nil {
		return err
	}
	s.lending = layer
	t, counts := &s.tables[layer][b], &s.stats.ByBundle[b]
	t.Touch(channels)
	s.misses = s.misses[:0]
	for _, c := range channels {
		if t.State[c]&lfu.Kept == 0 {
			s.misses = append(s.misses, c)
		}
		s.use(layer, b, c)
	}
	counts.Hits += len(channels) - len(s.misses)
	counts.Misses += len(s.misses)
	if err := s.fetch(ctx, layer, b); err != nil {
		return fmt.Errorf("rows of layer %d: %w", layer, err)
	}
	for i, c := range channels {
		rows[i] = unsafe.SliceData(s.slabs[b].bytes(t.slot[c]))
	}
	s.heap = t.Admit(s.misses, s.heap, func(c int32) { s.dismiss(layer, b, c) })
	return nil
}

// checkRows refuses what cannot be lent.
func (s *Swapper) checkRows(layer int, b pack.Bundle, channels []int32, rows []*int8) error {
	switch {
	case layer < 0 || layer >= s.layout.Layers:
		return fmt.Errorf("rows of layer %d of %d", layer, s.layout.Layers)
	case b < 0 || b >= pack.Bundles:
		return fmt.Errorf("rows of layer %d: %v of %d", layer, b, int(pack.Bundles))
	case len(rows) < len(channels):
		return fmt.Errorf("rows of layer %d: room for %d of %d", layer, len(rows), len(channels))
	case s.lending >= 0 && s.lending != layer:
		return fmt.Errorf("rows of layer %d: those of layer %d are lent", layer, s.lending)
	}
	before := int32(-1)
	for _, c := range channels {
		if c <= before || int(c) >= s.layout.Channels[b] {
			return fmt.Errorf("rows of layer %d: channel %d after %d, of %d", layer, c, before, s.layout.Channels[b])
		}
		before = c
	}
	return nil
}

// use pins a row, if it is in memory. The caller holds mu.
func (s *Swapper) use(layer int, b pack.Bundle, c int32) {
	t := &s.tables[layer][b]
	slot := t.slot[c]
	if slot == 0 {
		return
	}
	if s.slabs[b].pin(slot) {
		s.lent = append(s.lent, pinned{b, slot})
	}
	if t.State[c]&lfu.Ahead != 0 {
		t.State[c] &^= lfu.Ahead
		s.stats.ByBundle[b].PreloadUsed++
	}
}

// fetch brings the rows of all misses into memory. The caller holds mu.
func (s *Swapper) fetch(ctx context.Context, layer int, b pack.Bundle) error {
	t := &s.tables[layer][b]
	for {
		var absent, wanted []int32
		var jobs []*job
		for _, c := range s.misses {
			if t.slot[c] != 0 {
				continue
			}
			absent = append(absent, c)
			j := s.pending[layer][b][c]
			if j == nil {
				wanted = append(wanted, c)
			} else if !slices.Contains(jobs, j) {
				s.readers.hasten(j)
				jobs = append(jobs, j)
			}
		}
		if len(absent) == 0 {
			return nil
		}
		s.stats.ByBundle[b].OnDemand += len(wanted)
		demand := s.demand(layer, b, wanted)
		s.readers.add(demand)
		for _, j := range append(demand, jobs...) {
			if err := s.await(ctx, j.done); err != nil {
				return err
			}
			if j.demand && j.err != nil { // a row that could not be read ahead is read again
				return j.err
			}
		}
		for _, c := range absent {
			s.use(layer, b, c)
		}
	}
}

// similar is the probability that a channel of the residual stream active in a layer is
// active in the next ones: more than 80% in ActiveFlow 2.2.
const similar = 0.8

// demand returns the reads of a layer's rows that a pass waits for: whole records, if the
// group's later layers may want theirs or a read of several is cheaper; else single rows.
// The caller holds mu.
func (s *Swapper) demand(layer int, b pack.Bundle, wanted []int32) []*job {
	group := layer / s.layout.GroupLayers
	turns := s.turnsOf(group)
	record := s.layout.RecordBytes(group, b)
	spans := planSpans(wanted, record, s.disk, s.sizes.mostRead())
	later := 0
	if b.Residual() {
		later = group*s.layout.GroupLayers + s.layout.LayersOf(group) - 1 - layer
	}
	alone := s.disk.Seconds(s.layout.RowBytes(b)) * float64(len(wanted))
	single := s.layout.RecordLayers(group, b) > 1 && alone*(1+similar*float64(later)) < spansSeconds(spans, record, s.disk)
	if single {
		spans = mergeSpans(wanted, 0, 1)
	}
	jobs := make([]*job, len(spans))
	for i, span := range spans {
		jobs[i] = &job{bundle: b, span: span, layer: layer, single: single, demand: true, turns: turns}
	}
	return jobs
}

// turnsOf returns how often each layer of a group was released.
func (s *Swapper) turnsOf(group int) []int {
	first := group * s.layout.GroupLayers
	return slices.Clone(s.turn[first : first+s.layout.LayersOf(group)])
}

// errNoRoom cannot happen: the least budget has slots for a whole layer.
var errNoRoom = errors.New("no slot is free for a row")

// deliver stores the rows of a finished job. The caller holds mu.
func (s *Swapper) deliver(j *job, data []byte, err error) {
	if !j.demand {
		s.promise[j.bundle] -= j.room
		for layer := range s.layersOf(j) {
			for _, c := range j.span.wanted {
				if s.pending[layer][j.bundle][c] == j {
					delete(s.pending[layer][j.bundle], c)
				}
			}
		}
	}
	if err == nil {
		s.stats.Reads++
		s.stats.BytesRead += int64(len(data))
		err = s.store(j, data)
	}
	j.err = err
	close(j.done)
}

// layersOf iterates over the layers whose rows a job reads.
func (s *Swapper) layersOf(j *job) func(yield func(int) bool) {
	last := j.layer
	if j.bundle.Residual() && !j.single {
		group := j.layer / s.layout.GroupLayers
		last = group*s.layout.GroupLayers + s.layout.LayersOf(group) - 1
	}
	return func(yield func(int) bool) {
		for layer := j.layer; layer <= last && yield(layer); layer++ {
		}
	}
}

// store copies the rows of a job to slots. The caller holds mu.
func (s *Swapper) store(j *job, data []byte) error {
	group := j.layer / s.layout.GroupLayers
	first, row, record := group*s.layout.GroupLayers, s.layout.RowBytes(j.bundle), s.layout.RecordBytes(group, j.bundle)
	for layer := range s.layersOf(j) {
		if s.turn[layer] != j.turns[layer-first] {
			continue // the pass went on without it
		}
		must := j.demand && layer == j.layer
		for _, c := range j.span.wanted {
			at := (int(c) - j.span.from) * record
			if j.bundle.Residual() && !j.single {
				at += (layer - first) * row
			}
			if err := s.put(rowOf{int32(layer), c}, j.bundle, data[at:at+row], must); err != nil {
				return err
			}
		}
	}
	return nil
}

// likely reports whether a channel was active in at least half of the text's tokens.
func (s *Swapper) likely(layer int, b pack.Bundle, c int32) bool {
	t := &s.tables[layer][b]
	return t.Tokens > 0 && 2*t.Count[c] >= t.Tokens
}

// put copies a row to a slot, unless it has one. If no slot is free, a row that must have
// one takes another's. The caller holds mu.
func (s *Swapper) put(of rowOf, b pack.Bundle, row []byte, must bool) error {
	layer, t, slab := int(of.layer), &s.tables[of.layer][b], &s.slabs[b]
	if t.slot[of.channel] != 0 {
		return nil
	}
	slot, err := slab.take(of, s.limit[b])
	if err == nil && slot == 0 && must {
		s.makeRoom(b)
		if slot, err = slab.take(of, s.limit[b]); slot == 0 && err == nil {
			err = errNoRoom
		}
	}
	if err != nil || slot == 0 {
		return err
	}
	copy(slab.bytes(slot), signed(row))
	t.slot[of.channel] = slot
	s.staged[layer] = append(s.staged[layer], rowAt{b, of.channel})
	if must {
		s.use(layer, b, of.channel)
		return nil
	}
	t.State[of.channel] |= lfu.Ahead
	s.stats.ByBundle[b].Preloaded++
	return nil
}

// signed returns bytes as weights.
func signed(b []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// roomRows is how many cached rows are evicted at a time.
const roomRows = 64

// makeRoom frees slots of a bundle: of rows read ahead, latest layers first, or else of
// cached rows, most recently computed layers first. The caller holds mu.
func (s *Swapper) makeRoom(b pack.Bundle) {
	slab, layers := &s.slabs[b], s.layout.Layers
	for i := 1; i < layers && len(slab.free) == 0; i++ {
		s.dropStaged((s.lending - i + layers) % layers)
	}
	for i := 1; i <= layers && len(slab.free) == 0; i++ {
		layer := (s.lending - i + layers) % layers
		t := &s.tables[layer][b]
		t.EvictLeast(roomRows, func(c int32) bool {
			return !slab.pins[t.slot[c]-1] && (layer != s.lending || t.Used[c] != t.Clock)
		}, func(c int32) { s.dismiss(layer, b, c) })
	}
}

// Release takes the rows of a layer back.
func (s *Swapper) Release(layer int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if layer == s.lending {
		for _, p := range s.lent {
			s.slabs[p.bundle].unpin(p.slot)
		}
		s.lent, s.lending = s.lent[:0], -1
		if s.lentOf != nil {
			s.lentOf.lent--
			s.lentOf = nil
			_ = s.settle() // the budget may have become too small for the group; the next one to settle tries again
		}
	}
	s.turn[layer]++
	s.dropStaged(layer)
}
