package search

import (
	"cmp"
	"math"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/leann"
	"dowse/engine/lexical"
)

// Step fuse: one ranking of the two lists.

// fuse makes one ranking of what was found, and judges what of it is on the topic.
func (l *retrieval) fuse(meaning []leann.Hit, scale fusion.Scale, rec *recorder) []candidate {
	ranked := l.withDeeper(l.fused(meaning, scale, rec))
	tells := l.tellsRelevant(l.q, l.mode)
	rec.tells = tells
	switch reranks := l.req.Mode == "" || l.req.Mode == engine.Reranked; {
	case !l.req.Estimate:
		if tells {
			judgeCloseness(ranked, l.opts.RelevantFrom)
		}
	case reranks && l.opts.Reranker != nil && len(ranked) > 1 || tells && len(ranked) > 0:
		rec.stats.Estimated = true
	}
	return ranked
}

// fused is the ranking of the candidates of both lists, or of the one that the mode has.
func (l *retrieval) fused(meaning []leann.Hit, scale fusion.Scale, rec *recorder) []candidate {
	switch l.mode {
	case engine.Lexical:
		list := lexicalOnly(l.words)
		if len(list) == 0 {
			return list
		}
		return l.rankCode(list, list[0].score)
	case engine.Vector:
		return vectorOnly(meaning)
	}
	clock := time.Now()
	fused := l.boosted(fuseLists(l.mode, l.words, meaning, features(l.words, l.foreign(), l.codeShare), scale, rec))
	if fuses(l.mode) {
		fused = l.rankCode(fused, 1)
	}
	rec.stage("fuse", clock, len(l.words.Hits)+len(meaning), len(fused), 0)
	return fused
}

// lexicalOnly is the BM25 list as it is.
func lexicalOnly(words lexical.Result) []candidate {
	out := make([]candidate, len(words.Hits))
	for i, h := range words.Hits {
		out[i] = candidate{chunk: h.Chunk, score: h.Score, lexicalRank: i + 1, lexicalScore: h.Score}
	}
	return out
}

// vectorOnly is the vector list as it is.
func vectorOnly(meaning []leann.Hit) []candidate {
	out := make([]candidate, len(meaning))
	for i, h := range meaning {
		out[i] = candidate{chunk: h.Chunk, score: h.Score, vectorRank: i + 1, vectorScore: h.Score}
	}
	return out
}

// fuseLists merges the list by words and the list by meaning, whose cosines are on a scale.
func fuseLists(mode engine.Mode, words lexical.Result, meaning []leann.Hit, query fusion.Features, scale fusion.Scale, rec *recorder) []candidate {
	found := make(map[uint32]*candidate, len(words.Hits)+len(meaning))
	at := func(chunk uint32) *candidate {
		if found[chunk] == nil {
			found[chunk] = &candidate{chunk: chunk}
		}
		return found[chunk]
	}
	for i, h := range words.Hits {
		c := at(h.Chunk)
		c.lexicalRank, c.lexicalScore = i+1, h.Score
	}
	for i, h := range meaning {
		c := at(h.Chunk)
		c.vectorRank, c.vectorScore = i+1, h.Score
	}
	lexical, vector := scoredWords(words), scoredMeaning(meaning, scale)
	var fused []fusion.Scored
	if mode == engine.RRF {
		fused = fusion.RRF(fusion.ReferenceK, lexical, vector)
	} else {
		var weights fusion.Weights
		fused, weights = fusion.Adaptive(lexical, vector, query)
		rec.stats.LexicalWeight, rec.stats.VectorWeight = weights.Lexical, weights.Vector
	}
	out := make([]candidate, len(fused))
	for i, f := range fused {
		out[i] = *found[f.ID]
		out[i].score = f.Score
	}
	breakTies(out)
	setCloseness(out, words, meaning, scale)
	return out
}

// breakTies puts the closer in meaning first of those with equal scores, then the better by
// words. Sums of ranks are often equal: first and second make as much as second and first.
// Ids are no order for them: files are numbered by their times, which a copy changes.
func breakTies(list []candidate) {
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(listed(a.vectorRank), listed(b.vectorRank)),
			cmp.Compare(listed(a.lexicalRank), listed(b.lexicalRank)))
	})
}

// listed is a rank to compare by: candidates that a list lacks come last.
func listed(rank int) int {
	if rank == 0 {
		return math.MaxInt
	}
	return rank
}

// wordsBonus returns what words add to the cosine of each hit where both are fused, on the
// scale of cosines: a vector is worth recomputing where it decides about the first places
// of the final ranking, not of the list by meaning. At 32 vectors this brought nDCG@10 of
// 11,429 abstracts from 0.502 to 0.509 and of 5,183 from 0.728 to 0.731; exact scans have
// 0.510 and 0.733.
func wordsBonus(words lexical.Result, hits []leann.Hit, query fusion.Features, scale fusion.Scale) []float64 {
	fused, weights := fusion.Adaptive(scoredWords(words), scoredMeaning(hits, scale), query)
	score := make(map[uint32]float64, len(fused))
	for _, f := range fused {
		score[f.ID] = scale.Cosine(f.Score / weights.Vector)
	}
	bonus := make([]float64, len(hits))
	for i, h := range hits {
		bonus[i] = score[h.Chunk] - h.Score
	}
	return bonus
}

func scoredWords(words lexical.Result) []fusion.Scored {
	list := make([]fusion.Scored, len(words.Hits))
	for i, h := range words.Hits {
		list[i] = fusion.Scored{ID: h.Chunk, Score: h.Score}
	}
	return list
}

func scoredMeaning(meaning []leann.Hit, scale fusion.Scale) []fusion.Scored {
	list := make([]fusion.Scored, len(meaning))
	for i, h := range meaning {
		list[i] = fusion.Scored{ID: h.Chunk, Score: scale.Of(h.Score)}
	}
	return list
}

// features is what BM25 and the embedder know of the query that fusion weighs by.
func features(words lexical.Result, foreign bool, code float64) fusion.Features {
	f := fusion.Features{Terms: len(words.Terms), Foreign: foreign, Code: code}
	for _, t := range words.Terms {
		if t.DF == 0 || t.Guessed {
			f.Unknown++
		}
	}
	return f
}

// foreignFrom is the share of a query's letters from which on its script counts as one
// that the embedder does not know, where it spells them. Of 250 queries each about packages
// (train/packages.py) all-MiniLM-L6-v2 spells .02 of English, at most .22 of German, French,
// Spanish and Finnish ones, and .77 of Russian and .71 of Japanese in the mean;
// multilingual-e5-small .04 of Russian and .15 of Japanese.
const foreignFrom = .4

// speller is an embedder of this machine, which can say how it reads a text; those of
// servers cannot.
type speller interface {
	// Spelled is the share of the letters of a text that no word or part of a word is
	// known for.
	Spelled(text string) float64
}

// foreign reports whether the script of the query is foreign to all embedders that rank.
func (l *retrieval) foreign() bool {
	ranks := false
	for _, p := range l.indexes {
		if p.compares() && !p.query.foreign {
			return false
		}
		ranks = ranks || p.compares()
	}
	for _, m := range l.machines {
		if m.ranked == nil || len(m.ranked.Meaning.Chunks) == 0 {
			continue
		}
		if !m.ranked.Foreign {
			return false
		}
		ranks = true
	}
	return ranks
}

// foreign reports whether an embedder does not know the script of a query.
func foreign(e engine.Embedder, query string) bool {
	s, ok := e.(speller)
	return ok && s.Spelled(query) >= foreignFrom
}
