package transformer

import (
	"context"

	"dowse/engine/swap"
	"dowse/models/pack"
)

// activeRows lends the weights of active input channels to a pass of one row.
type activeRows struct {
	// take finds the weights of channels of a bundle of a layer, which stay where they
	// are until the layer is released.
	take func(layer int, b pack.Bundle, channels []int32, rows []*int8) error
	// hint tells what was active, by which what comes next is read ahead.
	hint func(layer int, b pack.Bundle, channels []int32)
}

// rowLender lends the layers of a row pack, one at a time, to passes of either kind.
type rowLender struct {
	swapper *swap.Swapper
	layers  []*llamaLayer   // without weights
	release func(layer int) // takes back the layer that is lent, or nil
	lent    int
}

// settle takes back what is lent, also what a pass that was broken off had.
func (r *rowLender) settle() {
	if r.release != nil {
		r.release(r.lent)
		r.release = nil
	}
}

// lend notes that a layer is lent.
func (r *rowLender) lend(layer int, release func(layer int)) { r.lent, r.release = layer, release }

// sparseRows is the Source of passes of one row: layers whose weights come channel by
// channel.
type sparseRows struct {
	*rowLender
	own  []*llamaLayer // with rows
	rows activeRows
}

func newSparseRows(lender *rowLender) *sparseRows {
	s := &sparseRows{rowLender: lender, rows: activeRows{hint: lender.swapper.Hint}}
	for _, layer := range lender.layers {
		own := *layer
		own.rows = &s.rows
		s.own = append(s.own, &own)
	}
	return s
}

// Acquire implements weights.Source.
func (s *sparseRows) Acquire(ctx context.Context, i int) (*llamaLayer, error) {
	s.settle()
	s.rows.take = func(layer int, b pack.Bundle, channels []int32, rows []*int8) error {
		return s.swapper.Rows(ctx, layer, b, channels, rows)
	}
	s.lend(i, s.swapper.Release)
	return s.own[i], nil
}

// Release implements weights.Source.
func (s *sparseRows) Release(int) { s.settle() }

// Close does nothing: the Swapper is its owner's.
func (s *sparseRows) Close() error { return nil }

// denseRows is the Source of all other passes: layers with all their weights, which come
// group by group.
type denseRows struct{ *rowLender }

// Acquire implements weights.Source.
func (s denseRows) Acquire(ctx context.Context, i int) (*llamaLayer, error) {
	s.settle()
	dense, err := s.swapper.AcquireDense(ctx, i)
	if err != nil {
		return nil, err
	}
	s.lend(i, s.swapper.ReleaseDense)
	return s.layers[i].withWeights(dense)
}

// Release implements weights.Source.
func (s denseRows) Release(int) { s.settle() }

// Close does nothing: the Swapper is its owner's.
func (s denseRows) Close() error { return nil }

// withWeights is a layer whose projections have weights as they lie in records.
func (l *llamaLayer) withWeights(dense swap.DenseLayer) (*llamaLayer, error) {
	own := *l
	for part := range pack.Bundles {
		p := own.projection(int(part))
		p.Weights, p.Stride = dense.Weights[part], dense.Stride[part]
		if err := p.Check(); err != nil {
			return nil, err
		}
	}
	return &own, nil
}
