package lexical

import (
	"context"
	"math"
	"slices"
)

// Part is one of several collections that are searched together, with a Reader on its state
// of the store.
type Part struct {
	Collection *Collection
	Reader     Reader
}

// Joint are collections that are searched as if they were one: chunks, their lengths and
// the chunks that hold a term are counted over all of them, so that each chunk has the
// score that it would have if one collection held them all, to the bit. Scores of
// collections that count for themselves alone could not be compared: a word that is rare
// among letters is common among programs.
type Joint struct {
	parts   []Part
	chunks  int       // live ones
	average float64   // terms of a chunk
	norms   []float64 // by length, as a Collection has them
}

// NewJoint returns the collections as one.
func NewJoint(parts ...Part) *Joint {
	j := &Joint{parts: parts}
	if len(parts) == 1 {
		c := parts[0].Collection
		j.chunks, j.average, j.norms = c.stats.Chunks, c.stats.Average, c.norms
		return j
	}
	length := int64(0)
	for _, p := range parts {
		j.chunks += p.Collection.stats.Chunks
		length += p.Collection.stats.Length
	}
	if j.chunks > 0 {
		j.average = float64(length) / float64(j.chunks)
	}
	j.norms = normsOf(j.average)
	return j
}

// Search ranks the live chunks by BM25 and returns the best k; allow has those of each
// collection that may be returned, nil for all. Scores do not depend on allow. It is the
// form that Lucene uses since version 8, without the constant factor k1+1:
//
//	sum over terms of count * IDF * tf / (tf + k1*(1 - b + b*length/average))
//
// with the terms summed in the order of the query. Several terms of one word count as
// one: their occurrences are summed, and DF is of the chunks that hold any. (Robertson and Zaragoza,
// The Probabilistic Relevance Framework: BM25 and Beyond, 2009; Kamphuis et
// al., Which BM25 Do You Mean?, 2020.)
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

// bestOf takes the k highest scores of all collections.
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

// Terms returns how rare the terms of a query are.
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

// term puts the postings of a term in each collection into lists, and says how rare it is.
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
	stats.IDF = j.idf(stats.DF)
	return stats, nil
}

// Languages returns those of the live chunks. English is always among them.
func (j *Joint) Languages(ctx context.Context) (all Languages, err error) {
	for _, p := range j.parts {
		in, err := p.Collection.Languages(ctx, p.Reader)
		if err != nil {
			return 0, err
		}
		all |= in
	}
	return all, nil
}

// MaxIDF is the IDF of a term that one chunk holds.
func (j *Joint) MaxIDF() float64 { return j.idf(1) }

func (j *Joint) idf(df int) float64 {
	n := float64(j.chunks)
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}

// saturation returns the part of a term's score that depends on the chunk.
func (j *Joint) saturation(c *Collection, p posting) float64 {
	tf, length := float64(p.count), c.lengths[p.chunk]
	if length < uint32(len(j.norms)) {
		return tf / (tf + j.norms[length])
	}
	return tf / (tf + lengthNorm(length, j.average))
}

// eachTerm is Collection.eachTerm of all collections.
func (j *Joint) eachTerm(ctx context.Context, prefix string, fn func(term []byte)) error {
	for _, p := range j.parts {
		if err := p.Collection.eachTerm(ctx, p.Reader, prefix, fn); err != nil {
			return err
		}
	}
	return nil
}
