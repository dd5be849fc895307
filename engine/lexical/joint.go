package lexical

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Part is one of several collections searched together, with a Reader of its state.
type Part struct {
	Collection *Collection
	Reader     Reader
}

// Joint searches collections as one: chunks, lengths and document frequencies are counted over
// all of them, so scores equal those of a single collection to the bit. Scores of collections
// that count alone are not comparable: a word that is rare among letters is common among programs.
type Joint struct {
	parts     []Part
	elsewhere Elsewhere // that is counted too
	chunks    int       // live
	length    int64     // terms of them
	average   float64   // terms of a chunk
	norms     []float64 // as in Collection
}

// NewJoint returns the collections as one.
func NewJoint(parts ...Part) *Joint {
	j := &Joint{parts: parts}
	if len(parts) == 1 {
		c := parts[0].Collection
		j.chunks, j.length, j.average, j.norms = c.stats.Chunks, c.stats.Length, c.stats.Average, c.norms
		return j
	}
	for _, p := range parts {
		j.chunks += p.Collection.stats.Chunks
		j.length += p.Collection.stats.Length
	}
	j.measure()
	return j
}

// Search ranks live chunks by BM25 and returns the best k. allow holds the allowed chunks of each
// collection, nil for all; scores do not depend on it. The form is that of Lucene 8, without the
// constant factor k1+1:
//
//	sum over terms of count * IDF * tf / (tf + k1*(1 - b + b*length/average))
//
// in the order of the query. Terms of one word count as one: tf is their sum, DF the chunks with
// any. (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009;
// Kamphuis et al., Which BM25 Do You Mean?, 2020.)
func (j *Joint) Search(ctx context.Context, q Query, k int, allow []*Set) (Result, error) {
	scores := make([]*accumulator, len(j.parts))
	for i, p := range j.parts {
		scores[i] = p.Collection.spare.take(len(p.Collection.lengths))
		defer p.Collection.spare.keep(scores[i])
	}
	result := Result{Terms: make([]TermStats, 0, len(q))}
	lists := make([][]posting, len(j.parts))
	for _, term := range q {
		stats, err := j.term(ctx, &term, lists)
		if err != nil {
			return Result{}, err
		}
		stats.Guessed = term.Guessed
		result.Terms = append(result.Terms, stats)
		result.Postings += stats.DF
		weight := term.Weight * stats.IDF
		for i, p := range j.parts {
			for _, posting := range lists[i] {
				if allow[i].Has(posting.chunk) {
					scores[i].add(posting.chunk, float64(weight*j.saturation(p.Collection, posting)))
				}
			}
			exact, err := p.Collection.postingsOfAny(&cursor{r: p.Reader}, term.Exact, lists[i][:0])
			if err != nil {
				return Result{}, err
			}
			for _, posting := range exact {
				if allow[i].Has(posting.chunk) {
					scores[i].more(posting.chunk, float64(exactBonus*float64(weight*j.saturation(p.Collection, posting))))
				}
			}
		}
	}
	result.Hits = bestOf(scores, k)
	return result, nil
}

// bestOf merges the k highest scores of all collections.
func bestOf(scores []*accumulator, k int) []Hit {
	if len(scores) == 1 {
		return scores[0].best(k)
	}
	var hits []Hit
	for i, s := range scores {
		for _, h := range s.best(k) {
			h.Part = i
			hits = append(hits, h)
		}
	}
	slices.SortFunc(hits, compareHits)
	return hits[:min(k, len(hits))]
}

// Terms returns the document frequencies of a query's terms.
func (j *Joint) Terms(ctx context.Context, q Query) ([]TermStats, error) {
	stats, lists := make([]TermStats, 0, len(q)), make([][]posting, len(j.parts))
	for _, term := range q {
		s, err := j.term(ctx, &term, lists)
		if err != nil {
			return nil, err
		}
		stats = append(stats, s)
	}
	return stats, nil
}

// term puts a term's postings in each collection into lists and returns its frequency.
func (j *Joint) term(ctx context.Context, t *QueryTerm, lists [][]posting) (TermStats, error) {
	stats := TermStats{Term: t.Term}
	for i, p := range j.parts {
		if err := ctx.Err(); err != nil {
			return stats, err
		}
		var err error
		if lists[i], err = p.Collection.wordPostings(&cursor{r: p.Reader}, t, lists[i][:0]); err != nil {
			return stats, err
		}
		stats.DF += len(lists[i])
	}
	stats.DF += j.elsewhere.of(t).DF
	stats.IDF = j.idf(stats.DF)
	return stats, nil
}

// Languages returns the languages of live chunks, always including English.
func (j *Joint) Languages(ctx context.Context) (all Languages, err error) {
	all = j.elsewhere.Languages.With(English)
	for _, p := range j.parts {
		in, err := p.Collection.Languages(ctx, p.Reader)
		if err != nil {
			return 0, err
		}
		all |= in
	}
	return all, nil
}

// MaxIDF is the IDF of a term in one chunk.
func (j *Joint) MaxIDF() float64 { return j.idf(1) }

func (j *Joint) idf(df int) float64 {
	n := float64(j.chunks)
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}

// saturation returns the factor of a term's score that depends on the chunk.
func (j *Joint) saturation(c *Collection, p posting) float64 {
	tf, length := float64(p.count), c.lengths[p.chunk]
	if length < uint32(len(j.norms)) {
		return tf / (tf + j.norms[length])
	}
	return tf / (tf + lengthNorm(length, j.average))
}

func (j *Joint) eachTerm(ctx context.Context, prefix string, fn func(term []byte)) error {
	for _, p := range j.parts {
		if err := p.Collection.eachTerm(ctx, p.Reader, prefix, fn); err != nil {
			return err
		}
	}
	return nil
}

// Parameters of BM25, those of the reference figures.
const (
	k1 = 0.9 // saturation of repeated terms
	bl = 0.4 // b of the literature: penalty of long chunks
)

// exactBonus is the bonus of a word in the query's spelling.
const exactBonus = 0.05

// Result is the answer to a query.
type Result struct {
	Hits     []Hit       // best first
	Terms    []TermStats // one for each term of the query, in its order
	Postings int         // of live chunks, read
}

// Hit is a chunk with at least one term of the query.
type Hit struct {
	Chunk   uint32
	Score   float64
	Matched int // distinct terms of the query
	Part    int // index of its collection
}

// TermStats say how rare a term is.
type TermStats struct {
	Term string
	DF   int // live chunks with the term
	// IDF is ln(1 + (N-DF+0.5)/(DF+0.5)) over N live chunks.
	IDF float64
	// Guessed: the term replaces a word that no chunk has.
	Guessed bool
}

// lengthNorm returns the part of a term's score that depends on a chunk's length and the
// average. The conversions keep compilers from fusing products and sums, which would make scores
// differ between machines.
func lengthNorm(length uint32, average float64) float64 {
	relative := float64(bl * float64(float64(length)/average))
	return float64(k1 * float64(1-bl+relative))
}

func normsOf(average float64) []float64 {
	norms := make([]float64, knownNorms)
	for length := range norms {
		norms[length] = lengthNorm(uint32(length), average)
	}
	return norms
}

// compareHits orders hits by descending score, then by collection and chunk id.
func compareHits(x, y Hit) int {
	if x.Score != y.Score {
		return cmp.Compare(y.Score, x.Score)
	}
	if x.Part != y.Part {
		return cmp.Compare(x.Part, y.Part)
	}
	return cmp.Compare(x.Chunk, y.Chunk)
}
