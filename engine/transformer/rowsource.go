package transformer

import (
	"context"

	"dowse/engine/weights"
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

// sparseRows is the Source of passes of one row: layers whose weights come channel by
// channel.
type sparseRows struct {
	swapper *weights.Swapper
	layers  []*llamaLayer // without weights
	rows    *activeRows
	lent    int // layer that is lent, -1 for none
}

func newSparseRows(s *weights.Swapper, layers []*llamaLayer) *sparseRows {
	source := &sparseRows{swapper: s, rows: &activeRows{hint: s.Hint}, lent: -1}
	for _, layer := range layers {
		own := *layer
		own.rows = source.rows
		source.layers = append(source.layers, &own)
	}
	return source
}

// Acquire implements weights.Source. What a pass that was broken off had is taken back.
func (s *sparseRows) Acquire(ctx context.Context, i int) (*llamaLayer, error) {
	s.settle()
	s.rows.take = func(layer int, b pack.Bundle, channels []int32, rows []*int8) error {
		return s.swapper.Rows(ctx, layer, b, channels, rows)
	}
	s.lent = i
	return s.layers[i], nil
}

// Release implements weights.Source.
func (s *sparseRows) Release(int) { s.settle() }

func (s *sparseRows) settle() {
	if s.lent >= 0 {
		s.swapper.Release(s.lent)
		s.lent = -1
	}
}

// Close implements weights.Source. The Swapper is its owner's.
func (s *sparseRows) Close() error {
	s.settle()
	return nil
}

// denseRows is the Source of passes of many rows: layers with all their weights, which
// come by groups.
type denseRows struct {
	swapper *weights.Swapper
	layers  []*llamaLayer // without weights
	lent    int           // layer that is lent, -1 for none
	// release, unless nil, is called for a layer whose weights are about to go.
	release func(layer int) error
}

// Acquire implements weights.Source.
func (s *denseRows) Acquire(ctx context.Context, i int) (*llamaLayer, error) {
	s.settle()
	dense, err := s.swapper.AcquireDense(ctx, i)
	if err != nil {
		return nil, err
	}
	s.lent = i
	return s.layers[i].withWeights(dense.Weights, dense.Stride)
}

// Release implements weights.Source.
func (s *denseRows) Release(int) { s.settle() }

func (s *denseRows) settle() {
	if s.lent >= 0 {
		s.swapper.ReleaseDense(s.lent)
		s.lent = -1
	}
}

// Close implements weights.Source. The Swapper is its owner's.
func (s *denseRows) Close() error {
	s.settle()
	return nil
}

// withWeights is a layer whose projections have weights that lie in rows, stride bytes
// apart.
func (l *llamaLayer) withWeights(rows [pack.Bundles][]int8, stride [pack.Bundles]int) (*llamaLayer, error) {
	own := *l
	for part := range pack.Bundles {
		p := own.projection(int(part))
		p.Weights, p.Stride = rows[part], stride[part]
		if err := p.Check(); err != nil {
			return nil, err
		}
	}
	return &own, nil
}
