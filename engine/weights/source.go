package weights

import "context"

// Source lends the weights of a model's layers, which L is a view of. A pass
// borrows one layer at a time, in the order of the layers.
type Source[L any] interface {
	// Acquire lends layer i until Release(i). It waits for a layer that is being
	// read, unless ctx ends first.
	Acquire(ctx context.Context, i int) (L, error)
	// Release takes layer i back.
	Release(i int)
	// Close gives the memory of all layers back. None may be lent.
	Close() error
}

// Resident is the Source of a model whose layers are all in memory, which its
// owner frees.
type Resident[L any] []L

// Acquire returns layer i at once.
func (r Resident[L]) Acquire(_ context.Context, i int) (L, error) { return r[i], nil }

// Release does nothing.
func (r Resident[L]) Release(int) {}

// Close does nothing.
func (r Resident[L]) Close() error { return nil }
