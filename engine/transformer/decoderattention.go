package transformer

import (
	"slices"

	"dowse/engine/kernel"
)

// keysForWorker is how many keys of how many rows make it worth giving a worker
// a share of attention, as products of floats: some 5 microseconds.
const keysForWorker = 64 << 10

// attend writes what rows take from their own sequence, up to themselves, to
// the workspace: of all rows, or of those in looked, one for each sequence.
func (l *decoderLayer) attend(b *batch, own kernel.KeyValues, looked []int, w *Workspace) error {
	if b.branches != nil {
		return l.attendTree(b, w)
	}
	width, at, done := l.shape.heads*l.shape.headDim, 0, 0
	cache := append(slices.Clone(b.before), kernel.KeyValues{}) // and what a sequence has itself
	for i, length := range b.lengths {
		from, to := at, at+length
		if looked != nil {
			from, to = looked[i], looked[i]+1
		}
		in := l.queries(from, to, w)
		cache[len(cache)-1] = part(own, at, at+length, l.shape.kvHeads)
		in.Cache = cache
		if err := l.attention(w.mixed[done*width:(done+to-from)*width], in, w); err != nil {
			return err
		}
		done += to - from
		at += length
	}
	return nil
}

// attendTree is attend for the nodes of a tree.
func (l *decoderLayer) attendTree(b *batch, w *Workspace) error {
	rows := b.rows()
	in := l.queries(0, rows, w)
	in.Cache, in.Draft, in.Ancestors = b.before, b.branches.draft, b.branches.ancestors
	return l.attention(w.mixed[:rows*l.shape.heads*l.shape.headDim], in, w)
}

// queries is the input of attention for the rows from, ... to-1 of a
// workspace, which lacks keys.
func (l *decoderLayer) queries(from, to int, w *Workspace) kernel.CausalInput {
	return kernel.CausalInput{
		Q: w.wide[from*l.qkv.N : to*l.qkv.N], Stride: l.qkv.N, Positions: w.positions[from:to],
		Heads: l.shape.heads, KVHeads: l.shape.kvHeads, HeadDim: l.shape.headDim, Window: l.window,
	}
}

// attention is Kernel.CausalAttention. A team shares the heads of few rows,
// each of which may have many keys.
func (l *decoderLayer) attention(dst []float32, in kernel.CausalInput, w *Workspace) error {
	rows, n := len(in.Positions), 1
	if w.team.sharesColumns(rows) {
		keys := rows * (tokensIn(in.Cache) + 1)
		n = min(len(w.team.workers), in.Heads, max(1, keys*in.Heads*in.HeadDim/keysForWorker))
	}
	if n == 1 {
		return l.kernel.CausalAttention(dst, in, w.scratch)
	}
	return w.team.each(n, func(i int) error {
		own := in
		own.Part = kernel.HeadRange{From: in.Heads * i / n, To: in.Heads * (i + 1) / n}
		return l.kernel.CausalAttention(dst, own, w.team.workers[i].scratch)
	})
}
