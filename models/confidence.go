package models

import (
	"errors"
	"math"
)

// Confidence is a logistic regression: how likely the answer of a reader is
// right. It is fitted to questions that the reader did not learn from.
type Confidence struct {
	// Bias, Margin and Lead weigh 1, the logit that there is evidence at all, and
	// the logit of the best piece among all pieces.
	Bias   float64 `json:"bias"`
	Margin float64 `json:"margin"`
	Lead   float64 `json:"lead"`
	// SureFrom and PerhapsFrom are the least probabilities of being right at which
	// an answer is given as such, and as the nearest that there is.
	SureFrom    float64 `json:"sure_from"`
	PerhapsFrom float64 `json:"perhaps_from"`
}

// mostWeight is more than a logit is worth in any regression.
const mostWeight = 1000

// check refuses what cannot be.
func (c *Confidence) check() error {
	for _, w := range []float64{c.Bias, c.Margin, c.Lead} {
		if !(math.Abs(w) <= mostWeight) {
			return errors.New("confidence: a weight is not within 1000 of 0")
		}
	}
	if !(c.PerhapsFrom >= 0 && c.PerhapsFrom <= c.SureFrom && c.SureFrom <= 1) {
		return errors.New("confidence: want 0 <= perhaps_from <= sure_from <= 1")
	}
	return nil
}
