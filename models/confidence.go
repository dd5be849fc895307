package models

import (
	"errors"
	"math"
)

// Confidence is a logistic regression: how likely the answer of a reader is
// right. It is fitted to questions that the reader did not learn from.
type Confidence struct {
	// Bias, Margin, Shared, Brief and Words weigh 1, the logit that there is evidence
	// at all, the share of the question's words that the best piece holds, 1 over the
	// number of these words, and the logarithm of how many words a piece has in the
	// mean: of running text a reader is surer than of terse notes.
	Bias   float64 `json:"bias"`
	Margin float64 `json:"margin"`
	Shared float64 `json:"shared"`
	Brief  float64 `json:"brief"`
	Words  float64 `json:"words"`
	// SureFrom and PerhapsFrom are the least probabilities of being right at which
	// an answer is given as such, and as the nearest that there is.
	SureFrom    float64 `json:"sure_from"`
	PerhapsFrom float64 `json:"perhaps_from"`
}

// mostWeight is more than a logit is worth in any regression.
const mostWeight = 1000

// check refuses what cannot be.
func (c *Confidence) check() error {
	for _, w := range []float64{c.Bias, c.Margin, c.Shared, c.Brief, c.Words} {
		if !(math.Abs(w) <= mostWeight) {
			return errors.New("confidence: a weight is not within 1000 of 0")
		}
	}
	if !(c.PerhapsFrom >= 0 && c.PerhapsFrom <= c.SureFrom && c.SureFrom <= 1) {
		return errors.New("confidence: want 0 <= perhaps_from <= sure_from <= 1")
	}
	return nil
}
