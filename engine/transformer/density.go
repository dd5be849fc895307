package transformer

import "dowse/engine/kernel"

// TrackDensity has a sequence keep account of how much attention its tokens receive, for
// kv.Cache.Density. Tokens that are appended count, and of trees that are verified the
// roots that are kept, in all layers but the last, which attends for those rows alone
// whose logits are wanted. Chunks that are computed again do not count again.
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

// tally returns that of a pass after which a sequence has that many tokens, or nil if it
// does not count.
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

// watch has attention of a layer over the parts of a batch counted, unless it is the last.
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

// watchRoot is watch for the nodes of a tree, of which the root counts alone.
func (t *tally) watchRoot(parts []batch, layer int, d *Decoder) {
	t.watch(parts, layer, d)
	for i := 1; i < len(parts); i++ {
		parts[i].observe = false
	}
}

// collect takes over what the workers counted.
func (t *tally) collect() {
	for _, w := range t.team.workers {
		for i, n := range w.density {
			t.sums[i] += uint64(n)
		}
		clear(w.density)
	}
	t.rows = 0
}

// total returns what each token received, or nil if nobody counted.
func (t *tally) total() []uint64 {
	if t == nil {
		return nil
	}
	t.collect()
	return t.sums
}
