package models

import (
	"errors"
	"math"
)

// Confidence is a logistic regression for the probability that a reader's
// answer is right, or still is after an answerer has read it, fitted to
// questions outside their training.
type Confidence struct {
	// Of a reader: Bias, Margin, Shared, Brief and Words weigh 1, the logit of
	// evidence, the share of the question's words in the best piece, 1 over
	// their number, and the log of a piece's mean number of words.
	Bias   float64 `json:"bias"`
	Margin float64 `json:"margin,omitempty"`
	Shared float64 `json:"shared,omitempty"`
	Brief  float64 `json:"brief,omitempty"`
	Words  float64 `json:"words,omitempty"`
	// Of an answerer: beside Bias, the logit of the reader's support and the
	// log odds that the answerer does not decline.
	Support float64 `json:"support,omitempty"`
	Assent  float64 `json:"assent,omitempty"`
	// SureFrom and PerhapsFrom are the least probabilities of a sure and of a
	// nearest answer.
	SureFrom    float64 `json:"sure_from"`
	PerhapsFrom float64 `json:"perhaps_from"`
}

// ofReader and ofAnswerer report weights that only the one has.
func (c *Confidence) ofReader() bool {
	return c.Margin != 0 || c.Shared != 0 || c.Brief != 0 || c.Words != 0
}

func (c *Confidence) ofAnswerer() bool { return c.Support != 0 || c.Assent != 0 }

// mostWeight bounds the weights.
const mostWeight = 1000

// check validates for a role.
func (c *Confidence) check(role Role) error {
	switch {
	case role == Reranker && *c != (Confidence{}):
		return errors.New("it is for readers and answerers")
	case role == Reader && c.ofAnswerer():
		return errors.New("support and assent are for answerers")
	case role == Answerer && c.ofReader():
		return errors.New("margin, shared, brief and words are for readers")
	}
	for _, w := range []float64{c.Bias, c.Margin, c.Shared, c.Brief, c.Words, c.Support, c.Assent} {
		if !(math.Abs(w) <= mostWeight) {
			return errors.New("a weight is not within 1000 of 0")
		}
	}
	if !(c.PerhapsFrom >= 0 && c.PerhapsFrom <= c.SureFrom && c.SureFrom <= 1) {
		return errors.New("want 0 <= perhaps_from <= sure_from <= 1")
	}
	return nil
}
