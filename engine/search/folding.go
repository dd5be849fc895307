package search

import "dowse/engine"

// page is how many passages of a ranking are wanted.
type page struct {
	k    int
	fold bool // k that say different things; those that repeat them come besides
}

// folding fills a page with passages as they are read, best first.
type folding struct {
	page
	repeats *repeats
	counted int
	done    bool
}

// missing is how many passages are to be read next. With the last of a page goes what
// repeats it, so that one more is looked at.
func (f *folding) missing() int { return max(f.k-f.counted, 1) }

// add appends a passage with its rank and what it repeats, unless the page is full. Where it says
// the same and its file is the plainer one, it takes the better place.
func (f *folding) add(passages []engine.Passage, p engine.Passage) []engine.Passage {
	p.Rank = len(passages) + 1
	p.SimilarTo = f.repeats.of(p.Rank, &p)
	if p.SimilarTo > 0 && f.repeats.standsFor(p.SimilarTo, &p) {
		better := &passages[p.SimilarTo-1]
		p, *better = *better, p
		p.Rank, better.Rank = better.Rank, p.Rank
		p.SimilarTo, better.SimilarTo = better.SimilarTo, p.SimilarTo
		p.Score, better.Score = better.Score, p.Score
		p.Relevant, better.Relevant = better.Relevant, p.Relevant
	}
	if p.SimilarTo == 0 || !f.fold {
		if f.counted == f.k {
			f.done = true
			return passages
		}
		f.counted++
		f.done = f.counted == f.k && !f.fold
	}
	return append(passages, p)
}
