package tensor

import (
	"cmp"
	"fmt"
	"slices"
)

// Rows returns the number of rows of a shape: its first dimension, but a scalar and a
// vector are one row.
func Rows(shape []int) int {
	if len(shape) < 2 {
		return 1
	}
	return shape[0]
}

// Row returns the number of elements of a row: of everything but the first dimension,
// if there are more.
func Row(shape []int) int {
	if len(shape) == 1 {
		return shape[0]
	}
	n := 1
	for _, d := range shape[min(1, len(shape)):] {
		n *= d
	}
	return n
}

// Extent is where a tensor lies in a file, in bytes.
type Extent struct {
	Name           string
	Offset, Length int64
}

// Disjoint returns an error that names two tensors which share bytes, if there are
// any. It sorts the extents.
func Disjoint(extents []Extent) error {
	slices.SortFunc(extents, func(a, b Extent) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Length, b.Length))
	})
	for i := 1; i < len(extents); i++ {
		before, e := extents[i-1], extents[i]
		if before.Offset+before.Length > e.Offset {
			return fmt.Errorf("tensors %q and %q overlap", before.Name, e.Name)
		}
	}
	return nil
}
