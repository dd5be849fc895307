package answer

import "math"

// Verifier judges a quotation by a second model that was trained to decline
// where question and text do not fit (after Hu and others, "Read + Verify:
// Machine Reading Comprehension with Unanswerable Questions", 2019). A logistic
// regression over both models, fitted to questions outside their training,
// gives the probability.
type Verifier struct {
	// Bias, Support and Assent weigh: 1; the logit of the quotation's support;
	// the log odds that the second model does not decline.
	Bias, Support, Assent float64
	// SureFrom and PerhapsFrom are the least probabilities of a sure and of a
	// nearest answer.
	SureFrom, PerhapsFrom float64
}

// leastChance keeps probabilities from 0 and 1 before taking logits.
const leastChance = 1e-6

// logit is the log odds of a probability.
func logit(p float64) float64 {
	p = min(max(p, leastChance), 1-leastChance)
	return math.Log(p / (1 - p))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Verify returns the probability that a quotation answers, and its confidence,
// given the second model's probability of declining.
func (v *Verifier) Verify(support, declining float64) (float64, Confidence) {
	p := logistic(v.Bias + v.Support*logit(support) - v.Assent*logit(declining))
	return p, confidenceAt(p, v.SureFrom, v.PerhapsFrom)
}

// DeclineFrom is the probability of declining, 0 to 1, from which a quotation
// of some support is no answer.
func (v *Verifier) DeclineFrom(support float64) float64 {
	if v.Assent <= 0 { // the second model changes nothing
		if _, c := v.Verify(support, 0.5); c == None {
			return 0
		}
		return 1
	}
	return logistic((v.Bias + v.Support*logit(support) - logit(v.PerhapsFrom)) / v.Assent)
}

// leastDeclining is a probability of declining that models seldom fall below.
const leastDeclining = 0.002

// Hopeless reports whether no second model could make a quotation of some
// support an answer.
func (v *Verifier) Hopeless(support float64) bool { return v.DeclineFrom(support) < leastDeclining }
