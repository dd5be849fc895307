package indexbench

import (
	"encoding/binary"
	"math"
	"slices"

	"dowse/engine/leann"
)

// Vectors are vectors in memory, numbered from 0: the leann.Space that graphs
// are built over.
type Vectors struct {
	Dim    int
	Values []float32 // [n, Dim]
	Dotter leann.Dotter
}

// Len is the number of vectors.
func (v *Vectors) Len() int { return len(v.Values) / v.Dim }

// Vector implements leann.Space.
func (v *Vectors) Vector(node uint32) []float32 {
	return v.Values[int(node)*v.Dim : (int(node)+1)*v.Dim]
}

// Dot implements leann.Space.
func (v *Vectors) Dot(a, b []float32) float32 { return v.Dotter.Dot(a, b) }

// subset copies the vectors at the given places, in ascending order.
func (v *Vectors) subset(places []int) *Vectors {
	out := &Vectors{Dim: v.Dim, Dotter: v.Dotter, Values: make([]float32, 0, len(places)*v.Dim)}
	for _, place := range slices.Sorted(slices.Values(places)) {
		out.Values = append(out.Values, v.Vector(uint32(place))...)
	}
	return out
}

// nodes are the numbers of all vectors.
func (v *Vectors) nodes() []uint32 {
	all := make([]uint32, v.Len())
	for i := range all {
		all[i] = uint32(i)
	}
	return all
}

// raw are the vectors as a store holds them.
func (v *Vectors) raw() []byte { return floatBytes(v.Values) }

func floatBytes(values []float32) []byte {
	raw := make([]byte, 0, 4*len(values))
	for _, x := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return raw
}
