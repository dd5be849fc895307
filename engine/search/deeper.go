package search

import (
	"dowse/engine"
)

// withDeeper returns the candidates with what a request for more results than each list has
// candidates gets behind them: the rest of deeper lists. The score of a candidate
// follows from what the first places of the lists hold (the score of a passage that one lacks,
// the weights), which is why these are as many for every request. What is behind the
// candidates scores no more than the last of them.
func (l *retrieval) withDeeper(candidates []candidate) []candidate {
	if l.how.deepest == 0 || len(candidates) == 0 {
		return candidates
	}
	meaning, scale := l.nearest(l.how.deepest, true)
	var all []candidate
	switch l.mode {
	case engine.Lexical:
		all = lexicalOnly(l.deeper)
	case engine.Vector:
		all = vectorOnly(meaning)
	default:
		all = fuseLists(l.mode, l.deeper, meaning, features(l.deeper, l.foreign(), l.codeShare), scale, &recorder{})
	}
	held := make(map[uint32]bool, len(candidates))
	for _, c := range candidates {
		held[c.chunk] = true
	}
	last := candidates[len(candidates)-1].score
	for _, c := range all {
		if !held[c.chunk] {
			c.score = min(c.score, last)
			candidates = append(candidates, c)
		}
	}
	return candidates
}
