package leann

import (
	"math"
	"slices"
)

// ErrorModel says how the exact scores of an index's chunks lie about what their codes
// estimate, and when a search has recomputed enough of them. The zero value takes
// estimates as they are.
type ErrorModel struct {
	// Intercept and Slope are the line on which exact scores are to be expected over
	// estimates. The best estimates of many are best by luck too, so that exact scores
	// regress towards the mean.
	Intercept, Slope float64
	// Deviation is the standard deviation of exact scores from that line.
	Deviation float64
	// Margin is by how many deviations the last of the wanted chunks must lie above what
	// is expected of the next one for a search to end.
	Margin float64
}

// expected returns the exact score that is to be expected for an estimate.
func (m ErrorModel) expected(estimate float32) float32 {
	if m.Slope == 0 {
		return estimate
	}
	return float32(m.Intercept + m.Slope*float64(estimate))
}

// Sound reports whether the model can be one of an index.
func (m ErrorModel) Sound() bool {
	return math.Abs(m.Intercept) <= 1 && m.Slope >= minSlope && m.Slope <= maxSlope &&
		m.Deviation >= 0 && m.Deviation <= 1 && m.Margin >= 0 && m.Margin <= 10
}

// priorScores is how many exact scores the model of the index weighs as against those of
// the query at hand. Between 6 and 24 the recall is the same within .005.
const priorScores = 12

// queryErrors are the errors of one query's estimates, exact less expected, on top of the
// model of its index: texts and queries of some kinds are all estimated too low.
type queryErrors struct{ n, sum, squares float64 }

func (e *queryErrors) add(expected, exact float32) {
	d := float64(exact - expected)
	e.n++
	e.sum += d
	e.squares += d * d
}

// mean returns the error to be expected of the next estimate.
func (e *queryErrors) mean() float64 { return e.sum / (e.n + priorScores) }

// deviation returns the standard deviation to be expected about mean.
func (e *queryErrors) deviation(m ErrorModel) float64 {
	mean := e.mean()
	squares := e.squares - 2*mean*e.sum + e.n*mean*mean
	return math.Sqrt(max(squares+priorScores*m.Deviation*m.Deviation, 0) / (e.n + priorScores))
}

// stopRule tells when a search has recomputed enough: when the next chunk, the most
// promising one of those left, is no more likely among the wanted than the margin allows.
type stopRule struct {
	model  ErrorModel
	wanted int       // 0: never
	ranks  []float32 // the best of the exact scores with their bonus, ascending, wanted at most
	errors queryErrors
}

// found notes an exact score.
func (s *stopRule) found(expected, exact, bonus float32) {
	s.errors.add(expected, exact)
	s.rank(exact + bonus)
}

// rank notes at what score a chunk ranks.
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

// enough reports whether the search may end before a chunk that is expected to rank at a
// score, bonus included.
func (s *stopRule) enough(next float32) bool {
	if s.wanted == 0 || len(s.ranks) < s.wanted {
		return false
	}
	ahead := float64(s.ranks[0]-next) - s.errors.mean()
	return ahead >= s.model.Margin*s.errors.deviation(s.model)
}
