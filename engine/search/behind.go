package search

import (
	"context"
	"slices"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Words come first: while files are indexed, passages are found by words before they have a vector. The best of these
// get theirs when they are found, as recomputed ones do, so that they do not rank as if they meant something else.

// comingText says that meaning finds less than it will.
const comingText = "some passages are found by words alone for now: their vectors are still to come; dowse status says how far that is"

// roughText says the same where meaning is estimated until then.
const roughText = "the meaning of some passages is estimated from their words for now: their vectors are still to come; dowse status says how far that is"

// maxBehind is how many that are: half of what a search recomputes.
const maxBehind = 16

// lacking returns the best chunks by words of one index that are to have a vector and have none, not even a rough one.
func (p *indexSearch) lacking(tx *store.Tx, words lexical.Result, rough []leann.Hit) (chunks []uint32, err error) {
	if p.lacks, err = layout.Lacks(tx); err != nil || !p.lacks {
		return nil, err
	}
	known := make(map[uint32]bool, len(rough))
	for _, h := range rough {
		known[h.Chunk] = true
	}
	for _, h := range words.Hits {
		n, chunk := snapshot.SplitID(h.Chunk)
		if file, _, live := p.commit.Snap.Place(chunk); n != p.n || !live || !snapshot.HasVectors(file) {
			continue
		}
		if chunks = append(chunks, chunk); len(chunks) == maxBehind {
			break
		}
	}
	chunks = slices.DeleteFunc(chunks, func(chunk uint32) bool { return known[chunk] })
	return p.opts.Vectors.LackingOf(snapshot.Vectors(tx), chunks)
}

// ownHits are the chunks of one index that words found.
func (p *indexSearch) ownHits(words lexical.Result) map[uint32]bool {
	own := make(map[uint32]bool, len(words.Hits))
	for _, h := range words.Hits {
		if n, chunk := snapshot.SplitID(h.Chunk); n == p.n {
			own[chunk] = true
		}
	}
	return own
}

// meet adds chunks that had no vector to those that were found by meaning.
func (p *indexSearch) meet(ctx context.Context, r *recomputer) error {
	if len(p.behind) == 0 {
		return nil
	}
	vector := p.q.mixed(p.query.vector)
	vectors, ok := make([]float32, len(p.behind)*len(vector)), make([]bool, len(p.behind))
	if err := r.Vectors(ctx, p.behind, vectors, ok); err != nil {
		return err
	}
	for i, chunk := range p.behind {
		if !ok[i] {
			p.found.Stats.Stale++
			continue
		}
		own := vectors[i*len(vector) : (i+1)*len(vector)]
		p.found.Hits = append(p.found.Hits, leann.Hit{Chunk: chunk, Score: float64(p.opts.Vectors.Dot.Dot(vector, own))})
	}
	slices.SortFunc(p.found.Hits, leann.Better)
	return nil
}
