package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/leann"
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// relatedParts is how many passages of a file stand for it as a whole, evenly
// spread: each is one more scan of all codes.
const relatedParts = 32

// relatedRecompute is how many candidates get exact scores, at least.
const relatedRecompute = 32

// Related implements engine.Searcher. Passages come from the index of the file: those of
// another embedder cannot be compared with it.
func (e *Engine) Related(ctx context.Context, req engine.RelatedRequest, emit func(engine.Event)) (related *engine.Related, err error) {
	e.searching.Add(1)
	defer e.searching.Add(-1)
	engines, leave := e.engines()
	defer leave()
	n, err := e.holding(engines, req.Path)
	if err != nil {
		return nil, searchError(ctx, err)
	}
	of := engines[n]
	if len(engines) > 1 {
		part, chunk := snapshot.SplitID(req.ChunkID)
		if req.ChunkID = chunk; part != n {
			req.ChunkID = 0 // of another index
		}
	}
	err = e.soundly(ctx, engines[n:n+1], func(damage store.Damage) (told string, err error) {
		if related, err = of.related(ctx, req, engines, &recorder{emit: emit}); err != nil {
			return "", err
		}
		if how := soundLikeness(damage); how != "" {
			related.Stats.Damage = tellDamage(damage, how, emit)
		}
		return related.Stats.Damage, nil
	})
	if err != nil {
		return nil, err
	}
	for i := range related.Passages {
		p := &related.Passages[i]
		p.ChunkID = snapshot.JointID(n, p.ChunkID)
	}
	return related, nil
}

// related runs a search for likeness, again where the index changed under it, and by estimates
// where texts cannot be embedded.
func (e *Engine) related(ctx context.Context, req engine.RelatedRequest, engines []*Engine, rec *recorder) (*engine.Related, error) {
	if e.opts.ByWords != "" {
		return nil, fmt.Errorf("%w: passages like another one cannot be found: %s", engine.ErrQuery, e.opts.ByWords)
	}
	start := time.Now()
	filter, err := relatedFilter(req, start, e.named())
	if err != nil {
		return nil, err
	}
	if filter.Mask, err = e.maskOf(engines); err != nil {
		return nil, err
	}
	for {
		l := &likeness{Engine: e, req: req, filter: filter, rec: rec}
		related, err := l.find(ctx)
		if errors.Is(err, errMoved) && ctx.Err() == nil {
			continue
		}
		if errors.Is(err, engine.ErrNoVectors) && !req.Estimate && ctx.Err() == nil {
			rec.problem("the passages are ranked by estimates: " + reason(err))
			req.Estimate = true
			continue
		}
		if err != nil {
			return nil, err
		}
		related.Stats = rec.stats
		related.Stats.Millis = millis(start)
		return related, nil
	}
}

// relatedFilter compiles the filters of a request. Filters that need the text of passages, such as
// phrases, are refused: likeness alone ranks.
func relatedFilter(req engine.RelatedRequest, now time.Time, named []engine.NamedFolder) (*snapshot.Filter, error) {
	q, err := engine.Parse(req.Filter, now)
	if err == nil {
		err = q.Resolve(named)
	}
	if err == nil {
		req.In, err = engine.FindFolders(req.In, named)
	}
	if err != nil {
		return nil, err
	}
	if q.HasText() || len(q.Without)+len(q.Exact) > 0 {
		return nil, fmt.Errorf("%w: the filter %q has words; want filters alone, such as path:, type: and tag:; words are what the passage has", engine.ErrQuery, req.Filter)
	}
	return snapshot.NewFilter(q, req.In), nil
}

// errMoved says that the file was indexed again, or deleted, between two looks at the store.
var errMoved = errors.New("the file changed meanwhile")

// likeness is one look for passages like another one.
type likeness struct {
	*Engine
	req    engine.RelatedRequest
	filter *snapshot.Filter
	rec    *recorder

	commit  *passage.Commit
	origin  origin
	vectors [][]float32 // of the origin's chunks
	left    snapshot.Left
	near    []leann.Near // best first
}

// find takes three looks at the store, between which it reads files and embeds.
func (l *likeness) find(ctx context.Context) (*engine.Related, error) {
	if err := l.locate(); err != nil {
		return nil, err
	}
	if err := l.embed(ctx); err != nil {
		return nil, err
	}
	clock := time.Now()
	if err := l.opts.Store.View(func(tx *store.Tx) error { return l.scan(ctx, tx) }); err != nil {
		return nil, err
	}
	l.rec.stats.Files, l.rec.stats.Chunks = l.left.Files, l.left.Chunks
	if err := l.recompute(ctx); err != nil {
		return nil, err
	}
	ranked := l.ranked()
	l.rec.stage("vector", clock, l.left.Chunks*len(l.vectors), len(ranked), 0)
	passages, err := read(ctx, l.commit, &engine.Query{}, ranked, passage.Page{K: wanted(l.req.K), Fold: l.req.Fold}, l.rec)
	if err != nil {
		return nil, err
	}
	return &engine.Related{Like: l.origin.place, Passages: passages}, nil
}

// scan finds candidates, and what reading them takes.
func (l *likeness) scan(ctx context.Context, tx *store.Tx) (err error) {
	if err := l.follow(tx); err != nil {
		return err
	}
	if l.left, err = l.allowed(tx); err != nil {
		return err
	}
	n := max(depth, l.exactly()+wanted(l.req.K))
	if l.origin.whole {
		n *= 4 // of each file one will stay
	}
	if l.near, err = l.candidates(ctx, tx, n); err != nil {
		return err
	}
	chunks := make([]uint32, len(l.near))
	for i, near := range l.near {
		chunks[i] = near.Chunk
	}
	return l.commit.CopyRecords(tx, chunks)
}

// candidates gives the n allowed chunks that seem most like the origin, best
// first. It alone says where they come from: the codes of all chunks. Links to
// neighbours that the index may keep belong here.
func (l *likeness) candidates(ctx context.Context, tx *store.Tx, n int) ([]leann.Near, error) {
	return l.opts.Vectors.Nearest(ctx, snapshot.SoundVectors(tx), l.vectors, n, l.left.Allow)
}

// allowed is what the filters leave, without the origin.
func (l *likeness) allowed(tx *store.Tx) (snapshot.Left, error) {
	filter := *l.filter
	filter.Mask = filter.Mask.Needed(l.commit.Snap)
	left, err := l.index.Filter(tx, l.commit.Snap, &filter)
	if err != nil {
		return left, err
	}
	l.commit.NarrowBy(&filter, &engine.Query{})
	gone := l.origin.all
	if l.req.SameFile && !l.origin.whole {
		gone = l.origin.chunks
	}
	if !left.Allow.Has(gone[0]) {
		return left, nil
	}
	left.Allow = left.Allow.Clone()
	for _, chunk := range gone {
		left.Allow.Remove(chunk)
	}
	left.Chunks -= len(gone)
	if len(gone) == len(l.origin.all) {
		left.Files--
	}
	return left, nil
}

// exactly is how many candidates get exact scores: more where more passages are wanted.
func (l *likeness) exactly() int {
	n := relatedRecompute
	if l.opts.Recompute > 0 {
		n = l.opts.Recompute
	}
	return max(n, wanted(l.req.K)*3/2)
}

// recompute puts exact scores in the place of estimates. Candidates whose text
// is another one by now are dropped.
func (l *likeness) recompute(ctx context.Context) error {
	if l.req.Estimate {
		l.rec.stats.Estimated = slices.ContainsFunc(l.near, func(n leann.Near) bool { return !n.Exact })
		return nil
	}
	exact, n := l.newRecomputer(l.commit), min(l.exactly(), len(l.near))
	head, tail := l.near[:n], l.near[n:]
	var scored []leann.Near
	for batch := range slices.Chunk(head, leann.RecomputeBatch) {
		if err := ctx.Err(); err != nil {
			return err
		}
		done, err := l.rescore(ctx, exact, batch)
		if err != nil {
			return err
		}
		scored = append(scored, done...)
	}
	slices.SortFunc(scored, func(a, b leann.Near) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	})
	// Estimates rank behind exact scores.
	for _, near := range tail {
		if len(scored) > 0 {
			near.Score = min(near.Score, scored[len(scored)-1].Score)
		}
		scored = append(scored, near)
	}
	l.near = scored
	l.rec.stats.Recomputed, l.rec.stats.Memoized = exact.embedded, exact.asked-exact.embedded
	return nil
}

// rescore returns a batch with exact scores.
func (l *likeness) rescore(ctx context.Context, exact leann.Exact, batch []leann.Near) ([]leann.Near, error) {
	dim := l.opts.Vectors.Dim
	var scored []leann.Near
	var chunks []uint32
	for _, near := range batch {
		if near.Exact {
			scored = append(scored, near)
		} else {
			chunks = append(chunks, near.Chunk)
		}
	}
	if len(chunks) == 0 {
		return scored, nil
	}
	vectors, ok := make([]float32, len(chunks)*dim), make([]bool, len(chunks))
	if err := exact.Vectors(ctx, chunks, vectors, ok); err != nil {
		return nil, fmt.Errorf("recompute vectors: %w", err)
	}
	for i, chunk := range chunks {
		if !ok[i] {
			continue
		}
		best := float32(-1)
		for _, origin := range l.vectors {
			best = max(best, l.opts.Vectors.Dot.Dot(origin, vectors[i*dim:(i+1)*dim]))
		}
		scored = append(scored, leann.Near{Chunk: chunk, Score: float64(best), Exact: true})
	}
	return scored, nil
}

// ranked makes candidates of what is near. Of a file as a whole, each other file
// counts once.
func (l *likeness) ranked() []candidate {
	out := make([]candidate, 0, len(l.near))
	files := map[uint32]bool{}
	for _, near := range l.near {
		if file, ok := l.commit.Snap.FileOf(near.Chunk); l.origin.whole && ok {
			if files[file.ID] {
				continue
			}
			files[file.ID] = true
		}
		out = append(out, candidate{chunk: near.Chunk, score: near.Score, vectorRank: len(out) + 1, vectorScore: near.Score})
	}
	return out
}
