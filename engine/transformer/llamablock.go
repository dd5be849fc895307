package transformer

import (
	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// forward is attention, then feed-forward; each normalises its input and adds its result to
// the states (pre-norm). Workers that share a sequence call project, all of them, before
// attend.
func (l *llamaLayer) forward(b batch, w *workspace) error {
	own, err := l.project(&b, w)
	if err != nil {
		return err
	}
	return l.attend(&b, own, w)
}

// project leaves the rotated queries of T rows in the workspace, at the start of rows of
// qkv, and returns the keys and values of all rows as attention reads them.
func (l *llamaLayer) project(b *batch, w *workspace) ([]kernel.KeyValues, error) {
	d, s, t := l.config.Hidden, &l.shape, b.rows()
	if err := w.reserve(t, s); err != nil {
		return nil, err
	}
	normed := w.normed[:t*d]  // [T,D]
	qkv := w.wide[:t*l.qkv.N] // [T,(H+2G)d]
	l.kernel.RMSNorm(normed, b.hidden[:t*d], l.attentionNorm, l.config.Epsilon, t, d)
	if err := l.linear(qkv, normed, t, qkvPart, w); err != nil {
		return nil, err
	}
	key, value, err := rotateHeads(l.kernel, &l.config, s, qkv, w.positionsOf(b), l.queryNorm, l.keyNorm, l.rotary)
	if err != nil {
		return nil, err
	}
	own := b.keep // [T,Gd] of keys and of values
	if len(own) == 0 {
		stored := kv.RowsIn(w.stored, t, s.KVHeads, s.HeadDim, kv.Level8)
		own = []kernel.KeyValues{stored.Span(0, t)}
	}
	at := 0
	for i := range own {
		o := &own[i]
		l.kernel.QuantizeHeads(o.K.Bytes, o.K.Scale, key[at*l.qkv.N:], o.Tokens, s.KVHeads, s.HeadDim, l.qkv.N)
		l.kernel.QuantizeHeads(o.V.Bytes, o.V.Scale, value[at*l.qkv.N:], o.Tokens, s.KVHeads, s.HeadDim, l.qkv.N)
		at += o.Tokens
	}
	return own, nil
}

// attend is the layer after project, for R rows: attention, then feed-forward, which in a
// layer with experts is left to Decoder.mix, for the rows of all workers together.
func (l *llamaLayer) attend(b *batch, own []kernel.KeyValues, w *workspace) error {
	if b.outputs == noRows {
		return nil
	}
	d, f, r := l.config.Hidden, l.config.Intermediate, b.rows()
	var rows []int
	if b.outputs == headRows {
		rows = b.lastRows()
		r = len(rows)
	}
	attention := w.attention[:r*l.output.K] // [R,Hd]
	if err := l.attention(attention, b, own, rows, w); err != nil {
		return err
	}
	gather(b.hidden, rows, d)
	hidden := b.hidden[:r*d]  // [R,D]
	projected := w.wide[:r*d] // [R,D], in the place of qkv
	if err := l.linear(projected, attention, r, outputPart, w); err != nil {
		return err
	}
	if l.router != nil {
		for i, v := range projected {
			hidden[i] += v
		}
		scatter(b.hidden, rows, d)
		return nil
	}
	l.normResult(projected, l.attentionOutputNorm, r)
	normed := w.normed[:r*d] // [R,D]
	l.kernel.AddRMSNorm(normed, hidden, projected, hidden, l.innerNorm, l.config.Epsilon, r, d)
	both := w.wide[:r*2*f] // [R,2F], gate and up, in the place of projected
	if err := l.linear(both, normed, r, upPart, w); err != nil {
		return err
	}
	for i := range r { // the gated rows [R,F] close up over gate and up
		gated, gate, up := both[i*f:(i+1)*f], both[i*2*f:i*2*f+f], both[i*2*f+f:(i+1)*2*f]
		if l.gemma() {
			l.kernel.GeGLU(gated, gate, up, kernel.GeluTanh)
		} else {
			l.kernel.SwiGLU(gated, gate, up)
		}
	}
	contracted := normed // [R,D], in its place
	if err := l.linear(contracted, both[:r*f], r, downPart, w); err != nil {
		return err
	}
	l.normResult(contracted, l.outputNorm, r)
	for i, v := range contracted {
		hidden[i] += v
	}
	scatter(b.hidden, rows, d)
	return nil
}

// normResult norms the result x [rows,D] of half a layer where there is a norm.
func (l *llamaLayer) normResult(x, norm []float32, rows int) {
	if norm != nil {
		l.kernel.RMSNorm(x, x, norm, l.config.Epsilon, rows, l.config.Hidden)
	}
}

// rotateHeads norms (unless the norms are nil) and rotates the query and key heads in rows
// of qkv [T,(H+2G)d], and returns where keys and values begin.
func rotateHeads(k *kernel.Kernel, c *pack.Config, s *weights.Shape, qkv []float32, positions []int32, queryNorm, keyNorm []float32, r *kernel.Rotary) (key, value []float32, err error) {
	stride := (s.Heads + 2*s.KVHeads) * s.HeadDim
	key = qkv[s.Heads*s.HeadDim:]
	value = key[s.KVHeads*s.HeadDim:]
	for _, x := range []struct {
		rows, norm []float32
		heads      int
	}{{qkv, queryNorm, s.Heads}, {key, keyNorm, s.KVHeads}} {
		if x.norm != nil {
			for row := range positions {
				own := x.rows[row*stride:][:x.heads*s.HeadDim]
				k.RMSNorm(own, own, x.norm, c.Epsilon, x.heads, s.HeadDim)
			}
		}
		if err := k.Rotate(x.rows, positions, x.heads, stride, r); err != nil {
			return nil, nil, err
		}
	}
	return key, value, nil
}

// projection returns one of the four projections of a layer, by its number.
func (l *llamaLayer) projection(part int) *pack.Linear {
	switch part {
	case qkvPart:
		return &l.qkv
	case outputPart:
		return &l.output
	case upPart:
		return &l.gateUp
	}
	return &l.down
}

// linear is a projection of x [rows,K] with an adapter's additions. A layer with thresholds
// overwrites x.
func (l *llamaLayer) linear(dst, x []float32, rows, part int, w *workspace) error {
	weights, adapted := l.projection(part), x
	if l.observer != nil {
		l.observer.See(l.index, pack.Bundle(part), x, weights)
	}
	var err error
	if l.thresholds == nil {
		err = l.dense(dst, x, rows, weights, w)
	} else {
		if len(l.added[part]) > 0 {
			w.masked.inputs = append(w.masked.inputs[:0], x...)
			adapted = w.masked.inputs
		}
		err = l.masked(dst, x, rows, part, w)
	}
	if err != nil {
		return err
	}
	return l.added.add(l.kernel, part, dst, adapted, rows, weights.N, w)
}

// dense is a projection by all its weights. A team shares the columns of few rows.
func (l *llamaLayer) dense(dst, x []float32, rows int, weights *pack.Linear, w *workspace) error {
	if w.team.sharesColumns(rows) {
		return w.team.linear(l.kernel, dst, x, rows, weights)
	}
	if weights.Blocks != nil {
		return l.kernel.LinearBlocks(dst, x, rows, weights, kernel.Columns{To: weights.N}, w.scratch)
	}
	if weights.Bits == 4 {
		return l.kernel.Linear4(dst, w.scaleInputs(l.kernel, x, rows, weights), rows, weights, kernel.Columns{To: weights.N}, w.scratch)
	}
	return l.kernel.Linear(dst, x, rows, weights, kernel.None, w.scratch)
}
