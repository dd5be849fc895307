package transformer

import (
	"dowse/engine/kernel"
	"dowse/models/pack"
)

// projection returns one of the four projections of a layer, by its number.
func (l *llamaLayer) projection(part int) *kernel.Linear {
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

// linear is a projection of x [rows,K] with what an adapter adds to it. With masked it
// overwrites x.
func (l *llamaLayer) linear(dst, x []float32, rows, part int, masked bool, w *workspace) error {
	weights, adapted := l.projection(part), x
	if l.observer != nil {
		l.observer.see(l.index, part, x, weights)
	}
	var err error
	if masked {
		if len(l.added[part]) > 0 {
			w.unmasked = append(w.unmasked[:0], x...)
			adapted = w.unmasked
		}
		err = l.masked(dst, x, rows, part, w)
	} else {
		err = l.dense(dst, x, rows, weights, w)
	}
	if err != nil {
		return err
	}
	return l.added.add(l.kernel, part, dst, adapted, rows, weights.N, w)
}

// dense is a projection by all its weights. A team shares the columns of few rows.
func (l *llamaLayer) dense(dst, x []float32, rows int, weights *kernel.Linear, w *workspace) error {
	if w.team.sharesColumns(rows) {
		return w.team.linear(l.kernel, dst, x, rows, weights)
	}
	return l.kernel.Linear(dst, x, rows, weights, kernel.None, w.scratch)
}

// masked is a projection of the inputs that are above the threshold of the layer, each
// row by itself (ActiveFlow 4.1). Where rows of weights come one by one, the row of
// states is one, and of the weights it takes what it needs.
func (l *llamaLayer) masked(dst, x []float32, rows, part int, w *workspace) error {
	weights, threshold := l.projection(part), l.thresholds[l.index][part]
	for row := range rows {
		w.channels = l.kernel.Mask(x[row*weights.K:(row+1)*weights.K], weights.In, threshold, w.channels[:0])
	}
	if l.rows == nil {
		scaled := *weights
		scaled.In = nil // Mask has multiplied with it
		return l.dense(dst, x, rows, &scaled, w)
	}
	if cap(w.weights) < len(w.channels) {
		w.weights = make([]*int8, weights.K)
	}
	found := w.weights[:len(w.channels)]
	bundle := pack.Bundle(part)
	if err := l.rows.take(l.index, bundle, w.channels, found); err != nil {
		return err
	}
	err := w.team.linearRows(l.kernel, dst, x, w.channels, found, weights)
	l.rows.hint(l.index, bundle, w.channels)
	return err
}
