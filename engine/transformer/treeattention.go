package transformer

import "dowse/engine/kernel"

// keysForWorker is how many keys of how many rows make it worth waking a worker
// up for attention, as products of floats: some 20 microseconds.
const keysForWorker = 256 << 10

// attendTree is attend for the nodes of a tree. The team shares what few rows
// have to do, since each of them may have many keys.
func (l *decoderLayer) attendTree(b *batch, w *Workspace) error {
	rows, n := b.rows(), 1
	if len(w.team) > 1 && rows < rowsForWorker {
		keys := rows * (tokensIn(b.before) + 1)
		n = min(len(w.team), rows, max(1, keys*l.shape.heads*l.shape.headDim/keysForWorker))
	}
	return w.team.each(n, func(i int) error {
		scratch := w.scratch
		if n > 1 {
			scratch = w.team[i].scratch
		}
		return l.attendNodes(b, rows*i/n, rows*(i+1)/n, w, scratch)
	})
}

// attendNodes does so for the rows from, ... to-1.
func (l *decoderLayer) attendNodes(b *batch, from, to int, w *Workspace, s *kernel.Scratch) error {
	c := &l.shape
	width := c.heads * c.headDim
	return l.kernel.CausalAttention(w.mixed[from*width:to*width], kernel.CausalInput{
		Q: w.wide[from*l.qkv.N : to*l.qkv.N], Stride: l.qkv.N, Positions: w.positions[from:to],
		Heads: c.heads, KVHeads: c.kvHeads, HeadDim: c.headDim, Window: l.window,
		Cache: b.before, Draft: b.branches.draft, Ancestors: b.branches.ancestors[from:to],
	}, s)
}
