package generate

import (
	"context"
	"math"
	"slices"
	"time"

	"dowse/engine/generate/draft"
)

// Observer is a Drafter that learns the model's successors of prompt tokens.
type Observer interface {
	// Observe gives the likeliest candidates after the token at a place, in
	// descending order.
	Observe(place int, candidates []draft.Candidate)
}

// Timer is a Drafter that learns the cost of its trees.
type Timer interface {
	// Took gives the seconds of the pass that verified a tree of that many
	// nodes.
	Took(nodes int, seconds float64)
}

// Selector is a Sequence that computes the logits of some words alone after
// each appended token: logits is [len(ids),len(words)].
type Selector interface {
	AppendSelected(ctx context.Context, ids, words []int32, logits []float32) error
}

const (
	// maxCandidates bounds the candidates of a place.
	maxCandidates = 3
	// leastCandidate is the least probability of a candidate.
	leastCandidate = 0.05
)

// reader returns a function that appends pieces of the prompt, with observation
// if the drafter is an Observer and the sequence a Selector.
func (r *run) reader(prompt []int32) func(ctx context.Context, ids []int32) error {
	watcher, first := r.options.Drafter.(Observer)
	source, second := r.sequence.(Selector)
	if !first || !second || len(r.options.Shortlist) == 0 {
		return func(ctx context.Context, ids []int32) error { return r.sequence.Append(ctx, ids, nil) }
	}
	words := slices.Concat(prompt, r.options.Shortlist)
	slices.Sort(words)
	words = slices.Compact(words)
	return func(ctx context.Context, ids []int32) error {
		place, n := len(r.sequence.Tokens()), len(words)
		r.logits = slices.Grow(r.logits[:0], len(ids)*n)[:len(ids)*n]
		if err := source.AppendSelected(ctx, ids, words, r.logits); err != nil {
			return err
		}
		begin := time.Now()
		for i := range ids {
			if found := candidates(words, r.logits[i*n:(i+1)*n]); len(found) > 0 {
				watcher.Observe(place+i, found)
			}
		}
		r.result.Stats.DraftTime += time.Since(begin)
		return nil
	}
}

// candidates returns the likeliest words in descending order, with their shares
// among the given words.
func candidates(words []int32, logits []float32) []draft.Candidate {
	var best [maxCandidates]int
	n := 0
	for i, v := range logits {
		at := n
		for at > 0 && v > logits[best[at-1]] {
			at--
		}
		if at == maxCandidates {
			continue
		}
		n = min(n+1, maxCandidates)
		copy(best[at+1:n], best[at:n-1])
		best[at] = i
	}
	if n == 0 {
		return nil
	}
	// Logits more than 12 below the largest add a few parts in 10^5 each.
	total, top := 0.0, logits[best[0]]
	for _, v := range logits {
		if v > top-12 {
			total += math.Exp(float64(v - top))
		}
	}
	found := make([]draft.Candidate, 0, maxCandidates)
	for _, i := range best[:n] {
		if p := math.Exp(float64(logits[i]-top)) / total; p >= leastCandidate {
			found = append(found, draft.Candidate{Token: words[i], Probability: float32(p)})
		}
	}
	return found
}
