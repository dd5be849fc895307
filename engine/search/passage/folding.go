package passage

import (
	"dowse/engine"

	"dowse/engine/search/repeats"
)

// Page is how many passages of a ranking are wanted.
type Page struct {
	K     int
	Fold  bool // K that say different things; those that repeat them come besides
	Files bool // of each file the best one alone
}

// Folding fills a page with passages as they are read, best first.
type Folding struct {
	Page
	repeats *repeats.Set
	seen    map[string]bool // files that are on the page, by path
	counted int
	Done    bool
}

// NewFolding returns an empty page.
func NewFolding(p Page) *Folding {
	return &Folding{Page: p, repeats: repeats.New(), seen: map[string]bool{}}
}

// Missing is how many passages are to be read next. With the last of a page goes what
// repeats it, so that one more is looked at.
func (f *Folding) Missing() int { return max(f.K-f.counted, 1) }

// Add appends a passage with its rank and what it repeats, unless the page is full. Where it says
// the same and its file is the plainer one, it takes the better place.
func (f *Folding) Add(passages []engine.Passage, p engine.Passage) []engine.Passage {
	if f.Files && f.seen[p.Path] {
		return passages
	}
	path := p.Path
	p.Rank = len(passages) + 1
	p.SimilarTo = f.repeats.Of(p.Rank, &p)
	if p.SimilarTo > 0 && f.repeats.StandsFor(p.SimilarTo, &p) {
		better := &passages[p.SimilarTo-1]
		p, *better = *better, p
		p.Rank, better.Rank = better.Rank, p.Rank
		p.SimilarTo, better.SimilarTo = better.SimilarTo, p.SimilarTo
		p.Score, better.Score = better.Score, p.Score
		p.Relevant, better.Relevant = better.Relevant, p.Relevant
	}
	if p.SimilarTo == 0 || !f.Fold {
		if f.counted == f.K {
			f.Done = true
			return passages
		}
		f.counted++
		f.Done = f.counted == f.K && !f.Fold
	}
	f.seen[path] = true
	return append(passages, p)
}
