package answer

import "math"

// Verifier reads the question and its quotation again with a second model, one that
// was trained to decline where they do not fit (after Hu and others, "Read + Verify:
// Machine Reading Comprehension with Unanswerable Questions", 2019). How likely the
// quotation answers is a logistic regression over what both models say, fitted to
// questions that neither had learned from.
type Verifier struct {
	// Bias, Support and Assent weigh 1, the logit of the quotation's support, and the
	// logarithm of the odds that the second model does not decline.
	Bias, Support, Assent float64
	// SureFrom and PerhapsFrom are the least probabilities at which a quotation is
	// given as an answer, and as the nearest that there is.
	SureFrom, PerhapsFrom float64
}

// leastChance is how near a probability comes to 0 and to 1 before its logit is taken.
const leastChance = 1e-6

// logit is the logarithm of the odds of a probability.
func logit(p float64) float64 {
	p = min(max(p, leastChance), 1-leastChance)
	return math.Log(p / (1 - p))
}

// logistic is the inverse of logit.
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Verify is how likely a quotation of some support answers, and how sure that is, where
// the second model would decline with the probability declining.
func (v *Verifier) Verify(support, declining float64) (float64, Confidence) {
	p := logistic(v.Bias + v.Support*logit(support) - v.Assent*logit(declining))
	return p, confidenceAt(p, v.SureFrom, v.PerhapsFrom)
}

// DeclineFrom is the probability of declining from which a quotation of some support is
// no answer, from 0 to 1.
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

// Hopeless reports whether a quotation of some support is no answer, whatever the second
// model says of it.
func (v *Verifier) Hopeless(support float64) bool { return v.DeclineFrom(support) < leastDeclining }
