package lexical

import (
	"cmp"
	"context"
)

// Parameters of BM25, fixed as the reference figures have them.
const (
	k1 = 0.9 // how soon repetitions of a term stop to count
	bl = 0.4 // b of the literature: how much long chunks are held back
)

// exactBonus is how much more a word counts in the spelling of the query.
const exactBonus = 0.05

// Result is the answer to a query.
type Result struct {
	Hits     []Hit       // best first
	Terms    []TermStats // one for each term of the query, in its order
	Postings int         // postings of live chunks looked at
}

// Hit is a chunk that holds a term of the query at least.
type Hit struct {
	Chunk   uint32
	Score   float64
	Matched int // distinct terms of the query that it holds
	Part    int // of the collections that were searched, the one that holds it, from 0
}

// TermStats say how rare a term is.
type TermStats struct {
	Term string
	DF   int // live chunks that hold it
	// IDF is ln(1 + (N-DF+0.5)/(DF+0.5)) over N live chunks.
	IDF float64
	// Guessed says that the term stands for a word that no chunk holds.
	Guessed bool
}

// Search is Joint.Search in one collection.
func (c *Collection) Search(ctx context.Context, r Reader, q Query, k int, allow *Set) (Result, error) {
	return NewJoint(Part{c, r}).Search(ctx, q, k, []*Set{allow})
}

// Terms is Joint.Terms in one collection.
func (c *Collection) Terms(ctx context.Context, r Reader, q Query) ([]TermStats, error) {
	return NewJoint(Part{c, r}).Terms(ctx, q)
}

// lengthNorm returns the part of a term's score that depends on the length of a chunk alone,
// where chunks have average terms. The conversions keep the compiler from fusing products
// into sums, which some machines would and others would not.
func lengthNorm(length uint32, average float64) float64 {
	relative := float64(bl * float64(float64(length)/average))
	return float64(k1 * float64(1-bl+relative))
}

// normsOf are the norms of the lengths that are looked up.
func normsOf(average float64) []float64 {
	norms := make([]float64, knownNorms)
	for length := range norms {
		norms[length] = lengthNorm(uint32(length), average)
	}
	return norms
}

// compareHits orders better hits first: higher score, then the collection that comes
// first, then lower chunk id.
func compareHits(x, y Hit) int {
	if x.Score != y.Score {
		return cmp.Compare(y.Score, x.Score)
	}
	if x.Part != y.Part {
		return cmp.Compare(x.Part, y.Part)
	}
	return cmp.Compare(x.Chunk, y.Chunk)
}
