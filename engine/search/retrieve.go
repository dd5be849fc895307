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
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// depth is how many candidates each list contributes to fusion, at least.
const depth = fusion.Depth

// candidate is a chunk at its place in the final ranking.
type candidate struct {
	chunk        uint32
	score        float64
	lexicalRank  int // from 1; 0 when not listed
	lexicalScore float64
	vectorRank   int
	vectorScore  float64
	rerankScore  float64 // 0 where it was not read to the end
	closeness    float64 // to the query, by both lists; 0 where they are not fused
	wordy        bool    // holds every word of the query
	offTopic     bool    // by what is known of it so far
}

// wanted is the number of passages that a request asks for.
func wanted(k int) int {
	if k <= 0 {
		return engine.DefaultK
	}
	return k
}

// retrieve ranks the chunks that the filters leave, best first. It returns
// more than the request wants where it has them, to stand in for chunks whose
// files turn out to be gone.
func (e *Engine) retrieve(ctx context.Context, q *formulation, req engine.Request, rec *recorder) (*passage.Commit, []candidate, error) {
	mode, err := e.mode(req)
	if err != nil {
		return nil, nil, err
	}
	engines := q.engines
	if engines == nil {
		engines = []*Engine{e}
	}
	mode, modes, err := modesOf(engines, mode, req.Estimate, rec)
	if err != nil {
		return nil, nil, err
	}
	l, err := e.newRetrieval(ctx, q, req, mode, engines, modes)
	if err != nil {
		return nil, nil, err
	}
	l.report(rec)
	v := l.view()
	if _, chunks := l.left(); chunks == 0 || !q.HasText() {
		return v, l.listed, nil
	}
	ranked, err := l.fused(ctx, rec)
	if err == nil && !req.Estimate && e.tellsRelevant(q, mode) {
		judgeCloseness(ranked, e.opts.RelevantFrom)
	}
	if req.Estimate && ((req.Mode == "" || req.Mode == engine.Reranked) && e.opts.Reranker != nil && len(ranked) > 1 || e.tellsRelevant(q, mode) && len(ranked) > 0) {
		rec.stats.Estimated = true
	}
	if err == nil && mode == engine.Reranked {
		ranked, err = e.rerankStage(ctx, v, q, req, ranked, rec)
	}
	return v, ranked, err
}

// mode resolves the mode of a request. One that names none gets the best there
// is, but while the person types.
func (e *Engine) mode(req engine.Request) (engine.Mode, error) {
	switch req.Mode {
	case engine.Hybrid, engine.Lexical, engine.Vector, engine.RRF:
		return req.Mode, nil
	case engine.Reranked:
		switch {
		case e.opts.Reranker == nil:
			return "", fmt.Errorf("%w: the mode %s needs a reranker, and none is in use; run dowse models add NAME PATH with a cross-encoder, and dowse models use NAME", engine.ErrQuery, engine.Reranked)
		case req.Estimate: // for which no text is read
			return engine.Hybrid, nil
		}
		return engine.Reranked, nil
	case "":
		if e.opts.Reranker != nil && !req.Estimate {
			return engine.Reranked, nil
		}
		return engine.Hybrid, nil
	}
	return "", fmt.Errorf("%w: the mode %q is none of %s, %s, %s and %s", engine.ErrQuery, req.Mode, engine.Reranked, engine.Hybrid, engine.Lexical, engine.Vector)
}

// byWords is the mode that a mode comes down to where the vectors of the index are not
// those of the embedder, and says so.
func (e *Engine) byWords(mode engine.Mode, estimate bool, rec *recorder) (engine.Mode, error) {
	switch {
	case e.opts.ByWords == "" || mode == engine.Lexical:
		return mode, nil
	case mode == engine.Vector:
		return "", fmt.Errorf("%w: the passages cannot be ranked by meaning alone: %s", engine.ErrQuery, e.opts.ByWords)
	}
	rec.stats.ByWords = "the passages are ranked by words alone: " + e.opts.ByWords
	if !estimate { // which come with every key
		rec.problem(rec.stats.ByWords)
	}
	return engine.Lexical, nil
}

// fuses reports whether a mode ranks by words and meaning together.
func fuses(m engine.Mode) bool { return m == engine.Hybrid || m == engine.Reranked }

// fused makes one ranking of what the store gave, with vectors recomputed.
func (l *retrieval) fused(ctx context.Context, rec *recorder) ([]candidate, error) {
	if l.mode == engine.Lexical {
		return l.withDeeper(lexicalOnly(l.words)), nil
	}
	how := l.ranking()
	meaning, scale, err := l.meaning(how.depth, func(p *part) ([]leann.Hit, error) { return p.recomputed(ctx, rec) })
	if err != nil {
		return nil, err
	}
	if l.mode == engine.Vector {
		return l.withDeeper(vectorOnly(meaning)), nil
	}
	clock := time.Now()
	fused := l.favoured(fuse(l.mode, l.words, meaning, features(l.words, l.foreign()), scale, rec))
	rec.stage("fuse", clock, len(l.words.Hits)+len(meaning), len(fused), 0)
	return l.withDeeper(fused), nil
}

// meaning is the list by meaning, n places of the lists of all parts, and the scale that its
// cosines are on. Those of several embedders are brought to the one that rankings are fused
// on, where they can be compared.
func (l *retrieval) meaning(n int, of func(p *part) ([]leann.Hit, error)) (hits []leann.Hit, scale fusion.Scale, err error) {
	if len(l.parts) == 1 {
		hits, err = of(l.parts[0])
		return hits, l.opts.Cosines, err
	}
	for _, p := range l.parts {
		if !p.compares() {
			continue
		}
		own, err := of(p)
		if err != nil {
			return nil, scale, err
		}
		for _, h := range own {
			hits = append(hits, leann.Hit{Chunk: snapshot.JointID(p.n, h.Chunk), Score: p.opts.Cosines.Of(h.Score)})
		}
	}
	slices.SortStableFunc(hits, func(a, b leann.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(n, len(hits))], scale, nil
}

// recomputed is the vector stage behind the scan: it puts exact scores in the
// place of estimates.
func (p *part) recomputed(ctx context.Context, rec *recorder) ([]leann.Hit, error) {
	clock := time.Now()
	r := p.newRecomputer(p.view)
	if p.scan != nil {
		var err error
		if p.found, err = p.scan.Recompute(ctx, r); err != nil {
			return nil, err
		}
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

// lexicalOnly is the BM25 list as it is.
func lexicalOnly(words lexical.Result) []candidate {
	out := make([]candidate, len(words.Hits))
	for i, h := range words.Hits {
		out[i] = candidate{chunk: h.Chunk, score: h.Score, lexicalRank: i + 1, lexicalScore: h.Score}
	}
	return out
}

// vectorOnly is the vector list as it is.
func vectorOnly(meaning []leann.Hit) []candidate {
	out := make([]candidate, len(meaning))
	for i, h := range meaning {
		out[i] = candidate{chunk: h.Chunk, score: h.Score, vectorRank: i + 1, vectorScore: h.Score}
	}
	return out
}

// newest answers a query of filters alone: the files that pass, last changed
// first, each with the first of its chunks that passes, a log with the last.
func (l *retrieval) newest() []candidate {
	type listed struct {
		file  *store.File
		chunk uint32
	}
	var files []listed
	for _, p := range l.parts {
		for _, f := range p.view.Snap.Files {
			passes := false
			for _, id := range f.IDs.All() {
				if !p.left.Allow.Has(id) {
					continue
				}
				if !passes {
					files, passes = append(files, listed{f, snapshot.JointID(p.n, id)}), true
				}
				if snapshot.HasVectors(f) {
					break
				}
				files[len(files)-1].chunk = snapshot.JointID(p.n, id)
			}
		}
	}
	slices.SortFunc(files, func(a, b listed) int {
		return cmp.Or(cmp.Compare(b.file.Time(), a.file.Time()), cmp.Compare(a.file.Path, b.file.Path))
	})
	out := make([]candidate, len(files))
	for i, f := range files {
		out[i] = candidate{chunk: f.chunk}
	}
	return out
}
