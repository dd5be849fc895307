package answerbench

import (
	"cmp"
	"math"
	"slices"

	"dowse/engine/answer"
	"dowse/internal/eval"
)

// index ranks documents by BM25, held in memory: enough for collections of a
// few thousand.
type index struct {
	analyzer answer.Analyzer
	postings map[string][]posting
	lengths  []float64
	mean     float64
}

type posting struct {
	doc   int
	count float64
}

func newIndex(documents []eval.Document, analyzer answer.Analyzer) *index {
	x := &index{analyzer: analyzer, postings: make(map[string][]posting), lengths: make([]float64, len(documents))}
	for doc, d := range documents {
		counts := make(map[string]float64)
		for _, t := range analyzer.Append(nil, d.Passage()) {
			counts[t]++
			x.lengths[doc]++
		}
		for t, n := range counts {
			x.postings[t] = append(x.postings[t], posting{doc, n})
		}
		x.mean += x.lengths[doc] / float64(len(documents))
	}
	return x
}

// ranked is a document and its score.
type ranked struct {
	doc   int
	score float64
}

// BM25's constants, as Anserini sets them.
const (
	bm25K1 = 0.9
	bm25B  = 0.4
)

// search gives the k best documents that allow admits.
func (x *index) search(text string, k int, allow func(doc int) bool) []ranked {
	scores := make([]float64, len(x.lengths))
	for _, t := range x.analyzer.Append(nil, text) {
		list := x.postings[t]
		rarity := math.Log(1 + (float64(len(x.lengths))-float64(len(list))+0.5)/(float64(len(list))+0.5))
		for _, p := range list {
			norm := bm25K1 * (1 - bm25B + bm25B*x.lengths[p.doc]/x.mean)
			scores[p.doc] += rarity * p.count / (p.count + norm)
		}
	}
	var found []ranked
	for doc, s := range scores {
		if s > 0 && allow(doc) {
			found = append(found, ranked{doc, s})
		}
	}
	slices.SortFunc(found, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc))
	})
	return found[:min(k, len(found))]
}
