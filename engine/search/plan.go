package search

import (
	"context"
	"math"
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

// retrieval is a search up to where it needs the store no more. It looks at the
// store in short transactions and does between them what takes long: it reads
// the text in which phrases may stand, and embeds the query. The last
// transaction finds nothing left to do, and gives all that follows: one commit
// of each index that is asked.
type retrieval struct {
	*Engine
	q       *formulation
	req     engine.Request
	mode    engine.Mode
	indexes []*indexSearch

	// Of the last transaction. Chunks have the ids that they have among all parts.
	in      lexical.Languages // of all parts; 0 until they are asked for
	words   lexical.Result
	deeper  lexical.Result // words, as deep as the request wants; empty where that is no deeper
	own     int            // terms that are of the query itself
	guesses []lexical.Guess
	boost   fileBoost   // of what the query goes on with
	listed  []candidate // for a query of filters alone
	done    bool

	embedTime time.Duration
}

// depth is how many candidates each list contributes to fusion, at least.
const depth = fusion.Depth

// ranking says how to rank.
type ranking struct {
	depth     int // candidates of each list
	deepest   int // places of each list that results behind the candidates come from; 0: none
	recompute int // vectors to recompute, at most
	wanted    int // results for whose sake they are; 0: all are recomputed
}

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

// indexSearch is what a search looks for in one of the indexes that it asks.
type indexSearch struct {
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

// newIndexSearch begins a search of an engine's index.
func (e *Engine) newIndexSearch(n int, q *formulation, req engine.Request, mode engine.Mode) *indexSearch {
	if n > 0 {
		q = q.apart()
	}
	return &indexSearch{Engine: e, n: n, q: q, req: req, mode: mode, files: snapshot.NewFilter(q.Query, req.In), verify: e.newVerification(q.Query)}
}

// newRetrieval looks at the store until it has given all that the search needs. modes are those
// of the engines.
func (e *Engine) newRetrieval(ctx context.Context, q *formulation, req engine.Request, mode engine.Mode, engines []*Engine, modes []engine.Mode) (*retrieval, error) {
	l := &retrieval{Engine: e, q: q, req: req, mode: mode}
	for i, e := range engines {
		l.indexes = append(l.indexes, e.newIndexSearch(i, q, req, modes[i]))
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := snapshot.ViewAll(indexesOf(engines), func(txs []*store.Tx) error { return l.advance(ctx, txs) })
		if err != nil || l.done {
			return l, err
		}
		if err := l.prepare(ctx); err != nil {
			return nil, err
		}
	}
}

// prepare does what the next transaction needs.
func (l *retrieval) prepare(ctx context.Context) error {
	reads := l.unread()
	for _, p := range l.indexes {
		switch {
		case reads && len(p.judged.unread) > 0:
			clock := time.Now()
			if err := p.verify.read(ctx, p.view.NewReader(), p.judged.unread); err != nil {
				return err
			}
			p.filtering += time.Since(clock)
		case !reads && p.compares() && p.query.vector == nil:
			if err := p.embed(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// advance goes as far as it gets in one transaction of each index.
func (l *retrieval) advance(ctx context.Context, txs []*store.Tx) error {
	if err := l.filter(ctx, txs); err != nil {
		return err
	}
	if l.unread() {
		for i, p := range l.indexes {
			if err := p.view.CopyRecords(txs[i], p.judged.unread); err != nil {
				return err
			}
		}
		return nil
	}
	_, chunks := l.left()
	switch {
	case chunks == 0:
		l.done = true
		return nil
	case !l.q.HasText():
		l.done, l.listed = true, l.newest()
		return l.copyRecords(txs, chunksOfCandidates(l.listed[:min(wanted(l.req.K), len(l.listed))]))
	case slices.ContainsFunc(l.indexes, func(p *indexSearch) bool { return p.compares() && p.query.vector == nil }):
		return nil
	}
	return l.rank(ctx, txs)
}

// copyRecords notes where chunks stand in their files.
func (l *retrieval) copyRecords(txs []*store.Tx, chunks []uint32) error {
	if len(l.indexes) == 1 {
		return l.indexes[0].view.CopyRecords(txs[0], chunks)
	}
	of := make([][]uint32, len(l.indexes))
	for _, id := range chunks {
		n, chunk := snapshot.SplitID(id)
		of[n] = append(of[n], chunk)
	}
	for i, p := range l.indexes {
		if err := p.view.CopyRecords(txs[i], of[i]); err != nil {
			return err
		}
	}
	return nil
}

// rank runs the retrievals that the mode wants, as far as the store is needed.
func (l *retrieval) rank(ctx context.Context, txs []*store.Tx) error {
	how := l.ranking()
	var chunks []uint32
	words, err := l.wordsAsked(ctx, txs)
	if err != nil {
		return err
	}
	if l.mode != engine.Vector {
		clock := time.Now()
		if words, err = l.searchWords(ctx, txs, words, max(how.depth, how.deepest)); err != nil {
			return err
		}
		l.embedTime = time.Since(clock)
		for _, h := range l.words.Hits {
			chunks = append(chunks, h.Chunk)
		}
		if how.deepest > 0 {
			l.deeper = l.words
			l.words.Hits = l.words.Hits[:min(how.depth, len(l.words.Hits))]
		}
	}
	for i, p := range l.indexes {
		if !p.compares() {
			continue
		}
		clock := time.Now()
		if err := p.searchVectors(ctx, txs[i], how, l.words); err != nil {
			return err
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
	if err := l.favourFiles(ctx, txs, words); err != nil {
		return err
	}
	l.done = true
	return l.copyRecords(txs, append(chunks, l.boost.passages...))
}

// ranking says how this search ranks, and what it recomputes for that.
func (l *retrieval) ranking() ranking {
	how := ranking{depth: depth}
	if n := wanted(l.req.K); n > depth {
		how.deepest = n
	}
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

// hybridRecompute is how many vectors a hybrid search recomputes at most, of each index: words
// narrow down where they matter.
const hybridRecompute = leann.MaxRecompute / 2

// view is what the stages know that follow.
func (l *retrieval) view() *passage.Commit {
	v := l.indexes[0].view
	if len(l.indexes) > 1 {
		v = &passage.Commit{Source: l.source, Languages: l.in}
		for _, p := range l.indexes {
			p.view.Guesses = l.guesses
			v.Parts = append(v.Parts, p.view)
		}
	}
	v.Guesses = l.guesses
	return v
}

// report records the stages as if they had come one after the other.
func (l *retrieval) report(rec *recorder) {
	files, chunks := l.left()
	all, missed, embedded := 0, 0, embedding{}
	var filtering time.Duration
	for _, p := range l.indexes {
		all, missed, filtering = all+p.view.Snap.Chunks, missed+p.judged.missed, filtering+p.filtering
		embedded.tokens, embedded.took = embedded.tokens+p.query.tokens, embedded.took+p.query.took
	}
	rec.add(engine.StageStats{Name: "filter", Millis: milliseconds(filtering), In: all, Out: chunks})
	rec.stats.Files, rec.stats.Chunks, rec.stats.Unread = files, chunks, missed
	if missed > 0 {
		rec.problem(missedText(missed))
	}
	if chunks == 0 && missed == 0 && slices.ContainsFunc(l.indexes, func(p *indexSearch) bool { return p.passed.Chunks > 0 }) {
		rec.stats.Unmatched = l.q.Asked()
	}
	if chunks == 0 || !l.q.HasText() {
		return
	}
	if l.mode != engine.Vector {
		rec.add(engine.StageStats{Name: "lexical", Millis: milliseconds(l.embedTime), In: l.words.Postings, Out: len(l.words.Hits)})
	}
	if l.mode != engine.Lexical {
		rec.stats.Embedded = embedded.tokens
		rec.add(engine.StageStats{Name: "embed", Millis: embedded.took, In: embedded.tokens, Out: 1})
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
