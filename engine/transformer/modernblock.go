package transformer

import (
	"math"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// forward is attention, then feed-forward; each normalises its input and adds its result to
// the states (pre-norm). R rows of T tokens are needed: all, or the first of each sequence.
// Keys and values are of all tokens either way, so a row has the same bits.
func (l *modernLayer) forward(b batch, w *workspace) error {
	d, t := l.config.Hidden, b.rows()
	if err := w.reserve(t, &l.shape); err != nil {
		return err
	}
	attention := w.attention[:t*l.output.K] // [T,Hd]
	if err := l.attend(attention, &b, w); err != nil {
		return err
	}
	var rows []int
	r := t
	if b.outputs != allRows {
		rows = b.firstRows()
		r = len(rows)
		gather(attention, rows, l.output.K)
		gather(b.hidden, rows, d)
	}
	hidden, projected := b.hidden[:r*d], w.wide[:r*d] // [R,D], the latter in the place of qkv
	if err := l.kernel.Linear(projected, attention[:r*l.output.K], r, &l.output, kernel.None, w.scratch); err != nil {
		return err
	}
	l.add(hidden, projected, &l.attentionOutputNorm, r)
	if err := l.feedForward(hidden, r, w); err != nil {
		return err
	}
	if rows != nil {
		scatter(b.hidden, rows, d)
	}
	return nil
}

// attend writes the attention of each token over its own sequence to dst [T,Hd].
func (l *modernLayer) attend(dst []float32, b *batch, w *workspace) error {
	d, s, t := l.config.Hidden, &l.shape, b.rows()
	taken := b.hidden[:t*d]
	if l.attentionNorm.Gamma != nil {
		taken = w.normed[:t*d]
		l.norm(taken, b.hidden[:t*d], &l.attentionNorm, t)
	}
	qkv := w.wide[:t*l.qkv.N] // [T,(H+2G)d]
	if err := l.kernel.Linear(qkv, taken, t, &l.qkv, kernel.None, w.scratch); err != nil {
		return err
	}
	key, value, err := rotateHeads(l.kernel, &l.config, s, qkv, w.positionsOf(b), l.queryNorm, l.keyNorm, l.rotary)
	if err != nil {
		return err
	}
	at, width := 0, l.output.K
	for _, length := range b.lengths {
		from := at * l.qkv.N
		err := l.kernel.Attention(dst[at*width:(at+length)*width], kernel.AttentionInput{
			Q: qkv[from:], K: key[from:], V: value[from:], Stride: l.qkv.N, Tokens: length,
			Heads: s.Heads, HeadDim: s.HeadDim, KVHeads: s.KVHeads, Window: l.window,
		}, w.scratch)
		if err != nil {
			return err
		}
		at += length
	}
	return nil
}

// feedForward adds the gated part's result to hidden [rows,D].
func (l *modernLayer) feedForward(hidden []float32, rows int, w *workspace) error {
	d, f := l.config.Hidden, l.config.Intermediate
	normed, both := w.normed[:rows*d], w.wide[:rows*2*f] // [R,D]; gate and up [R,2F]
	l.norm(normed, hidden, &l.innerNorm, rows)
	if err := l.kernel.Linear(both, normed, rows, &l.gateUp, kernel.None, w.scratch); err != nil {
		return err
	}
	form := kernel.GeluErf
	if l.config.RotaryEncoder.Gemma {
		form = kernel.GeluTanh
	}
	for i := range rows { // the gated rows [R,F] close up over gate and up
		l.kernel.GeGLU(both[i*f:(i+1)*f], both[i*2*f:i*2*f+f], both[i*2*f+f:(i+1)*2*f], form)
	}
	contracted := normed // [R,D], in its place
	if err := l.kernel.Linear(contracted, both[:rows*f], rows, &l.down, kernel.None, w.scratch); err != nil {
		return err
	}
	l.add(hidden, contracted, &l.outputNorm, rows)
	return nil
}

// add adds x [rows,D], normed if there is a norm, to hidden.
func (l *modernLayer) add(hidden, x []float32, norm *pack.Norm, rows int) {
	if norm.Gamma != nil {
		l.norm(x, x, norm, rows)
	}
	for i, v := range x {
		hidden[i] += v
	}
}

func rootOf(n int) float32 { return float32(math.Sqrt(float64(n))) }
