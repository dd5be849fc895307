package draft

import (
	"math"
	"slices"
)

// DefaultFrequent is how many frequent tokens a shortlist holds beside those of
// the context.
const DefaultFrequent = 2000

// Shortlist returns the ids of the rows of the output layer that calibration
// needs, ascending: those of the distinct tokens of the context and of frequent
// ones. What a draft may copy is in the context; the frequent ones keep the
// probabilities honest. It changes drafts alone: verification reads all rows.
//
// frequent is a list of ids, the most frequent first, of which the first 2,000
// are taken; for vocabularies of merged pairs the order of ids is close to it.
func Shortlist(context, frequent []int32) []int32 {
	ids := slices.Clone(context)
	ids = append(ids, frequent[:min(DefaultFrequent, len(frequent))]...)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Best appends to dst what Observe wants to know of a place: the three most
// probable of the tokens that have these logits, the most probable first.
// Probabilities are shares of the softmax over the given tokens alone, and so a
// little too high; they are in (0, 1] and may be below what Observe keeps.
func Best(dst []Candidate, tokens []int32, logits []float32) []Candidate {
	start := len(dst)
	top := float32(math.Inf(-1))
	for _, logit := range logits {
		top = max(top, logit)
	}
	var sum float64
	for i, logit := range logits {
		sum += math.Exp(float64(logit - top))
		at := len(dst)
		for at > start && dst[at-1].Probability < logit {
			at--
		}
		if at-start < keptSuccessors {
			dst = slices.Insert(dst, at, Candidate{Token: tokens[i], Probability: logit})
			dst = dst[:min(len(dst), start+keptSuccessors)]
		}
	}
	for i := start; i < len(dst); i++ {
		dst[i].Probability = float32(math.Exp(float64(dst[i].Probability-top)) / sum)
	}
	return dst
}
