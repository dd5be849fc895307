package reply

import (
	"sort"

	"dowse/engine"
)

// Page is a part of a ranking.
type Page struct {
	Offset int // passages before it
	Limit  int // passages on it, at most
}

// Wanted is how many passages to ask for, one more than are shown: whether there is one says whether
// the ranking goes on.
func (p Page) Wanted() int { return p.Offset + p.Limit + 1 }

// Of returns the passages on the page, and whether more follow. Passages that repeat a better
// one come with that where they were folded.
func (p Page) Of(passages []engine.Passage, folded bool) (shown []engine.Passage, more bool) {
	shown = []engine.Passage{}
	counted, on := 0, map[int]bool{}
	for _, passage := range passages {
		if folded && passage.SimilarTo != 0 {
			if on[passage.SimilarTo] {
				shown = append(shown, passage)
			}
			continue
		}
		if counted++; counted > p.Offset+p.Limit {
			more = true
			continue
		}
		if counted > p.Offset {
			shown, on[passage.Rank] = append(shown, passage), true
		}
	}
	return shown, more
}

// Fit returns how many of n things fit into a budget of bytes, where size is what the first k of
// them take, which does not fall with k. It is n where there is no budget.
func Fit(n, budget int, size func(k int) int) int {
	if budget <= 0 || size(n) <= budget {
		return n
	}
	return max(0, sort.Search(n, func(k int) bool { return size(k) > budget })-1)
}
