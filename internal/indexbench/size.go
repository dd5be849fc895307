package indexbench

import (
	"encoding/binary"
	"slices"

	"dowse/engine/leann"
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

// hubCache marks the nodes whose vectors are kept: all that stand above level
// 0, if upper, and the share of all that has the most links.
func hubCache(g *leann.Graph, upper bool, share float64) []bool {
	kept := make([]bool, g.Size())
	g.Nodes(func(node uint32) { kept[node] = upper && g.Level(node) > 0 })
	for _, node := range g.Hubs(share) {
		kept[node] = true
	}
	return kept
}

// cacheBytes is what a cache takes: the vectors, and a bit of every node.
func (v *Vectors) cacheBytes(kept []bool) float64 {
	n := 0
	for _, k := range kept {
		if k {
			n++
		}
	}
	return v.vectorBytes(n) + float64((len(kept)+7)/8)
}

// sortedGrid returns the values up to n, and n itself at the end.
func sortedGrid(n int, values ...int) []int {
	values = slices.DeleteFunc(slices.Clone(values), func(v int) bool { return v >= n })
	return append(values, n)
}
