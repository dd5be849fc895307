package transformer

import "dowse/engine/kernel"

// TrackDensity makes a sequence count the attention that its tokens receive, for
// kv.Cache.Density: from appended tokens, and from kept roots of verified trees, in all
// layers but the last, which attends only for rows whose logits are wanted. Chunks that are
// computed again do not count again.
func (s *Sequence) TrackDensity() {
	c := &s.owner.config
	s.Cache.TrackDensity(uint64(c.Heads) * uint64(c.Layers-1) * kernel.DensityOne)
}

// tally adds up the attention that the tokens of a sequence receive in a pass. Workers
// count in memory of their own, which is collected before it overflows.
type tally struct {
	team *team
	sums []uint64 // [tokens]
	rows int      // rows times heads that workers counted since they were collected
}

// tally returns the tally of a pass that leaves a sequence with that many tokens, or nil if
// the sequence does not count.
func (d *Decoder) tally(s *Sequence, tokens int) *tally {
	if !s.TracksDensity() || d.config.Layers < 2 {
		return nil
	}
	for _, w := range d.team.workers {
		w.density = grown(w.density, tokens)
		clear(w.density)
	}
	return &tally{team: d.team, sums: make([]uint64, tokens)}
}

// watch makes a layer, unless it is the last, count the attention of the parts of a batch.
func (t *tally) watch(parts []batch, layer int, d *Decoder) {
	if t == nil || layer == d.config.Layers-1 {
		return
	}
	rows := 0
	for i := range parts {
		parts[i].observe = true
		rows += parts[i].rows() * d.config.Heads
	}
	if t.rows+rows > kernel.DensityRows {
		t.collect()
	}
	t.rows += rows
}

// watchRoot is watch for the nodes of a tree: only the root counts.
func (t *tally) watchRoot(parts []batch, layer int, d *Decoder) {
	t.watch(parts, layer, d)
	for i := 1; i < len(parts); i++ {
		parts[i].observe = false
	}
}

// collect adds up the workers' counts.
func (t *tally) collect() {
	for _, w := range t.team.workers {
		for i, n := range w.density {
			t.sums[i] += uint64(n)
		}
		clear(w.density)
	}
	t.rows = 0
}

// total returns the attention of each token; nil of a nil tally.
func (t *tally) total() []uint64 {
	if t == nil {
		return nil
	}
	t.collect()
	return t.sums
}
