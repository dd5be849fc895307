package transformer

import (
	"fmt"
	"slices"

	"dowse/models/pack"
)

// choice is an expert of a token, and its share in the result.
type choice struct {
	expert int32
	share  float32
}

// route writes the experts of a token, whose normed state is x [D], to chosen [Active] in
// the order of their numbers: those of the largest logits, among equals the lower number.
// Shares are the softmax of all logits, in float32. logits [Experts] is working memory.
func (l *llamaLayer) route(chosen []choice, logits, x []float32) {
	m, d := &l.config.Mixture, len(x)
	for e := range logits {
		logits[e] = l.kernel.Dot(l.router[e*d:(e+1)*d], x)
	}
	for i := range chosen {
		best := int32(-1)
		for e, v := range logits {
			if (best < 0 || v > logits[best]) && !slices.ContainsFunc(chosen[:i], func(c choice) bool { return c.expert == int32(e) }) {
				best = int32(e)
			}
		}
		chosen[i] = choice{expert: best}
	}
	slices.SortFunc(chosen, func(a, b choice) int { return int(a.expert - b.expert) })
	l.kernel.Softmax(logits)
	sum := float32(0)
	for i := range chosen {
		chosen[i].share = logits[chosen[i].expert]
		sum += chosen[i].share
	}
	if m.Normalize {
		for i := range chosen {
			chosen[i].share /= sum
		}
	}
}

// expert is a feed-forward part of a mixture, W wide.
type expert struct {
	gateUp, down pack.Linear // [D,2W], [W,D]
}

// bindExpert makes an expert of the views of a pack, and checks their shapes.
func (n *llama) bindExpert(p pack.Expert) (*expert, error) {
	e, d, width := &expert{gateUp: p.GateUp, down: p.Down}, n.config.Hidden, n.config.Mixture.Width
	for _, w := range []*pack.Linear{&e.gateUp, &e.down} {
		if err := w.Check(); err != nil {
			return nil, err
		}
	}
	if e.gateUp.K != d || e.gateUp.N != 2*width || e.down.K != width || e.down.N != d {
		return nil, fmt.Errorf("an expert of %dx%d and %dx%d, the configuration says %d wide", e.gateUp.K, e.gateUp.N, e.down.K, e.down.N, width)
	}
	return e, nil
}

// forward is the feed-forward part, in place, of rows of normed states in w.normed [R,D].
func (e *expert) forward(l *llamaLayer, rows int, w *workspace) error {
	d, f := e.gateUp.K, e.down.K
	x, both := w.normed[:rows*d], w.wide[:rows*2*f]
	if err := l.dense(both, x, rows, &e.gateUp, w); err != nil {
		return err
	}
	for i := range rows { // the gated rows [R,W] close up over gate and up
		l.kernel.SwiGLU(both[i*f:(i+1)*f], both[i*2*f:i*2*f+f], both[i*2*f+f:(i+1)*2*f])
	}
	return l.dense(x, both[:rows*f], rows, &e.down, w)
}
