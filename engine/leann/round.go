package leann

import "math"

// grid is the greatest number of a rounded vector before it is scaled.
const grid = 127

// Round brings vectors of a length to what eight bits a number can tell: whole numbers up to grid,
// scaled to length 1. A vector that was rounded stays as it is, so that one that is kept packed
// scores as one that is computed again, to the bit. Zeros, and what is not finite, stay.
func Round(vectors []float32, dim int) {
	packed := make([]int8, dim)
	for at := 0; at+dim <= len(vectors); at += dim {
		if v := vectors[at : at+dim]; quantizeWhole(packed, v) {
			unpack(v, packed)
		}
	}
}

// quantizeWhole writes a vector as whole numbers up to grid. It reports false for a vector without a
// direction.
func quantizeWhole(dst []int8, v []float32) bool {
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	if !(most > 0) || math.IsInf(most, 0) {
		return false
	}
	for i, x := range v {
		dst[i] = int8(math.RoundToEven(float64(x) / most * grid))
	}
	return true
}

// unpack scales whole numbers to a vector of length 1.
func unpack(dst []float32, packed []int8) {
	sum := 0
	for _, q := range packed {
		sum += int(q) * int(q)
	}
	length := math.Sqrt(float64(sum))
	for i, q := range packed {
		dst[i] = float32(float64(q) / length)
	}
}

// Pack writes a rounded vector in a byte a number; nil for one that is not rounded.
func Pack(v []float32) []int8 {
	packed, again := make([]int8, len(v)), make([]float32, len(v))
	if !quantizeWhole(packed, v) {
		return nil
	}
	unpack(again, packed)
	for i := range v {
		if v[i] != again[i] {
			return nil
		}
	}
	return packed
}
