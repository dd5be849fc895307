package search

import (
	"context"
	"math"
	"strings"

	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// contrast compares what a question finds by itself with what the files hold that answered
// the questions before it: a question on a new subject finds something better elsewhere.
// "and which app do I use to keep recipes" goes on by its words alone, and changes the
// subject by what it finds.
type contrast struct {
	meaning float64 // cosine of the nearest passage of all, less that of the nearest of these files
	words   float64 // the same of BM25 scores, in IDFs of a term that one chunk holds
	asked   float64 // cosine of the question and the one before it
}

// standsAlone is standsAlone by the contrast too: a logistic regression fitted to the 319
// follow-ups that choices are made on, each after right answers (29 of them on a new
// subject, 23 of these answered by a file that answered before), and to 115 first
// questions behind another conversation, as they are and with "and" in front of them.
// Cross-validated, how many of each are told to stand alone:
//
//	                     on the subject  new   joined  joined with "and"
//	words alone                    .155  .793    .896   .113
//	words, fitted to these         .155  .724    .791   .800
//	and the contrast               .124  .621    .939   .922
//
// The new subjects that it misses are those that go on with the same file.
func (c *contrast) standsAlone(question string, specific float64) float64 {
	x := float64(2.28*specific) - 4.29 + float64(3.51*c.meaning) + float64(2.2*c.words) - float64(3.42*c.asked)
	words := plainWords(question)
	if pointsBack(words) {
		x -= 1.88
	}
	if goesOn(words) {
		x -= 0.61
	}
	return 1 / (1 + math.Exp(-x))
}

// contrasted is the contrast of the query; nil where the mode does not search by words
// and by meaning, or no file answered before. rarest is the IDF of a term that one chunk holds.
func (l *retrieval) contrasted(ctx context.Context, txs []*store.Tx, rarest float64) (*contrast, error) {
	if !fuses(l.mode) || rarest <= 0 || l.unembedded() || len(l.machines) > 0 { // machines have not ranked yet
		return nil, nil
	}
	before, any := make([]*lexical.Set, len(l.indexes)), false
	for i, p := range l.indexes {
		before[i] = p.answeredBefore(txs[i])
		any = any || before[i].Len() > 0
	}
	if !any {
		return nil, nil
	}
	c := &contrast{}
	for _, side := range []struct {
		sign float64
		of   []*lexical.Set
	}{{1, l.allowed()}, {-1, before}} {
		words, err := l.bestByWords(ctx, txs, side.of)
		if err != nil {
			return nil, err
		}
		meaning, err := l.bestByMeaning(ctx, txs, side.of)
		if err != nil {
			return nil, err
		}
		c.words += float64(side.sign * words / rarest)
		c.meaning += float64(side.sign * meaning)
	}
	c.asked = l.nearTheLast()
	return c, nil
}

// answeredBefore are the allowed chunks of the files that answered earlier questions.
func (p *indexSearch) answeredBefore(tx *store.Tx) *lexical.Set {
	chunks := lexical.NewSet(tx.NextChunk())
	for _, e := range p.q.earlier {
		for _, path := range e.files {
			file, err := tx.FileByPath(path)
			if err != nil {
				continue // it is gone, or its record is damaged
			}
			for _, id := range file.IDs.All() {
				if p.left.Allow.Has(id) {
					chunks.Add(id)
				}
			}
		}
	}
	return chunks
}

// bestByWords is the BM25 score of the best chunk for the query alone; 0 where none has a
// word of it that says what it is about.
func (l *retrieval) bestByWords(ctx context.Context, txs []*store.Tx, allowed []*lexical.Set) (float64, error) {
	words := l.opts.Analyzer.QueryIn(strings.Join(telling(l.q.Text()), " "), l.in)
	found, err := l.searchJointly(ctx, l.joint(txs), words, 1, allowed)
	if err != nil || len(found.Hits) == 0 {
		return 0, err
	}
	return found.Hits[0].Score, nil
}

// bestByMeaning is the cosine, by what the indexes hold, of the nearest chunk to the query
// alone, on the scale that rankings are fused on; 0 where none is near.
func (l *retrieval) bestByMeaning(ctx context.Context, txs []*store.Tx, allowed []*lexical.Set) (best float64, err error) {
	for i, p := range l.indexes {
		if !p.compares() {
			continue
		}
		var hits []leann.Hit
		if p.opts.Scan {
			hits, _, err = p.opts.Vectors.Flat().Search(ctx, p.query.vector, 1, allowed[i], txs[i].Vectors)
		} else {
			var found leann.Found
			found, err = p.opts.Vectors.Search(ctx, snapshot.Vectors(txs[i]), nil, leann.Query{
				Vector: p.query.vector, Depth: 1, Allowed: allowed[i], Errors: p.commit.Snap.Errors,
			})
			hits = byScore(found)
		}
		if err != nil {
			return 0, err
		}
		if len(hits) > 0 {
			best = max(best, p.opts.Cosines.Of(hits[0].Score))
		}
	}
	return best, nil
}

// nearTheLast is the cosine of the query and the question before it, by the first index that
// has their vectors.
func (l *retrieval) nearTheLast() float64 {
	for _, p := range l.indexes {
		own, last := p.query.vector, p.q.earlier[0].vector
		if !p.compares() || len(own) != len(last) {
			continue
		}
		sum := 0.0
		for i, x := range own {
			sum += float64(float64(x) * float64(last[i]))
		}
		if length := norm(own) * norm(last); length > 0 {
			return p.opts.Cosines.Of(sum / length)
		}
	}
	return 0
}
