package fusion

import (
	"cmp"
	"slices"
)

// Scored is a document and its score; higher is better.
type Scored struct {
	ID    uint32
	Score float64
}

// byRank orders better documents first: by score, then by id.
func byRank(a, b Scored) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
}

// ranked returns a copy of list, best first, with each id once.
func ranked(list []Scored) []Scored {
	out := slices.Clone(list)
	slices.SortFunc(out, byRank)
	seen := make(map[uint32]bool, len(out))
	return slices.DeleteFunc(out, func(s Scored) bool {
		again := seen[s.ID]
		seen[s.ID] = true
		return again
	})
}

// sums collects the summed score of each document.
type sums map[uint32]float64

// ranking lists the documents, best first.
func (s sums) ranking() []Scored {
	out := make([]Scored, 0, len(s))
	for id, score := range s {
		out = append(out, Scored{ID: id, Score: score})
	}
	slices.SortFunc(out, byRank)
	return out
}
