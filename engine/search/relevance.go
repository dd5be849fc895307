package search

import (
	"math"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/leann"
	"dowse/engine/lexical"
)

// Any query finds something. A passage is relevant if its closeness, the cosine of its vector
// plus wordShare of the query's words that it holds, is at least Options.RelevantFrom, or if it
// holds all of the words. A calibrated reranker decides instead about what it read to the end.
// Everything is relevant where nothing tells: in a ranking by words alone, with phrases, and for
// estimates, so that the screen does not flicker while keys come. No answer is made of a result
// without a relevant passage.

// wordShare is what holding all words of the query adds to the cosine of a passage.
const wordShare = 0.2

// setCloseness tells how close each candidate of the two lists is to the query: its
// cosine, on a scale, and, lightly, the share of the query's words that it holds. One that the list
// by meaning lacks is at most as close as the last that it has.
func setCloseness(candidates []candidate, words lexical.Result, meaning []leann.Hit, scale fusion.Scale) {
	matched := make(map[uint32]int, len(words.Hits))
	for _, h := range words.Hits {
		matched[h.Chunk] = h.Matched
	}
	least := 0.0
	if n := len(meaning); n > 0 {
		least = scale.Of(meaning[n-1].Score)
	}
	for i := range candidates {
		c := &candidates[i]
		c.closeness = least
		if c.vectorRank > 0 {
			c.closeness = scale.Of(c.vectorScore)
		}
		if n := len(words.Terms); n > 0 {
			c.closeness += wordShare * float64(matched[c.chunk]) / float64(n)
			c.wordy = matched[c.chunk] == n
		}
	}
}

// tellsRelevant reports whether the final ranking of a query tells what is relevant.
func (e *Engine) tellsRelevant(q *formulation, mode engine.Mode) bool {
	return e.opts.RelevantFrom != 0 && fuses(mode) && len(q.Phrases)+len(q.Exact) == 0
}

// judgeCloseness tells by the two lists alone which candidates are off the topic. None
// that holds every word of the query is.
func judgeCloseness(candidates []candidate, from float64) {
	for i := range candidates {
		c := &candidates[i]
		c.offTopic = !c.wordy && c.closeness < from
	}
}

// judgeReranked takes the reranker's word for the candidates whose relevance it tells.
// The others keep the verdict of the two lists, unless the reranker finds no candidate on the
// topic: then only candidates that hold every word of the query are. Without a verdict on any
// candidate that of the lists stands; a reranker that cannot tell makes everything relevant.
func judgeReranked(ranked []candidate, done *engine.Reranking, relevance map[uint32]float64) {
	switch {
	case done.Relevance == nil:
		for i := range ranked {
			ranked[i].offTopic = false
		}
		return
	case len(relevance) == 0:
		return
	}
	none := true
	for i := range ranked {
		c := &ranked[i]
		if r, read := relevance[c.chunk]; read {
			c.offTopic = !c.wordy && r < 0
			none = none && c.offTopic
		}
	}
	if !none {
		return
	}
	for i := range ranked {
		ranked[i].offTopic = !ranked[i].wordy
	}
}

// relevanceOf is the relevance of the candidates that a reranker read to the end, by
// chunk.
func relevanceOf(head []candidate, done *engine.Reranking) map[uint32]float64 {
	told := map[uint32]float64{}
	for n, r := range done.Relevance {
		if !math.IsNaN(r) {
			told[head[n].chunk] = r
		}
	}
	return told
}

// drawLine marks as relevant all passages up to the last one that is on the topic: a
// person who reads from the top meets one line, and what ranks above a relevant
// passage stays above it.
func drawLine(passages []engine.Passage) {
	last := len(passages) - 1
	for last >= 0 && !passages[last].Relevant {
		last--
	}
	for i := range passages[:last+1] {
		passages[i].Relevant = true
	}
}
