package search

import (
	"context"
	"fmt"
	"math"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/store"
)

// look is a search up to where it needs the store no more. It looks at the
// store in short transactions and does between them what takes long: it reads
// the text in which phrases may stand, and embeds the query. The last
// transaction finds nothing left to do, and gives all that follows: one commit.
type look struct {
	*Engine
	q      *formulation
	req    engine.Request
	mode   engine.Mode
	files  *fileFilter
	verify *verification // nil without phrases and negations
	query  embedding     // its vector is nil until it is wanted
	favour favour        // of what the query goes on with

	// Of the last transaction.
	view   *view
	passed filtered // by the filters on files
	left   filtered // by all filters
	judged judged
	words  lexical.Result
	own    int            // terms that are of the query itself
	scan   *leann.Scanned // of codes; nil where found says all
	found  leann.Found
	listed []candidate // for a query of filters alone
	done   bool

	filtering, wording, vectoring time.Duration
}

// ranking says how to rank.
type ranking struct {
	depth     int // candidates of each list
	recompute int // vectors to recompute, at most
	wanted    int // results for whose sake they are; 0: all are recomputed
}

// lookFor looks at the store until it has given all that the search needs.
func (e *Engine) lookFor(ctx context.Context, q *formulation, req engine.Request, mode engine.Mode) (*look, error) {
	l := &look{
		Engine: e, q: q, req: req, mode: mode,
		files: newFileFilter(q.Query, req.In), verify: e.newVerification(q.Query),
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := e.opts.Store.View(func(tx *store.Tx) error { return l.at(ctx, tx) })
		switch {
		case err != nil:
			return nil, err
		case l.done:
			return l, nil
		case len(l.judged.unread) > 0:
			clock := time.Now()
			err = l.verify.read(ctx, l.view.newReader(), l.judged.unread)
			l.filtering += time.Since(clock)
		default:
			err = l.embed(ctx)
		}
		if err != nil {
			return nil, err
		}
	}
}

// at goes as far as it gets in one transaction.
func (l *look) at(ctx context.Context, tx *store.Tx) error {
	clock := time.Now()
	if err := l.filter(ctx, tx); err != nil {
		return err
	}
	l.filtering += time.Since(clock)
	switch {
	case len(l.judged.unread) > 0:
		return l.view.copyRecords(tx, l.judged.unread)
	case l.left.chunks == 0:
		l.done = true
		return nil
	case !l.q.HasText():
		l.done, l.listed = true, l.newest()
		return l.view.copyRecords(tx, chunksOfCandidates(l.listed[:min(wanted(l.req.K), len(l.listed))]))
	case l.mode != engine.Lexical && l.query.vector == nil:
		return nil
	}
	return l.rank(ctx, tx)
}

// filter applies every filter of the query: first those on files, then phrases
// and negations, which look at chunks. What is left is what is ranked.
func (l *look) filter(ctx context.Context, tx *store.Tx) error {
	snap, err := l.snapshotOf(tx)
	if err != nil {
		return err
	}
	if l.view == nil || l.view.snap != snap {
		if l.view != nil && l.verify != nil {
			l.verify.follow(l.view.snap, snap)
		}
		l.view = &view{Engine: l.Engine, snap: snap}
		l.passed = snap.filterFiles(l.files)
	}
	l.left, l.judged = l.passed, judged{}
	if l.verify == nil || l.left.chunks == 0 {
		return nil
	}
	in, err := l.languages(ctx, tx)
	if err != nil {
		return err
	}
	l.verify.analyse(l.opts.Analyzer, in)
	if l.judged, err = l.verify.judge(ctx, tx, snap, l.passed.allow); err != nil {
		return err
	}
	allow := l.judged.allow
	l.left = filtered{allow: allow, files: snap.countFiles(allow), chunks: allow.Len()}
	return nil
}

// embedding is the outcome of the embed stage.
type embedding struct {
	vector []float32
	tokens int
	took   float64 // milliseconds

	foreign bool // the embedder does not know the script
}

// embed embeds the query.
func (l *look) embed(ctx context.Context) error {
	clock := time.Now()
	vector, tokens, err := l.opts.Embedder.EmbedQuery(ctx, l.q.Text())
	if err != nil {
		return fmt.Errorf("the query could not be embedded: %w", err)
	}
	if l.req.Context != "" && !l.req.Estimate { // what is still typed is nobody's earlier question
		l.asked.keep(l.q.Text(), vector)
	}
	more, err := l.q.embedEarlier(ctx, &l.asked, l.opts.Embedder)
	if err != nil {
		return fmt.Errorf("a question of the conversation could not be embedded: %w", err)
	}
	l.query = embedding{vector, tokens + more, millis(clock), foreign(l.opts.Embedder, l.q.Text())}
	return nil
}

// rank runs the retrievals that the mode wants, as far as the store is needed.
func (l *look) rank(ctx context.Context, tx *store.Tx) error {
	how := l.ranking()
	var chunks []uint32
	words, err := l.wordsAsked(ctx, tx)
	if err != nil {
		return err
	}
	if l.mode != engine.Vector {
		clock := time.Now()
		if words, err = l.searchWords(ctx, tx, words, how.depth); err != nil {
			return err
		}
		l.wording = time.Since(clock)
		for _, h := range l.words.Hits {
			chunks = append(chunks, h.Chunk)
		}
	}
	if l.mode != engine.Lexical {
		clock := time.Now()
		if err := l.searchVectors(ctx, tx, how); err != nil {
			return err
		}
		l.vectoring = time.Since(clock)
		if l.scan != nil {
			chunks = append(chunks, l.scan.Chunks()...)
		}
	}
	if err := l.favourFiles(ctx, tx, words); err != nil {
		return err
	}
	l.done = true
	return l.view.copyRecords(tx, append(chunks, l.favour.passages...))
}

// searchVectors compares the query with the vectors and codes that the store
// has.
func (l *look) searchVectors(ctx context.Context, tx *store.Tx, how ranking) (err error) {
	vectors, vector := l.opts.Vectors, l.q.mixed(l.query.vector)
	if l.opts.Scan {
		l.found.Hits, l.found.Stats.Seen, err = vectors.Flat().Search(ctx, vector, how.depth, l.left.allow, tx.Vectors)
		return err
	}
	query := leann.Query{Vector: vector, Depth: how.depth, Batch: leann.RecomputeBatch, Allowed: l.left.allow,
		Recompute: how.recompute, Wanted: how.wanted, Errors: l.view.snap.errors, Walk: l.view.snap.walk}
	query.Walk.ScanChunks = l.costs.scanChunks()
	if l.req.Estimate && query.Walk.Scans(l.view.snap.chunks) {
		query.Walk = leann.Walk{} // nothing is learned where nothing is recomputed
	}
	if fuses(l.mode) {
		query.Bonus = func(hits []leann.Hit) []float64 { return wordsBonus(l.words, hits, l.features(), l.opts.Cosines) }
	}
	clock := time.Now()
	if l.scan, err = vectors.Scan(ctx, layout.VectorIndex{Tx: tx}, query); err != nil {
		return err
	}
	if query.Walk.Graph == nil || query.Walk.Scans(query.Walk.Graph.Nodes()) {
		l.costs.scanned(time.Since(clock), l.scan.Codes())
	}
	return nil
}

// ranking says how this search ranks, and what it recomputes for that.
func (l *look) ranking() ranking {
	how := ranking{depth: max(depth, wanted(l.req.K))}
	switch {
	case l.req.Estimate:
	case l.opts.Recompute > 0:
		how.recompute = l.opts.Recompute
	case fuses(l.mode):
		how.recompute, how.wanted = hybridRecompute, leann.Wanted
	default:
		how.recompute, how.wanted = leann.MaxRecompute, leann.Wanted
	}
	return how
}

// hybridRecompute is how many vectors a hybrid search recomputes at most: words narrow
// down where they matter.
const hybridRecompute = leann.MaxRecompute / 2

// report records the stages as if they had come one after the other.
func (l *look) report(rec *recorder) {
	rec.add(engine.StageStats{Name: "filter", Millis: milliseconds(l.filtering), In: l.view.snap.chunks, Out: l.left.chunks})
	rec.stats.Files, rec.stats.Chunks, rec.stats.Unread = l.left.files, l.left.chunks, l.judged.missed
	if l.judged.missed > 0 {
		rec.problem(missedText(l.judged.missed))
	}
	if l.left.chunks == 0 || !l.q.HasText() {
		return
	}
	if l.mode != engine.Vector {
		rec.add(engine.StageStats{Name: "lexical", Millis: milliseconds(l.wording), In: l.words.Postings, Out: len(l.words.Hits)})
	}
	if l.mode != engine.Lexical {
		rec.stats.Embedded = l.query.tokens
		rec.add(engine.StageStats{Name: "embed", Millis: l.query.took, In: l.query.tokens, Out: 1})
	}
}

// chunksOfCandidates are their chunks, in order.
func chunksOfCandidates(list []candidate) []uint32 {
	chunks := make([]uint32, len(list))
	for i, c := range list {
		chunks[i] = c.chunk
	}
	return chunks
}

// milliseconds is a duration as statistics count it.
func milliseconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e3 }
