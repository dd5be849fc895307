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

// retrieve walks once through the steps that rank chunks, each in a file of its own, and returns
// them best first, with the commit that they are of:
//
//	parse    parse.go    what is asked, in which mode, of which indexes
//	filter   filter.go   which chunks may be returned at all
//	words    words.go    BM25 over those
//	meaning  meaning.go  the nearest vectors of those, exact where that decides
//	fuse     fuse.go     one ranking of both
//	rerank   rerank.go   the best of it, read by a cross-encoder
//
// Step read (read.go) makes passages of them. It gets more than the request wants where there are
// more, to stand in for chunks whose files turn out to be gone.
func (e *Engine) retrieve(ctx context.Context, q *formulation, req engine.Request, rec *recorder) (*passage.Commit, []candidate, error) {
	l, err := e.parse(q, req, rec)
	if err != nil {
		return nil, nil, err
	}
	if l.mode == engine.Reranked {
		defer e.readyReranker(ctx)()
	}
	for again := true; again; {
		if err := l.find(ctx); err != nil {
			return nil, nil, err
		}
		if again = len(l.machines) > 0; again {
			if again, err = l.rankElsewhere(ctx, rec); err != nil {
				return nil, nil, err
			}
		}
	}
	l.report(rec)
	if _, chunks := l.left(); chunks == 0 || !q.HasText() {
		return l.commit, l.listed, nil
	}
	nearest, scale, err := l.exact(ctx, rec)
	if err != nil {
		return l.commit, nil, err
	}
	ranked := l.fuse(nearest, scale, rec)
	if l.mode == engine.Reranked {
		ranked, err = e.rerank(ctx, l.commit, q, req, l.lowerListings(ranked, listingsFused), rec)
	}
	return l.commit, l.lowerListings(ranked, listingsRead), err
}

// retrieval is a search up to its ranking.
type retrieval struct {
	*Engine
	q       *formulation
	req     engine.Request
	mode    engine.Mode
	how     ranking
	indexes []*indexSearch

	given    *given        // by a machine that this one ranks for; nil of a search of its own
	machines []*machine    // that are asked too, as parts behind the indexes
	wanted   lexical.Query // what they are to count next
	looked   lexical.Query // what words were looked for
	// What this machine has of all that was counted.
	ownChunks int
	ownLength int64

	// Of the last transaction. Chunks have the ids that they have among all indexes.
	commit  *passage.Commit   // of all indexes
	in      lexical.Languages // of all indexes; 0 until they are asked for
	words   lexical.Result
	deeper  lexical.Result // words, as deep as the request wants; empty where that is no deeper
	own     int            // terms that are of the query itself
	guesses []lexical.Guess
	boost   fileBoost // of what the query goes on with
	// listings are the chunks of each index that are contents or an index; nil where none is lowered.
	listings []*lexical.Set
	lowers   bool
	defined  definitions // of the symbols of the query
	// definedAs are the chunks that define what symbols may name.
	definedAs map[string][]lexical.Definition
	// codeShare is how much of the best by words is code that the query describes, 0 to 1.
	codeShare float64
	listed    []candidate // for a query of filters alone
	done      bool

	wordsTime time.Duration
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
	commit  *passage.Commit
	passed  snapshot.Left // by the filters on files
	left    snapshot.Left // by all filters
	judged  judged
	scan    *leann.Scanned // of codes; nil where found says all
	found   leann.Found
	exact   []leann.Hit // the list by meaning with exact scores; nil until they are computed
	lacks   bool        // chunks may lack a vector
	behind  []uint32    // those of them that words found, without a rough one
	rough   []uint32    // those that get a rough vector before the search goes on
	roughed bool        // these were listed
	deeper  []leann.Hit // the list by meaning, as deep as the request wants, by what the index holds

	filtering, vectoring time.Duration
}

// find filters and finds by words and by meaning. It looks at the indexes in short transactions
// and does between them what takes long: it reads the text in which phrases may stand, and embeds
// the query. The last transaction finds nothing left to do, and gives all that the later steps
// need: one commit of each index.
func (l *retrieval) find(ctx context.Context) error {
	var indexes []*snapshot.Index
	for _, p := range l.indexes {
		indexes = append(indexes, p.index)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := snapshot.ViewAll(indexes, func(txs []*store.Tx) error { return l.advance(ctx, txs) })
		if err != nil {
			return err
		}
		if l.done {
			l.commit, l.done = l.joinedCommit(), false
			return nil
		}
		if err := l.prepare(ctx); err != nil {
			return err
		}
	}
}

// advance goes as far as it gets in one transaction of each index.
func (l *retrieval) advance(ctx context.Context, txs []*store.Tx) error {
	if err := l.filter(ctx, txs); err != nil {
		return err
	}
	if l.unread() {
		return l.copyUnread(txs)
	}
	_, chunks := l.left()
	switch {
	case chunks == 0 && len(l.machines) == 0:
		l.done = true
		return nil
	case !l.q.HasText():
		l.done, l.listed = true, l.newest()
		return l.copyRecords(txs, chunksOfCandidates(l.listed[:min(wanted(l.req.K), len(l.listed))]))
	}
	more, err := l.roughly(ctx, txs)
	if err != nil || more || l.unembedded() {
		return err
	}
	words, byWords, err := l.findWords(ctx, txs)
	if err != nil || len(l.wanted) > 0 {
		return err
	}
	l.codeShare = l.shareOfCode()
	byMeaning, err := l.findMeaning(ctx, txs)
	if err != nil {
		return err
	}
	if err := l.boostFiles(ctx, txs, words); err != nil {
		return err
	}
	if err := l.findListings(ctx, txs); err != nil {
		return err
	}
	if err := l.findDefinitions(ctx, txs); err != nil {
		return err
	}
	l.done = true
	return l.copyRecords(txs, slices.Concat(byWords, byMeaning, l.boost.passages, l.defined.chunks))
}

// prepare does what the next transaction needs.
func (l *retrieval) prepare(ctx context.Context) error {
	reads := l.unread()
	if len(l.wanted) > 0 {
		if err := l.count(ctx); err != nil {
			return err
		}
	}
	for _, p := range l.indexes {
		switch {
		case reads && len(p.judged.unread) > 0:
			clock := time.Now()
			if err := p.verify.read(ctx, p.commit.NewReader(), p.judged.unread); err != nil {
				return err
			}
			p.filtering += time.Since(clock)
		case !reads && p.compares() && p.query.vector == nil:
			if err := p.embed(ctx); err != nil {
				return err
			}
		}
		if err := p.makeRough(ctx); err != nil {
			return err
		}
	}
	return nil
}

// copyRecords notes where chunks stand in their files.
func (l *retrieval) copyRecords(txs []*store.Tx, chunks []uint32) error {
	if !l.several() {
		return l.indexes[0].commit.CopyRecords(txs[0], chunks)
	}
	of := make([][]uint32, len(l.indexes))
	for _, id := range chunks {
		n, chunk := snapshot.SplitID(id)
		of[n] = append(of[n], chunk)
	}
	for i, p := range l.indexes {
		if err := p.commit.CopyRecords(txs[i], of[i]); err != nil {
			return err
		}
	}
	return nil
}

// several reports whether chunks have the ids that they have among several parts.
func (l *retrieval) several() bool { return len(l.indexes) != 1 || len(l.machines) > 0 }

// joinedCommit is what the later steps know of the commits of all indexes.
func (l *retrieval) joinedCommit() *passage.Commit {
	if !l.several() {
		c := l.indexes[0].commit
		c.Guesses = l.guesses
		return c
	}
	c := &passage.Commit{Source: l.source, Languages: l.in}
	for _, p := range l.indexes {
		p.commit.Guesses = l.guesses
		c.Parts = append(c.Parts, p.commit)
	}
	for _, m := range l.machines {
		if m.commit != nil {
			c.Parts = append(c.Parts, m.commit)
		}
	}
	c.Guesses = l.guesses
	return c
}

// report records the stages as if they had come one after the other.
func (l *retrieval) report(rec *recorder) {
	files, chunks := l.left()
	all, missed, embedded := 0, 0, embedding{}
	var filtering time.Duration
	lacks, passed, words := false, false, false // words: nothing else is known of some that lack a vector
	for _, p := range l.indexes {
		words = words || p.lacks && !p.roughs.complete()
		lacks, passed = lacks || p.lacks, passed || p.passed.Chunks > 0
		all, missed, filtering = all+p.commit.Snap.Chunks, missed+p.judged.missed, filtering+p.filtering
		embedded.tokens, embedded.took = embedded.tokens+p.query.tokens, embedded.took+p.query.took
	}
	for _, m := range l.machines {
		r := m.ranked
		all, missed, lacks, passed = all+r.All, missed+r.Unread, lacks || r.Lacks, passed || r.Passed
		words = words || r.Lacks
		embedded.tokens = max(embedded.tokens, r.Tokens)
		rec.stats.Recomputed, rec.stats.Memoized = rec.stats.Recomputed+r.Embedded, rec.stats.Memoized+r.Known
		rec.stats.Estimated = rec.stats.Estimated || r.Estimated
		rec.stats.Away = append(rec.stats.Away, r.Away...)
	}
	rec.add(engine.StageStats{Name: "filter", Millis: milliseconds(filtering), In: all, Out: chunks})
	rec.stats.Files, rec.stats.Chunks, rec.stats.Unread = files, chunks, missed
	if missed > 0 {
		rec.problem(missedText(missed))
	}
	if lacks {
		rec.stats.Coming = comingText
		if !words {
			rec.stats.Coming = roughText
		}
	}
	if chunks == 0 && missed == 0 && passed {
		rec.stats.Unmatched = l.q.Asked()
	}
	if chunks == 0 || !l.q.HasText() {
		return
	}
	if l.mode != engine.Vector {
		rec.add(engine.StageStats{Name: "lexical", Millis: milliseconds(l.wordsTime), In: l.words.Postings, Out: len(l.words.Hits)})
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
