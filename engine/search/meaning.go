package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Step find by meaning: the vector of the query, and the chunks whose vectors are nearest to it.

// findMeaning compares the query with the vectors and codes of each index that has some, and
// returns the chunks that seem nearest.
func (l *retrieval) findMeaning(ctx context.Context, txs []*store.Tx) (chunks []uint32, err error) {
	for i, p := range l.indexes {
		if !p.compares() {
			continue
		}
		clock := time.Now()
		if err := p.searchVectors(ctx, txs[i], l.how, l.words, l.codeShare); err != nil {
			return nil, err
		}
		p.vectoring = time.Since(clock)
		if p.scan != nil {
			for _, chunk := range p.scan.Chunks() {
				chunks = append(chunks, snapshot.JointID(p.n, chunk))
			}
		}
		for _, h := range p.deeper {
			chunks = append(chunks, snapshot.JointID(p.n, h.Chunk))
		}
	}
	return chunks, nil
}

// unembedded reports whether an index wants a vector of the query that is not there yet.
func (l *retrieval) unembedded() bool {
	return slices.ContainsFunc(l.indexes, func(p *indexSearch) bool { return p.compares() && p.query.vector == nil })
}

// compares reports whether vectors are compared.
func (p *indexSearch) compares() bool { return p.mode != engine.Lexical && p.left.Chunks > 0 }

// embedding is the query as a vector.
type embedding struct {
	vector []float32
	tokens int
	took   float64 // milliseconds

	foreign bool // the embedder does not know the script
}

// embed embeds the query.
func (p *indexSearch) embed(ctx context.Context) error {
	clock := time.Now()
	vector, tokens, err := p.opts.Embedder.EmbedQuery(ctx, p.q.Text())
	if err != nil {
		return fmt.Errorf("the query could not be embedded: %w", err)
	}
	if p.req.Context != "" && !p.req.Estimate { // what is still typed is nobody's earlier question
		p.asked.keep(p.q.Text(), vector)
	}
	more, err := p.q.embedEarlier(ctx, p.asked, p.opts.Embedder)
	if err != nil {
		return fmt.Errorf("a question of the conversation could not be embedded: %w", err)
	}
	p.query = embedding{vector, tokens + more, millis(clock), foreign(p.opts.Embedder, p.q.Text())}
	return nil
}

// searchVectors compares the query with the vectors and codes that the store
// has. words are those of all parts, code the share of code among them.
func (p *indexSearch) searchVectors(ctx context.Context, tx *store.Tx, how ranking, words lexical.Result, code float64) (err error) {
	vectors, vector := p.opts.Vectors, p.q.mixed(p.query.vector)
	p.exact = nil
	if p.opts.Scan {
		hits, seen, err := vectors.Flat().Search(ctx, vector, max(how.depth, how.deepest), p.left.Allow, tx.Vectors)
		p.found.Hits, p.found.Stats.Seen = hits[:min(how.depth, len(hits))], seen
		if how.deepest > 0 {
			p.deeper = hits
		}
		return err
	}
	query := leann.Query{Vector: vector, Depth: how.depth, Batch: leann.RecomputeBatch, Allowed: p.left.Allow,
		Recompute: how.recompute, Wanted: how.wanted, Errors: p.commit.Snap.Errors, Walk: p.commit.Snap.Walk}
	if p.req.Estimate && query.Walk.Scans(p.commit.Snap.Chunks) {
		query.Walk = leann.Walk{} // nothing is learned where nothing is recomputed
	}
	if fuses(p.mode) {
		asked := features(words, p.query.foreign, code)
		query.Bonus = func(hits []leann.Hit) []float64 { return wordsBonus(words, p.jointly(hits), asked, p.opts.Cosines) }
	}
	if p.roughs.any() {
		query.Rough = p.roughs.near(p.commit.Snap, vector, how.depth+how.recompute, p.left.Allow, p.ownHits(words))
	}
	if len(query.Rough) > 0 {
		query.Errors.Deviation, query.Errors.Margin = max(query.Errors.Deviation, roughErrors.Deviation), max(query.Errors.Margin, roughErrors.Margin)
	}
	if d := query.Errors.Deviation; how.reach > 0 && d > 0 {
		query.Wanted, query.Batch, query.Errors.Margin, query.Walk.Margin = 1, rerankedBatch, how.reach/d, 0
	}
	if query.Recompute > 0 {
		if p.behind, err = p.lacking(tx, words, query.Rough); err != nil {
			return err
		}
	}
	index := snapshot.Vectors(tx)
	if p.scan, err = vectors.Scan(ctx, index, query); err == nil && how.deepest > 0 {
		query.Depth, query.Recompute, query.Bonus = how.deepest, 0, nil
		var found leann.Found
		found, err = vectors.Search(ctx, index, nil, query)
		p.deeper = byScore(found)
	}
	return err
}

// jointly are hits with the ids that they have among those of all parts.
func (p *indexSearch) jointly(hits []leann.Hit) []leann.Hit {
	if p.n == 0 {
		return hits
	}
	out := make([]leann.Hit, len(hits))
	for i, h := range hits {
		h.Chunk = snapshot.JointID(p.n, h.Chunk)
		out[i] = h
	}
	return out
}

// exact gives the list by meaning of all indexes its exact scores, outside of transactions, and
// the scale that its cosines are on. In the modes that compare no vectors it is empty.
func (l *retrieval) exact(ctx context.Context, rec *recorder) ([]leann.Hit, fusion.Scale, error) {
	if l.mode == engine.Lexical {
		return nil, fusion.Scale{}, nil
	}
	if err := l.exactOwn(ctx, rec); err != nil {
		return nil, fusion.Scale{}, err
	}
	hits, scale := l.nearest(l.how.depth, false)
	return hits, scale, nil
}

// exactOwn computes the exact scores of each index, unless they are there.
func (l *retrieval) exactOwn(ctx context.Context, rec *recorder) error {
	if l.mode == engine.Lexical || !l.q.HasText() {
		return nil
	}
	for _, p := range l.indexes {
		if !p.compares() || p.exact != nil {
			continue
		}
		var err error
		if p.exact, err = p.recomputed(ctx, rec); err != nil {
			return err
		}
		if p.exact == nil {
			p.exact = []leann.Hit{}
		}
	}
	return nil
}

// nearest is the list by meaning, n places of the lists of all parts, and the scale that its cosines are on. Those of several
// embedders are brought to the one that rankings are fused on, where they can be compared.
func (l *retrieval) nearest(n int, deeper bool) (hits []leann.Hit, scale fusion.Scale) {
	type list struct {
		part  int
		hits  []leann.Hit
		scale fusion.Scale
	}
	var lists []list
	for _, p := range l.indexes {
		switch {
		case !p.compares():
		case deeper:
			lists = append(lists, list{p.n, p.deeper, p.opts.Cosines})
		default:
			lists = append(lists, list{p.n, p.exact, p.opts.Cosines})
		}
	}
	for _, m := range l.machines {
		if m.ranked != nil {
			hits, scale := m.near(deeper)
			lists = append(lists, list{m.n, hits, scale})
		}
	}
	if len(lists) == 0 {
		return nil, l.opts.Cosines
	}
	if len(lists) == 1 && !l.several() {
		return lists[0].hits, lists[0].scale
	}
	same := !slices.ContainsFunc(lists, func(of list) bool { return of.scale != lists[0].scale })
	if same {
		scale = lists[0].scale
	}
	for _, of := range lists {
		for _, h := range of.hits {
			if !same {
				h.Score = of.scale.Of(h.Score)
			}
			hits = append(hits, leann.Hit{Chunk: snapshot.JointID(of.part, h.Chunk), Score: h.Score})
		}
	}
	slices.SortStableFunc(hits, func(a, b leann.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(n, len(hits))], scale
}

// recomputed is the list by meaning of one index: it puts exact scores in the
// place of estimates.
func (p *indexSearch) recomputed(ctx context.Context, rec *recorder) ([]leann.Hit, error) {
	clock := time.Now()
	r := p.newRecomputer(p.commit)
	if p.scan != nil {
		var err error
		if p.found, err = p.scan.Recompute(ctx, r); err != nil {
			return nil, err
		}
	}
	if err := p.meet(ctx, r); err != nil {
		return nil, err
	}
	found := p.found
	hits := byScore(found)
	if r.asked > 0 {
		rec.add(engine.StageStats{Name: "texts", Millis: r.reading.Seconds() * 1000, In: r.asked, Out: r.embedded, Bytes: r.bytes})
		rec.add(engine.StageStats{Name: "recompute", Millis: r.embedding.Seconds() * 1000, In: r.asked, Out: r.embedded})
	}
	rec.stats.Estimated = rec.stats.Estimated || p.req.Estimate && len(found.Tail) > 0
	if p.scan != nil {
		rec.stats.Recomputed += r.embedded
		rec.stats.Memoized += r.asked - r.embedded - found.Stats.Stale
	}
	stage := engine.StageStats{Name: "vector", Millis: milliseconds(p.vectoring + time.Since(clock)), In: found.Stats.Seen + found.Stats.Fresh, Out: len(hits)}
	if p.opts.Scan {
		stage.Bytes = int64(stage.In) * int64(4*len(p.query.vector))
	}
	rec.add(stage)
	return hits, nil
}

// byScore is what a search of vectors found, exact and by estimate, best first.
func byScore(found leann.Found) []leann.Hit {
	hits := slices.Concat(found.Hits, found.Tail)
	slices.SortStableFunc(hits, func(a, b leann.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits
}
