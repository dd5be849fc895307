package lexical

import (
	"cmp"
	"context"
	"math"
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

// Search ranks the live chunks of allow, nil for all, by BM25 and returns
// the best k. Scores do not depend on allow. It is the form that Lucene
// uses since version 8, without the constant factor k1+1:
//
//	sum over terms of count * IDF * tf / (tf + k1*(1 - b + b*length/average))
//
// with the terms summed in the order of the query. Several terms of one word count as
// one: their occurrences are summed, and DF is of the chunks that hold any. (Robertson and Zaragoza,
// The Probabilistic Relevance Framework: BM25 and Beyond, 2009; Kamphuis et
// al., Which BM25 Do You Mean?, 2020.)
func (c *Collection) Search(ctx context.Context, r Reader, q Query, k int, allow *Set) (Result, error) {
	scores := c.spare.take(len(c.lengths))
	defer c.spare.keep(scores)
	result := Result{Terms: make([]TermStats, 0, len(q))}
	var list []posting
	at := &cursor{r: r}
	for _, term := range q {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		var err error
		if list, err = c.wordPostings(at, &term, list[:0]); err != nil {
			return Result{}, err
		}
		stats := TermStats{Term: term.Term, DF: len(list), IDF: c.idf(len(list)), Guessed: term.Guessed}
		result.Terms = append(result.Terms, stats)
		result.Postings += len(list)
		weight := term.Weight * stats.IDF
		for _, p := range list {
			if allow.Has(p.chunk) {
				scores.add(p.chunk, float64(weight*c.saturation(p)))
			}
		}
		if list, err = c.postingsOfAny(at, term.Exact, list[:0]); err != nil {
			return Result{}, err
		}
		for _, p := range list {
			if allow.Has(p.chunk) {
				scores.more(p.chunk, float64(exactBonus*float64(weight*c.saturation(p))))
			}
		}
	}
	result.Hits = scores.best(k)
	return result, nil
}

// Terms returns how rare the terms of a query are.
func (c *Collection) Terms(ctx context.Context, r Reader, q Query) ([]TermStats, error) {
	stats := make([]TermStats, 0, len(q))
	var list []posting
	at := &cursor{r: r}
	for _, term := range q {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if list, err = c.wordPostings(at, &term, list[:0]); err != nil {
			return nil, err
		}
		stats = append(stats, TermStats{Term: term.Term, DF: len(list), IDF: c.idf(len(list))})
	}
	return stats, nil
}

// MaxIDF is the IDF of a term that one chunk holds.
func (c *Collection) MaxIDF() float64 { return c.idf(1) }

func (c *Collection) idf(df int) float64 {
	n := float64(c.stats.Chunks)
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}

// norm returns the part of a term's score that depends on the length of the chunk
// alone. The conversions keep the compiler from fusing products into sums,
// which some machines would and others would not.
func (c *Collection) norm(length uint32) float64 {
	relative := float64(bl * float64(float64(length)/c.stats.Average))
	return float64(k1 * float64(1-bl+relative))
}

// saturation returns the part of a term's score that depends on the chunk.
func (c *Collection) saturation(p posting) float64 {
	tf := float64(p.count)
	if length := c.lengths[p.chunk]; length < uint32(len(c.norms)) {
		return tf / (tf + c.norms[length])
	}
	return tf / (tf + c.norm(c.lengths[p.chunk]))
}

// compareHits orders better hits first: higher score, then lower chunk id.
func compareHits(x, y Hit) int {
	if x.Score != y.Score {
		return cmp.Compare(y.Score, x.Score)
	}
	return cmp.Compare(x.Chunk, y.Chunk)
}
