package swap

import (
	"cmp"
	"slices"

	"dowse/engine/internal/lfu"
	"dowse/models/pack"
)

// warmRows is how many rows are copied before the lock is released.
const warmRows = 64

// Warm caches the rows of a layer that AcquireDense lent, of the channels active most often
// in the prompt first: counts, [channels] of each bundle, from which the counters of the text
// go on. The rows are copied from the group in the background, so nothing is read, and
// decoding starts with the cache that the prompt suggests (CoordGen 3.2, for weights that
// change from one form to another).
func (s *Swapper) Warm(layer int, counts [pack.Bundles][]int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.dense.find(layer / s.layout.GroupLayers)
	if g == nil || g.lent == 0 || s.sizes.whole(s.budget) {
		return
	}
	s.makeWay(g.group)
	var hottest [pack.Bundles][]int32
	most := int32(0)
	for b := range pack.Bundles {
		t := &s.tables[layer][b]
		copy(t.Count, counts[b])
		most = max(most, slices.Max(t.Count))
		hottest[b] = t.hottest()
		for c, state := range t.State {
			c := int32(c)
			if _, hot := slices.BinarySearch(hottest[b], c); state&lfu.Kept != 0 && !hot {
				t.State[c] &^= lfu.Kept
				t.Cached--
				s.dismiss(layer, b, c)
			}
		}
	}
	view := s.view(g, layer)
	for b := range pack.Bundles {
		s.tables[layer][b].Tokens = most
	}
	g.copying++
	s.dense.running.Go(func() {
		for b := range pack.Bundles {
			for part := range slices.Chunk(hottest[b], warmRows) {
				s.warm(layer, b, part, view)
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		g.copying--
		s.dense.wake.Broadcast()
	})
}

// makeWay frees groups kept for the next pass, those needed last first: tokens want rows in
// their place. The caller holds mu.
func (s *Swapper) makeWay(from int) {
	s.dense.again, s.dense.warms = false, true
	for len(s.dense.list) > s.sizes.groups(s.budget) {
		if dropped, err := s.dense.drop(from); err != nil || !dropped {
			break
		}
	}
	_ = s.settle() // else the next request settles
}

// hottest returns the channels that were active most often, as many as may be cached.
func (l *table) hottest() []int32 {
	var order []int32
	for c, count := range l.Count {
		if count > 0 {
			order = append(order, int32(c))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(l.Count[b], l.Count[a]) })
	order = order[:min(len(order), l.Capacity)]
	slices.Sort(order)
	return order
}

// warm caches some rows of a layer.
func (s *Swapper) warm(layer int, b pack.Bundle, channels []int32, view DenseLayer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, slab := &s.tables[layer][b], &s.slabs[b]
	for _, c := range channels {
		if t.State[c]&lfu.Kept != 0 || t.Cached >= t.Capacity {
			continue
		}
		if t.slot[c] == 0 {
			slot, err := slab.take(rowOf{int32(layer), c}, s.limit[b])
			if err != nil || slot == 0 {
				return // decoding reads the others
			}
			at := int(c) * view.Stride[b]
			copy(slab.bytes(slot), view.Weights[b][at:at+s.layout.RowBytes(b)])
			t.slot[c] = slot
			s.stats.ByBundle[b].Warmed++
		}
		t.State[c] |= lfu.Kept
		t.Cached++
	}
}

// switchPlan chooses the layers whose caches a prompt's last pass warms without a wait: from
// the last layer to the first, each gets the fewest layers of the pass, in order, whose
// computing takes as long as its copying (CoordGen 3.2, equation 2). It returns how many
// layers, counted from the last, the pass suffices for.
func switchPlan[D ~int64](compute, load []D) int {
	next, layers := 0, 0
	for layers < len(load) {
		hidden, need := D(0), load[len(load)-1-layers]
		for hidden < need && next < len(compute) {
			hidden += compute[next]
			next++
		}
		if hidden < need {
			break
		}
		layers++
	}
	return layers
}
