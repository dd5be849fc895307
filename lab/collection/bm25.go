package collection

import (
	"cmp"
	"math"
	"slices"
)

// Terms makes terms of a text.
type Terms interface {
	// Append appends the terms of text to dst, in order.
	Append(dst []string, text string) []string
}

// BM25 ranks documents in memory, enough for collections of some ten thousand. It
// is not safe for concurrent use.
type BM25 struct {
	terms    Terms
	postings map[string][]posting
	lengths  []float64
	mean     float64
}

type posting struct {
	doc   int
	count float64
}

// NewBM25 indexes documents.
func NewBM25(documents []Document, terms Terms) *BM25 {
	x := &BM25{terms: terms, postings: make(map[string][]posting), lengths: make([]float64, len(documents))}
	for doc, d := range documents {
		counts := make(map[string]float64)
		for _, t := range terms.Append(nil, d.Passage()) {
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

// Scored is a document, by its place among those that were indexed, and its score.
type Scored struct {
	Doc   int
	Score float64
}

// BM25's constants, as Anserini sets them.
const (
	bm25K1 = 0.9
	bm25B  = 0.4
)

// Search returns the k best documents that allow admits, best first; a nil allow
// admits all. Documents without a term of the text are left out.
func (x *BM25) Search(text string, k int, allow func(doc int) bool) []Scored {
	scores := make([]float64, len(x.lengths))
	for _, t := range x.terms.Append(nil, text) {
		list := x.postings[t]
		rarity := math.Log(1 + (float64(len(x.lengths))-float64(len(list))+0.5)/(float64(len(list))+0.5))
		for _, p := range list {
			norm := bm25K1 * (1 - bm25B + bm25B*x.lengths[p.doc]/x.mean)
			scores[p.doc] += rarity * p.count / (p.count + norm)
		}
	}
	var found []Scored
	for doc, s := range scores {
		if s > 0 && (allow == nil || allow(doc)) {
			found = append(found, Scored{doc, s})
		}
	}
	slices.SortFunc(found, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc))
	})
	return found[:min(k, len(found))]
}
