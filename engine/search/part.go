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

// The other side of elsewhere.go: what an engine does for one of another machine. It plans as for itself, but for what
// was counted elsewhere, and sends its lists in the place of fusing them.

var _ engine.Ranker = (*Engine)(nil)

// Peer implements engine.Ranker.
func (e *Engine) Peer(ctx context.Context) (*engine.Peer, error) {
	engines, leave := e.engines()
	defer leave()
	p := &engine.Peer{}
	if e.opts.ByWords != "" || damageOf(engines).Any() {
		return p, nil // it searches as well as it can, by itself
	}
	err := e.withJoint(ctx, engines, func(j *lexical.Joint) error {
		in, err := j.Languages(ctx)
		p.Languages = uint32(in)
		return err
	})
	if err != nil {
		return nil, searchError(ctx, err)
	}
	p.Can, p.Fingerprint = []string{engine.CanRank}, e.opts.Fingerprint
	return p, nil
}

// withJoint runs fn with the words of engines.
func (e *Engine) withJoint(ctx context.Context, engines []*Engine, fn func(j *lexical.Joint) error) error {
	return snapshot.ViewAll(indexesOf(engines), func(txs []*store.Tx) error {
		parts := make([]lexical.Part, len(engines))
		for i, of := range engines {
			snap, err := of.index.At(txs[i])
			if err != nil {
				return err
			}
			parts[i] = lexical.Part{Collection: snap.Collection, Reader: txs[i].Postings()}
		}
		return fn(lexical.NewJoint(parts...))
	})
}

// Count implements engine.Ranker.
func (e *Engine) Count(ctx context.Context, req engine.CountRequest) (*engine.Counts, error) {
	engines, leave := e.engines()
	defer leave()
	out := &engine.Counts{Terms: []engine.TermCount{}}
	err := e.withJoint(ctx, engines, func(j *lexical.Joint) error {
		in, err := j.Languages(ctx)
		if err != nil {
			return err
		}
		out.Chunks, out.Length, out.Languages = j.Chunks(), j.Length(), uint32(in)
		counts, err := j.Count(ctx, sentTerms(req.Terms))
		for _, c := range counts {
			sent := engine.TermCount{DF: c.DF, Longer: c.Longer}
			for _, n := range c.Near[:min(len(c.Near), engine.MostNear)] {
				sent.Near = append(sent.Near, engine.NearTerm(n))
			}
			out.Terms = append(out.Terms, sent)
		}
		return err
	})
	if err != nil {
		return nil, searchError(ctx, err)
	}
	return out, nil
}

// given is what another machine has counted for this one.
type given struct {
	words lexical.Query
	own   int
	in    lexical.Languages
	rest  lexical.Elsewhere
}

// mostWanted is how many results another machine gets at most.
const mostWanted = 10_000

// Rank implements engine.Ranker.
func (e *Engine) Rank(ctx context.Context, req engine.RankRequest) (*engine.Ranked, error) {
	if len(req.DF) != len(req.Terms) || req.Chunks < 0 || req.Length < 0 {
		return nil, fmt.Errorf("%w: what was counted does not fit", engine.ErrQuery)
	}
	e = e.present()
	e.searching.Add(1)
	defer e.searching.Add(-1)
	engines, leave := e.engines()
	defer leave()
	query, in, err := e.understood(req.Request.Query, req.Request.In)
	if err != nil {
		return nil, err
	}
	req.Request.In, req.Request.K = in, min(req.Request.K, mostWanted)
	q := &formulation{Query: query, engines: engines}
	for _, earlier := range req.Earlier {
		q.earlier = append(q.earlier, earlierQuestion{text: earlier.Text, weight: earlier.Weight, files: earlier.Files})
	}
	g := &given{words: sentTerms(req.Terms), own: min(max(0, req.Own), len(req.Terms)), in: lexical.Languages(req.Languages)}
	counts := map[string]int{}
	for i, t := range g.words {
		counts[keyOf(t)] = max(0, req.DF[i])
	}
	g.rest = lexical.Elsewhere{Chunks: req.Chunks, Length: req.Length, Languages: g.in, Of: func(t *lexical.QueryTerm) lexical.Count {
		return lexical.Count{DF: counts[keyOf(*t)]}
	}}
	rec := &recorder{}
	l, err := e.parse(q, req.Request, rec)
	if err != nil {
		return nil, err
	}
	l.given = g
	if err := l.find(ctx); err != nil {
		return nil, searchError(ctx, err)
	}
	out, err := l.send(ctx, rec)
	if err != nil {
		return nil, searchError(ctx, err)
	}
	return out, nil
}

// understood are a query and folders as this machine understands them.
func (e *Engine) understood(line string, in []string) (*engine.Query, []string, error) {
	query, err := engine.Parse(line, time.Now())
	if err != nil {
		return nil, nil, err
	}
	if err := query.Resolve(e.named()); err != nil {
		return nil, nil, err
	}
	in, err = engine.FindFolders(in, e.named())
	return query, in, err
}

// sender makes one list of the chunks that are sent.
type sender struct {
	*retrieval
	out    *engine.Ranked
	chunks map[uint32]int
	files  map[*store.File]int
	err    error
}

// at is the place of a chunk among those that are sent.
func (s *sender) at(id uint32) (place int, is bool) {
	if place, is := s.chunks[id]; is {
		return place, true
	}
	f := s.fileOf(id)
	hash, is, err := s.commit.HashOf(id)
	if err != nil {
		s.err = err
	}
	if f == nil || !is {
		return 0, false
	}
	file, known := s.files[f]
	if !known {
		file = len(s.out.Files)
		s.files[f] = file
		root := 0
		if len(f.Root) <= len(f.Path) && f.Path[:len(f.Root)] == f.Root {
			root = len(f.Root)
		}
		s.out.Files = append(s.out.Files, engine.RankedFile{Path: f.Path, Root: root, Kind: f.Kind, Modified: f.ModTime, Date: f.Date})
	}
	place = len(s.out.Chunks)
	s.chunks[id] = place
	s.out.Chunks = append(s.out.Chunks, engine.RankedChunk{ID: id, Hash: hash, File: file, Listing: s.isListing(&candidate{chunk: id})})
	return place, true
}

// words is a list by words as it is sent.
func (s *sender) words(hits []lexical.Hit) (list engine.RankedList) {
	for _, h := range hits {
		if at, is := s.at(h.Chunk); is {
			list.Chunks, list.Scores, list.Matched = append(list.Chunks, at), append(list.Scores, h.Score), append(list.Matched, h.Matched)
		}
	}
	return list
}

// meaning is a list by meaning as it is sent.
func (s *sender) meaning(hits []leann.Hit) (list engine.RankedList) {
	for _, h := range hits {
		if at, is := s.at(h.Chunk); is {
			list.Chunks, list.Scores = append(list.Chunks, at), append(list.Scores, h.Score)
		}
	}
	return list
}

// send makes what is sent of what was found.
func (l *retrieval) send(ctx context.Context, rec *recorder) (*engine.Ranked, error) {
	out := &engine.Ranked{Files: []engine.RankedFile{}, Chunks: []engine.RankedChunk{}, Defined: map[string][]engine.RankedDefinition{}}
	s := &sender{retrieval: l, out: out, chunks: map[uint32]int{}, files: map[*store.File]int{}}
	out.LeftFiles, out.LeftChunks = l.left()
	out.Logs, _ = l.ownLogs()
	for _, p := range l.indexes {
		out.All, out.Unread, out.Tokens = out.All+p.commit.Snap.Chunks, out.Unread+p.judged.missed, out.Tokens+p.query.tokens
		out.Passed, out.Lacks = out.Passed || p.passed.Chunks > 0, out.Lacks || p.lacks
	}
	if out.LeftChunks == 0 {
		return out, nil
	}
	if !l.q.HasText() {
		for _, c := range l.listed[:min(wanted(l.req.K)+depth, len(l.listed))] {
			if at, is := s.at(c.chunk); is {
				out.Listed = append(out.Listed, at)
			}
		}
		return out, s.err
	}
	hits, scale, err := l.exact(ctx, rec)
	if err != nil {
		return nil, err
	}
	words := l.words.Hits
	if l.how.deepest > 0 {
		words = l.deeper.Hits
		deeper, _ := l.nearest(l.how.deepest, true)
		out.Deeper = s.meaning(deeper)
	}
	out.Words, out.Meaning, out.Postings = s.words(words), s.meaning(hits), l.words.Postings
	out.Offset, out.Factor = scale.Terms()
	out.Boosted = s.words(l.boost.hits)
	for name, list := range l.definedAs {
		for _, d := range list[:min(len(list), engine.MostDefined)] {
			if at, is := s.at(d.Chunk); is {
				out.Defined[name] = append(out.Defined[name], engine.RankedDefinition{Chunk: at, Member: d.Member, Capital: d.Capital})
			}
		}
	}
	out.Foreign, out.Estimated = l.foreign(), rec.stats.Estimated
	out.Embedded, out.Known = rec.stats.Recomputed, rec.stats.Memoized
	return out, s.err
}

// Texts implements engine.Ranker.
func (e *Engine) Texts(ctx context.Context, req engine.TextsRequest) (*engine.RankedTexts, error) {
	engines, leave := e.engines()
	defer leave()
	query, in, err := e.understood(req.Query, req.In)
	if err != nil {
		return nil, err
	}
	commit, err := e.commitOf(engines, query, in, lexical.Languages(req.Languages), req.Chunks)
	if err != nil {
		return nil, searchError(ctx, err)
	}
	list := make([]candidate, len(req.Chunks))
	out := &engine.RankedTexts{Texts: make([]engine.RankedText, len(req.Chunks))}
	for i, c := range req.Chunks {
		out.Texts[i].Gone = true
		hash, is, err := commit.HashOf(c.ID)
		if err != nil {
			return nil, searchError(ctx, err)
		}
		if is && hash == c.Hash {
			list[i], out.Texts[i].Gone = candidate{chunk: c.ID}, false
		}
	}
	reader := commit.NewReader()
	for _, i := range byFile(commit, list) {
		if out.Texts[i].Gone {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, file, err := reader.Chunk(list[i].chunk)
		if err != nil {
			return nil, searchError(ctx, err)
		}
		if text == nil || text.Stale {
			reader.Outdated(file)
		}
		if text == nil {
			out.Texts[i].Gone = true
			continue
		}
		shown := []engine.Passage{*text.Passage(&file, nil)}
		list[i].place(&shown[0])
		if err := commit.Describe(shown); err != nil {
			return nil, searchError(ctx, err)
		}
		out.Texts[i] = text.Sent(shown[0].About)
	}
	return out, nil
}

// commitOf is what is known of some chunks of engines, for the texts of which a query is answered.
func (e *Engine) commitOf(engines []*Engine, query *engine.Query, in []string, languages lexical.Languages, chunks []engine.RankedChunk) (*passage.Commit, error) {
	all := &passage.Commit{Source: e.source, Languages: languages}
	err := snapshot.ViewAll(indexesOf(engines), func(txs []*store.Tx) error {
		for n, of := range engines {
			snap, err := of.index.At(txs[n])
			if err != nil {
				return err
			}
			part, files := &passage.Commit{Source: of.source, Snap: snap, Languages: languages}, snapshot.NewFilter(query, in)
			if _, err := of.index.Filter(txs[n], snap, files); err != nil {
				return err
			}
			part.NarrowBy(files, query)
			var own []uint32
			for _, c := range chunks {
				if i, chunk := snapshot.SplitID(c.ID); i == n {
					own = append(own, chunk)
				}
			}
			if err := part.CopyRecords(txs[n], own); err != nil {
				return err
			}
			all.Parts = append(all.Parts, part)
		}
		return nil
	})
	return all, err
}
