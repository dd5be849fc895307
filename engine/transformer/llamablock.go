package transformer

import (
	"dowse/engine/kernel"
	"dowse/engine/kv"
)

// forward is attention, then feed-forward; each normalises what it takes and adds
// its result to the states (pre-norm). Rows that share the keys of one sequence
// among several workers are all projected before any of them attends.
func (l *llamaLayer) forward(b batch, w *workspace) error {
	own, err := l.project(&b, w)
	if err != nil {
		return err
	}
	return l.attend(&b, own, w)
}

// project leaves the rotated queries of T rows in the workspace, at the start of
// rows of qkv, and returns their keys and values as attention reads them. These are
// of all rows, whatever outputs are needed.
func (l *llamaLayer) project(b *batch, w *workspace) ([]kernel.KeyValues, error) {
	d, s, t := l.config.Hidden, &l.shape, b.rows()
	if err := w.reserve(t, s); err != nil {
		return nil, err
	}
	normed := w.normed[:t*d]  // [T,D]
	qkv := w.wide[:t*l.qkv.N] // [T,(H+2G)d]
	l.kernel.RMSNorm(normed, b.hidden[:t*d], l.attentionNorm, l.config.Epsilon, t, d)
	if err := l.linear(qkv, normed, t, qkvPart, b.masked, w); err != nil {
		return nil, err
	}
	key := qkv[s.Heads*s.HeadDim:]     // [T,Gd], in rows of qkv
	value := key[s.KVHeads*s.HeadDim:] // [T,Gd], in rows of qkv
	if l.queryNorm != nil {
		l.normHeads(qkv, l.queryNorm, t, s.Heads)
		l.normHeads(key, l.keyNorm, t, s.KVHeads)
	}
	positions := w.positionsOf(b) // [T]
	if err := l.kernel.Rotate(qkv, positions, s.Heads, l.qkv.N, l.rotary); err != nil {
		return nil, err
	}
	if err := l.kernel.Rotate(key, positions, s.KVHeads, l.qkv.N, l.rotary); err != nil {
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

// attend is the layer after project, for the R rows that are needed: attention to
// the own keys and values and those before, then feed-forward. Of a layer with experts it
// ends before that: what follows is Decoder.mix, for the rows of all workers together.
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
	if err := l.linear(projected, attention, r, outputPart, b.masked, w); err != nil {
		return err
	}
	if l.router != nil {
		for i, v := range projected {
			hidden[i] += v
		}
		scatter(b.hidden, rows, d)
		return nil
	}
	normed := w.normed[:r*d] // [R,D]
	l.kernel.AddRMSNorm(normed, hidden, projected, hidden, l.innerNorm, l.config.Epsilon, r, d)
	both := w.wide[:r*2*f] // [R,2F], gate and up, in the place of projected
	if err := l.linear(both, normed, r, upPart, b.masked, w); err != nil {
		return err
	}
	for i := range r { // gated rows [R,F] close up over what they came from
		l.kernel.SwiGLU(both[i*f:(i+1)*f], both[i*2*f:i*2*f+f], both[i*2*f+f:(i+1)*2*f])
	}
	contracted := normed // [R,D], in its place
	if err := l.linear(contracted, both[:r*f], r, downPart, b.masked, w); err != nil {
		return err
	}
	for i, v := range contracted {
		hidden[i] += v
	}
	scatter(b.hidden, rows, d)
	return nil
}

// normHeads normalises each head of rows that lie as far apart as those of qkv.
func (l *llamaLayer) normHeads(x, gamma []float32, rows, heads int) {
	for row := range rows {
		own := x[row*l.qkv.N:][:heads*l.shape.HeadDim]
		l.kernel.RMSNorm(own, own, gamma, l.config.Epsilon, heads, l.shape.HeadDim)
	}
}
