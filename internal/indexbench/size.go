package indexbench

import (
	"encoding/binary"
	"slices"
)

// listBytes is the length of a sorted list as variable-length integers: the
// number of entries, the first one as its distance from near, the others as
// their distance from the one before.
func listBytes(near uint32, list []uint32) int {
	b := binary.AppendUvarint(nil, uint64(len(list)))
	last := int64(near)
	for i, x := range list {
		if i == 0 {
			b = binary.AppendVarint(b, int64(x)-last)
		} else {
			b = binary.AppendUvarint(b, uint64(int64(x)-last))
		}
		last = int64(x)
	}
	return len(b)
}

// vectorBytes is what stored vectors take.
func (v *Vectors) vectorBytes(n int) float64 { return float64(4 * v.Dim * n) }

// sortedGrid returns the values up to n, and n itself at the end.
func sortedGrid(n int, values ...int) []int {
	values = slices.DeleteFunc(slices.Clone(values), func(v int) bool { return v >= n })
	return append(values, n)
}
