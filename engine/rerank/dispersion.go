package rerank

import "math"

// dispersion is the coefficient of variation |std/mean| of the margins in the
// domain, with the population's standard deviation; +Inf where the mean is
// exactly 0, and 0 for no margins. The margins must come in sorted order, so
// that the rounding of the sums does not depend on how candidates are
// numbered.
func dispersion(margins []float64, domain Domain) float64 {
	if len(margins) == 0 {
		return 0
	}
	var sum float64
	for _, m := range margins {
		sum += domain.of(m)
	}
	mean := sum / float64(len(margins))
	if mean == 0 {
		return math.Inf(1)
	}
	var squares float64
	for _, m := range margins {
		d := domain.of(m) - mean
		squares += d * d
	}
	return math.Abs(math.Sqrt(squares/float64(len(margins))) / mean)
}

// of is a margin in the domain.
func (d Domain) of(margin float64) float64 {
	if d == Raw {
		return margin
	}
	return 1 / (1 + math.Exp(-margin))
}
