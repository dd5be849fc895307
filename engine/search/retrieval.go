package search

import (
	"context"
	"math"
	"slices"
	"time"

	"dowse/engine"
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
	q     *formulation
	req   engine.Request
	mode  engine.Mode
	parts []*part

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

// ranking says how to rank.
type ranking struct {
	depth     int // candidates of each list
	deepest   int // places of each list that results behind the candidates come from; 0: none
	recompute int // vectors to recompute, at most
	wanted    int // results for whose sake they are; 0: all are recomputed
}

// newRetrieval looks at the store until it has given all that the search needs. modes are those
// of the engines.
func (e *Engine) newRetrieval(ctx context.Context, q *formulation, req engine.Request, mode engine.Mode, engines []*Engine, modes []engine.Mode) (*retrieval, error) {
	l := &retrieval{Engine: e, q: q, req: req, mode: mode}
	for i, e := range engines {
		l.parts = append(l.parts, e.newPart(i, q, req, modes[i]))
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
	for _, p := range l.parts {
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

// unread reports whether text has to be read before the filters are applied.
func (l *retrieval) unread() bool {
	return slices.ContainsFunc(l.parts, func(p *part) bool { return len(p.judged.unread) > 0 })
}

// left is how many files and chunks all filters leave.
func (l *retrieval) left() (files, chunks int) {
	for _, p := range l.parts {
		files, chunks = files+p.left.Files, chunks+p.left.Chunks
	}
	return files, chunks
}

// advance goes as far as it gets in one transaction of each index.
func (l *retrieval) advance(ctx context.Context, txs []*store.Tx) error {
	if err := l.filter(ctx, txs); err != nil {
		return err
	}
	if l.unread() {
		for i, p := range l.parts {
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
	case slices.ContainsFunc(l.parts, func(p *part) bool { return p.compares() && p.query.vector == nil }):
		return nil
	}
	return l.rank(ctx, txs)
}

// filter applies every filter of the query: first those on files, then phrases
// and negations, which look at chunks. What is left is what is ranked.
func (l *retrieval) filter(ctx context.Context, txs []*store.Tx) error {
	masks, err := snapshot.Masks(txs)
	if err != nil {
		return err
	}
	sifts := false
	for i, p := range l.parts {
		clock := time.Now()
		changed, err := p.observe(txs[i], masks[i])
		if err != nil {
			return err
		}
		if changed {
			l.in = 0
		}
		sifts = sifts || p.sifts()
		p.filtering += time.Since(clock)
	}
	if sifts {
		if err := l.languages(ctx, txs); err != nil {
			return err
		}
	}
	for i, p := range l.parts {
		clock := time.Now()
		if err := p.sift(ctx, txs[i]); err != nil {
			return err
		}
		p.filtering += time.Since(clock)
	}
	return nil
}

// copyRecords notes where chunks stand in their files.
func (l *retrieval) copyRecords(txs []*store.Tx, chunks []uint32) error {
	if len(l.parts) == 1 {
		return l.parts[0].view.CopyRecords(txs[0], chunks)
	}
	of := make([][]uint32, len(l.parts))
	for _, id := range chunks {
		n, chunk := snapshot.SplitID(id)
		of[n] = append(of[n], chunk)
	}
	for i, p := range l.parts {
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
	for i, p := range l.parts {
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
	v := l.parts[0].view
	if len(l.parts) > 1 {
		v = &passage.Commit{Source: l.source, Languages: l.in}
		for _, p := range l.parts {
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
	for _, p := range l.parts {
		all, missed, filtering = all+p.view.Snap.Chunks, missed+p.judged.missed, filtering+p.filtering
		embedded.tokens, embedded.took = embedded.tokens+p.query.tokens, embedded.took+p.query.took
	}
	rec.add(engine.StageStats{Name: "filter", Millis: milliseconds(filtering), In: all, Out: chunks})
	rec.stats.Files, rec.stats.Chunks, rec.stats.Unread = files, chunks, missed
	if missed > 0 {
		rec.problem(missedText(missed))
	}
	if chunks == 0 && missed == 0 && slices.ContainsFunc(l.parts, func(p *part) bool { return p.passed.Chunks > 0 }) {
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
