package transformer

import (
	"slices"

	"dowse/engine/kernel"
	"dowse/engine/kv"
)

// keysPerWorker is the smallest share of attention worth another worker, in products of
// floats: some 5 microseconds.
const keysPerWorker = 64 << 10

// attention writes to dst [R,Hd] the attention of each row over its own sequence up to
// itself: of all rows, or of those in rows, one for each sequence.
func (l *llamaLayer) attention(dst []float32, b *batch, own []kernel.KeyValues, rows []int, w *workspace) error {
	if b.branches != nil {
		return l.treeAttention(dst, b, w)
	}
	if b.places != nil {
		in := l.queries(0, b.rows(), w)
		in.Cache = b.before
		return l.causal(dst, in, b.observe, w)
	}
	width, at, done := l.shape.Heads*l.shape.HeadDim, 0, 0
	if len(b.lengths) == 1 { // a sequence whose own keys may lie in several chunks
		in, end := l.queries(0, b.lengths[0], w), b.lengths[0]
		if rows != nil {
			in = l.queries(rows[0], end, w)
		}
		in.Cache = slices.Concat(b.before, own)
		return l.causal(dst, in, b.observe, w)
	}
	cache := append(slices.Clone(b.before), kernel.KeyValues{}) // and what a sequence has itself
	for i, length := range b.lengths {
		from, to := at, at+length
		if rows != nil {
			from, to = rows[i], rows[i]+1
		}
		in := l.queries(from, to, w)
		cache[len(cache)-1] = kv.Part(own[0], at, at+length, l.shape.KVHeads)
		in.Cache = cache
		if err := l.causal(dst[done*width:(done+to-from)*width], in, b.observe, w); err != nil {
			return err
		}
		done += to - from
		at += length
	}
	return nil
}

// treeAttention is attention for the nodes of a tree.
func (l *llamaLayer) treeAttention(dst []float32, b *batch, w *workspace) error {
	in := l.queries(0, b.rows(), w)
	in.Cache, in.Draft, in.Ancestors = b.before, b.branches.draft, b.branches.ancestors
	return l.causal(dst, in, b.observe, w)
}

// queries is the input of attention, without keys, for rows from to to-1 of a workspace.
func (l *llamaLayer) queries(from, to int, w *workspace) kernel.CausalInput {
	return kernel.CausalInput{
		Q: w.wide[from*l.qkv.N : to*l.qkv.N], Stride: l.qkv.N, Positions: w.positions[from:to],
		Heads: l.shape.Heads, KVHeads: l.shape.KVHeads, HeadDim: l.shape.HeadDim, Window: l.window,
	}
}

// causal is Kernel.CausalAttention, with densities if observe is set. A team shares the
// heads of few rows, which may have many keys each.
func (l *llamaLayer) causal(dst []float32, in kernel.CausalInput, observe bool, w *workspace) error {
	attend := func(in kernel.CausalInput, w *workspace) error {
		if observe {
			in.Density = w.density
		}
		return l.kernel.CausalAttention(dst, in, w.scratch)
	}
	rows, n := len(in.Positions), 1
	if w.team.sharesColumns(rows) {
		keys := rows * (kv.Tokens(in.Cache) + 1)
		n = min(len(w.team.workers), in.Heads, max(1, keys*in.Heads*in.HeadDim/keysPerWorker))
	}
	if n == 1 {
		return attend(in, w)
	}
	return w.team.each(n, func(i int) error {
		own := in
		own.Part = kernel.HeadRange{From: in.Heads * i / n, To: in.Heads * (i + 1) / n}
		return attend(own, w.team.workers[i])
	})
}
