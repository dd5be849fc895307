package transformer

import (
	"fmt"

	"dowse/engine/kernel"
)

// decoderLayer is one block of a decoder.
type decoderLayer struct {
	*decoderNetwork
	// Query, key and value are one projection, gate and up another.
	qkv, output, gateUp, down kernel.Linear
	attentionNorm, innerNorm  []float32 // [D], of what goes into either half
	queryNorm, keyNorm        []float32 // [headDim], of each head; nil but for Qwen3
	window                    int       // how many keys a token attends to, 0 for all
	added                     layerAdapter
}

// check verifies the shapes of the projections against the configuration.
func (l *decoderLayer) check() error {
	if err := checkLinears(map[string]*kernel.Linear{"query, key and value": &l.qkv, "attention output": &l.output, "gate and up": &l.gateUp, "down": &l.down}); err != nil {
		return err
	}
	for i, w := range []*kernel.Linear{&l.qkv, &l.output, &l.gateUp, &l.down} {
		if p := l.shape.projections[i]; w.K != p[0] || w.N != p[1] {
			return fmt.Errorf("projection %d is %dx%d, the configuration says %dx%d", i, w.K, w.N, p[0], p[1])
		}
	}
	if d := l.config.Hidden; len(l.attentionNorm) != d || len(l.innerNorm) != d {
		return fmt.Errorf("norms of %d and %d numbers for a width of %d", len(l.attentionNorm), len(l.innerNorm), d)
	}
	return nil
}

// forward normalises before each half of the layer and adds its result to the
// states (pre-norm).
func (l *decoderLayer) forward(b batch, w *Workspace) error {
	own, err := l.project(&b, w)
	if err != nil {
		return err
	}
	return l.mix(&b, own, w)
}

// project leaves the rotated queries of all rows in the workspace, at the start
// of rows of qkv, and returns their keys and values as attention reads them.
// These are of all rows, whatever is wanted.
func (l *decoderLayer) project(b *batch, w *Workspace) (kernel.KeyValues, error) {
	d, c, rows := l.config.Hidden, &l.shape, b.rows()
	if err := w.reserve(rows, c); err != nil {
		return kernel.KeyValues{}, err
	}
	normed, qkv := w.normed[:rows*d], w.wide[:rows*l.qkv.N]
	l.kernel.RMSNorm(normed, b.hidden[:rows*d], l.attentionNorm, l.config.Epsilon, rows, d)
	if err := l.linear(qkv, normed, rows, &l.qkv, qkvPart, w); err != nil {
		return kernel.KeyValues{}, err
	}
	key := qkv[c.heads*c.headDim:]
	value := key[c.kvHeads*c.headDim:]
	if l.queryNorm != nil {
		l.normHeads(qkv, l.queryNorm, rows, c.heads)
		l.normHeads(key, l.keyNorm, rows, c.kvHeads)
	}
	positions := w.positionsOf(b)
	if err := l.kernel.Rotate(qkv, positions, c.heads, l.qkv.N, l.rotary); err != nil {
		return kernel.KeyValues{}, err
	}
	if err := l.kernel.Rotate(key, positions, c.kvHeads, l.qkv.N, l.rotary); err != nil {
		return kernel.KeyValues{}, err
	}
	own := b.keep
	if own.Tokens == 0 {
		stored := layKeyValues(w.stored, rows, c.kvHeads, c.headDim)
		own = stored.span(0, rows)
	}
	l.kernel.QuantizeHeads(own.K.Bytes, own.K.Scale, key, rows, c.kvHeads, c.headDim, l.qkv.N)
	l.kernel.QuantizeHeads(own.V.Bytes, own.V.Scale, value, rows, c.kvHeads, c.headDim, l.qkv.N)
	return own, nil
}

// normHeads normalises each head of rows that lie as far apart as those of qkv.
func (l *decoderLayer) normHeads(x, gamma []float32, rows, heads int) {
	for row := range rows {
		own := x[row*l.qkv.N:][:heads*l.shape.headDim]
		l.kernel.RMSNorm(own, own, gamma, l.config.Epsilon, heads, l.shape.headDim)
	}
}

// mix is the layer after project, for the rows that are wanted.
func (l *decoderLayer) mix(b *batch, own kernel.KeyValues, w *Workspace) error {
	switch b.want {
	case noRows:
		return nil
	case allRows:
		if err := l.attend(b, own, nil, w); err != nil {
			return err
		}
		return l.finish(b.hidden, b.rows(), w)
	}
	looked := b.looked(l.looked)
	if err := l.attend(b, own, looked, w); err != nil {
		return err
	}
	gather(b.hidden, looked, l.config.Hidden)
	if err := l.finish(b.hidden, len(looked), w); err != nil {
		return err
	}
	scatter(b.hidden, looked, l.config.Hidden)
	return nil
}

// finish is the rest of the layer for the first rows of hidden, row by row.
func (l *decoderLayer) finish(hidden []float32, rows int, w *Workspace) error {
	d, f := l.config.Hidden, l.config.Intermediate
	hidden = hidden[:rows*d]
	mixed, normed := w.mixed[:rows*l.output.K], w.normed[:rows*d]
	projected, both := w.wide[:rows*d], w.wide[:rows*2*f] // one after the other
	if err := l.linear(projected, mixed, rows, &l.output, outputPart, w); err != nil {
		return err
	}
	l.kernel.AddRMSNorm(normed, hidden, projected, hidden, l.innerNorm, l.config.Epsilon, rows, d)
	if err := l.linear(both, normed, rows, &l.gateUp, upPart, w); err != nil {
		return err
	}
	for row := range rows { // gated rows close up over what they came from
		l.kernel.SwiGLU(both[row*f:(row+1)*f], both[row*2*f:row*2*f+f], both[row*2*f+f:(row+1)*2*f])
	}
	if err := l.linear(normed, both[:rows*f], rows, &l.down, downPart, w); err != nil {
		return err
	}
	for i, v := range normed {
		hidden[i] += v
	}
	return nil
}

// linear is a projection with what an adapter adds to it.
func (l *decoderLayer) linear(dst, x []float32, rows int, weights *kernel.Linear, part int, w *Workspace) error {
	var err error
	if w.team.sharesColumns(rows) {
		err = w.team.linear(l.kernel, dst, x, rows, weights)
	} else {
		err = l.kernel.Linear(dst, x, rows, weights, kernel.None, w.scratch)
	}
	if err != nil {
		return err
	}
	return l.added.add(l.kernel, part, dst, x, rows, weights.N, w)
}
