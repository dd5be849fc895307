package weights

import (
	"cmp"
	"math"
	"slices"
)

// keepRanks returns the rank of each layer: as room grows, layers of lower ranks
// are kept first. Ranks follow the fractional parts of the multiples of the golden
// ratio. The layers below any bound, and so the layers above it, follow each other
// at no more than three distances, which are close together (Świerczkowski, On
// successive settings of an arc on the circumference of a circle, 1958). Between
// two layers that are read some are computed, which gives the reads the time that
// they need.
func keepRanks(layers int) []int {
	part := func(i int) float64 {
		_, fraction := math.Modf(float64(i) * math.Phi)
		return fraction
	}
	order := make([]int, layers)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(part(a), part(b)) })
	rank := make([]int, layers)
	for i, layer := range order {
		rank[layer] = i
	}
	return rank
}
