package search

import (
	"context"
	"fmt"
	"time"

	"dowse/engine"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// part is what a search looks for in one of the indexes that it asks.
type part struct {
	*Engine
	n      int // which of them, 0 for the engine's own
	q      *formulation
	req    engine.Request
	mode   engine.Mode // by words alone where the index cannot do better
	files  *snapshot.Filter
	verify *verification // nil without phrases and negations
	query  embedding     // its vector is nil until it is wanted

	// Of the last transaction.
	view   *passage.Commit
	passed snapshot.Left // by the filters on files
	left   snapshot.Left // by all filters
	judged judged
	scan   *leann.Scanned // of codes; nil where found says all
	found  leann.Found
	deeper []leann.Hit // the list by meaning, as deep as the request wants, by what the index holds

	filtering, vectoring time.Duration
}

// newPart begins a search of an engine's index.
func (e *Engine) newPart(n int, q *formulation, req engine.Request, mode engine.Mode) *part {
	if n > 0 {
		q = q.apart()
	}
	return &part{Engine: e, n: n, q: q, req: req, mode: mode, files: snapshot.NewFilter(q.Query, req.In), verify: e.newVerification(q.Query)}
}

// observe takes in the commit of a transaction, and reports whether it is another one than
// before.
func (p *part) observe(tx *store.Tx, m snapshot.Mask) (changed bool, err error) {
	snap, err := p.index.At(tx)
	if err != nil {
		return false, err
	}
	if p.view != nil && p.view.Snap == snap && p.files.Mask.Equal(m) {
		return false, nil
	}
	if p.view != nil && p.verify != nil {
		p.verify.follow(p.view.Snap, snap)
	}
	p.view = &passage.Commit{Source: p.source, Snap: snap}
	files := *p.files
	p.files.Mask, files.Mask = m, m.Needed(snap)
	if p.passed, err = p.index.Filter(tx, snap, &files); err != nil {
		return false, err
	}
	p.view.NarrowBy(&files, p.q.Query)
	return true, nil
}

// sift applies the filters that look at chunks: phrases and negations.
func (p *part) sift(ctx context.Context, tx *store.Tx) error {
	p.left, p.judged = p.passed, judged{}
	if !p.sifts() {
		return nil
	}
	p.verify.analyse(p.opts.Analyzer, p.view.Languages)
	var err error
	if p.judged, err = p.verify.judge(ctx, tx, p.view.Snap, p.passed.Allow); err != nil {
		return err
	}
	allow := p.judged.allow
	p.left = snapshot.Left{Allow: allow, Files: p.view.Snap.CountFiles(allow), Chunks: allow.Len()}
	return nil
}

// sifts reports whether the query has filters that look at chunks.
func (p *part) sifts() bool { return p.verify != nil && p.passed.Chunks > 0 }

// compares reports whether vectors are compared.
func (p *part) compares() bool { return p.mode != engine.Lexical && p.left.Chunks > 0 }

// embedding is the outcome of the embed stage.
type embedding struct {
	vector []float32
	tokens int
	took   float64 // milliseconds

	foreign bool // the embedder does not know the script
}

// embed embeds the query.
func (p *part) embed(ctx context.Context) error {
	clock := time.Now()
	vector, tokens, err := p.opts.Embedder.EmbedQuery(ctx, p.q.Text())
	if err != nil {
		return fmt.Errorf("the query could not be embedded: %w", err)
	}
	if p.req.Context != "" && !p.req.Estimate { // what is still typed is nobody's earlier question
		p.asked.keep(p.q.Text(), vector)
	}
	more, err := p.q.embedEarlier(ctx, &p.asked, p.opts.Embedder)
	if err != nil {
		return fmt.Errorf("a question of the conversation could not be embedded: %w", err)
	}
	p.query = embedding{vector, tokens + more, millis(clock), foreign(p.opts.Embedder, p.q.Text())}
	return nil
}

// searchVectors compares the query with the vectors and codes that the store
// has. words are those of all parts.
func (p *part) searchVectors(ctx context.Context, tx *store.Tx, how ranking, words lexical.Result) (err error) {
	vectors, vector := p.opts.Vectors, p.q.mixed(p.query.vector)
	if p.opts.Scan {
		hits, seen, err := vectors.Flat().Search(ctx, vector, max(how.depth, how.deepest), p.left.Allow, tx.Vectors)
		p.found.Hits, p.found.Stats.Seen = hits[:min(how.depth, len(hits))], seen
		if how.deepest > 0 {
			p.deeper = hits
		}
		return err
	}
	query := leann.Query{Vector: vector, Depth: how.depth, Batch: leann.RecomputeBatch, Allowed: p.left.Allow,
		Recompute: how.recompute, Wanted: how.wanted, Errors: p.view.Snap.Errors, Walk: p.view.Snap.Walk}
	if p.req.Estimate && query.Walk.Scans(p.view.Snap.Chunks) {
		query.Walk = leann.Walk{} // nothing is learned where nothing is recomputed
	}
	if fuses(p.mode) {
		asked := features(words, p.query.foreign)
		query.Bonus = func(hits []leann.Hit) []float64 { return wordsBonus(words, p.jointly(hits), asked, p.opts.Cosines) }
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
func (p *part) jointly(hits []leann.Hit) []leann.Hit {
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
