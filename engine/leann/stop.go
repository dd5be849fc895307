package leann

import (
	"math"
	"slices"
)

// ErrorModel relates exact scores to the estimates of an index and says when a search has
// recomputed enough. The zero value takes estimates as they are.
type ErrorModel struct {
	// Intercept and Slope are the regression line of exact scores over estimates. The best
	// of many estimates are best by luck too, so exact scores regress towards the mean.
	Intercept, Slope float64
	// Deviation is the standard deviation of exact scores from that line.
	Deviation float64
	// Margin is the number of deviations by which the last wanted chunk must lead the next
	// candidate's expected score before a search ends.
	Margin float64
}

// expected returns the exact score expected for an estimate.
func (m ErrorModel) expected(estimate float32) float32 {
	if m.Slope == 0 {
		return estimate
	}
	return float32(m.Intercept + m.Slope*float64(estimate))
}

// Sound reports whether the model is within the bounds of a measured one.
func (m ErrorModel) Sound() bool {
	return math.Abs(m.Intercept) <= 1 && m.Slope >= minSlope && m.Slope <= maxSlope &&
		m.Deviation >= 0 && m.Deviation <= 1 && m.Margin >= 0 && m.Margin <= 10
}

// priorScores is the weight of the index's model, in exact scores of the query at hand.
// Recall is the same within .005 between 6 and 24.
const priorScores = 12

// queryErrors are the errors of one query's estimates, exact less expected, since some
// kinds of text and query are all estimated too low.
type queryErrors struct{ n, sum, squares float64 }

func (e *queryErrors) add(expected, exact float32) {
	d := float64(exact - expected)
	e.n++
	e.sum += d
	e.squares += d * d
}

// mean returns the expected error of the next estimate.
func (e *queryErrors) mean() float64 { return e.sum / (e.n + priorScores) }

// deviation returns the expected standard deviation about mean.
func (e *queryErrors) deviation(m ErrorModel) float64 {
	mean := e.mean()
	squares := e.squares - 2*mean*e.sum + e.n*mean*mean
	return math.Sqrt(max(squares+priorScores*m.Deviation*m.Deviation, 0) / (e.n + priorScores))
}

// stopRule ends a search once the most promising chunk left is too unlikely to be among
// the wanted. Errors of estimates are nearly normal; those of the query at hand update the
// index's model (a posterior mean, of priorScores). The search ends when the last wanted
// score leads the next expected one by Margin deviations: with a margin of 2 the next chunk
// is among the wanted with a probability of 2%. RaBitQ (Gao and Long, 2024) skips vectors by
// such a bound.
type stopRule struct {
	model  ErrorModel
	wanted int       // 0: never
	ranks  []float32 // the wanted best exact scores with their bonus, ascending
	errors queryErrors
}

// found notes an exact score.
func (s *stopRule) found(expected, exact, bonus float32) {
	s.errors.add(expected, exact)
	s.rank(exact + bonus)
}

// rank notes the score at which a chunk ranks.
func (s *stopRule) rank(score float32) {
	if s.wanted == 0 || len(s.ranks) == s.wanted && score <= s.ranks[0] {
		return
	}
	at, _ := slices.BinarySearch(s.ranks, score)
	s.ranks = slices.Insert(s.ranks, at, score)
	if len(s.ranks) > s.wanted {
		s.ranks = s.ranks[1:]
	}
}

// enough reports whether the search may end before a chunk with an expected score, bonus
// included.
func (s *stopRule) enough(next float32) bool {
	if s.wanted == 0 || len(s.ranks) < s.wanted {
		return false
	}
	ahead := float64(s.ranks[0]-next) - s.errors.mean()
	return ahead >= s.model.Margin*s.errors.deviation(s.model)
}
