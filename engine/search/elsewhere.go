package search

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// An index of another machine is searched with those of this one as they are with each other: words are counted over all
// first, then each machine ranks what it has with these counts (part.go), and one ranking is fused, reranked and read here.
// Chunks that lie on machines of one embedder so rank as if they lay in one index.

// Elsewhere is another machine that is searched.
type Elsewhere struct {
	Name string // stands in front of paths: NAME:/home/ann/a.md
	engine.Ranker
	Languages lexical.Languages // of its index, as far as they are known
}

// mostParts is how many indexes have room in the ids of a result.
const mostParts = 1 << (32 - snapshot.IDBits)

// SearchWith is Search over other machines too, and over the indexes of this one where own is set. failed is told of machines
// whose passages are missing, and why. Where all fail and own is not set, that is the error.
func (e *Engine) SearchWith(ctx context.Context, req engine.Request, own bool, elsewhere []Elsewhere, failed func(name string, err error), emit func(engine.Event)) (*engine.Result, error) {
	e = e.present()
	m := &machines{without: !own, failed: failed}
	for _, of := range elsewhere {
		m.list = append(m.list, &machine{Elsewhere: of, in: of.Languages, counts: map[string]lexical.Count{}})
	}
	if req.Context != "" {
		return e.converse(ctx, req, m, emit)
	}
	return e.inquire(ctx, &inquiry{Request: req, machines: m}, emit)
}

// machines are those that a search asks besides this one.
type machines struct {
	list    []*machine
	without bool // the indexes of this one
	failed  func(name string, err error)
}

// machine is one of them.
type machine struct {
	Elsewhere
	n  int // which part of all it is
	in lexical.Languages

	chunks int
	length int64
	counts map[string]lexical.Count // by keyOf

	ranked *engine.Ranked
	commit *passage.Commit
	err    error // why it is left out
}

// keyOf names a term as far as counts follow from it.
func keyOf(t lexical.QueryTerm) string {
	t.Weight = 0
	key, _ := json.Marshal(t)
	return string(key)
}

// of is what the machine has of a term.
func (m *machine) of(t *lexical.QueryTerm) lexical.Count {
	if c, known := m.counts[keyOf(*t)]; known || !t.Guessed {
		return c
	}
	for _, c := range m.counts {
		for _, n := range c.Near {
			if n.Term == t.Term {
				return lexical.Count{DF: n.DF}
			}
		}
	}
	return lexical.Count{}
}

// counted are all machines but one as BM25 counts them; but may be nil.
func (l *retrieval) counted(but *machine) (all lexical.Elsewhere) {
	var counted []*machine
	for _, m := range l.machines {
		if m == but {
			continue
		}
		counted = append(counted, m)
		all.Chunks, all.Length, all.Languages = all.Chunks+m.chunks, all.Length+m.length, all.Languages|m.in
	}
	all.Of = func(t *lexical.QueryTerm) (sum lexical.Count) {
		for _, m := range counted {
			c := m.of(t)
			sum.DF += c.DF
			sum.Near, sum.Longer = append(sum.Near, c.Near...), append(sum.Longer, c.Longer...)
		}
		return sum
	}
	return all
}

// uncounted reports whether a machine has not counted some terms yet, and notes them.
func (l *retrieval) uncounted(q lexical.Query) bool {
	known := map[string]bool{}
	for _, t := range q {
		key := keyOf(t)
		if known[key] || t.Guessed {
			continue
		}
		known[key] = true
		if slices.ContainsFunc(l.machines, func(m *machine) bool { _, is := m.counts[key]; return !is }) {
			l.wanted = append(l.wanted, t)
		}
	}
	return len(l.wanted) > 0
}

// terms are all words of which a search may need to know how rare they are.
func (l *retrieval) terms() lexical.Query {
	a, in, text := l.opts.Analyzer, l.in, l.q.Text()
	all := a.QueryIn(text, in)
	if len(all) == 0 {
		all = a.MinorQuery(text, in)
	}
	for _, e := range l.q.earlier {
		for _, t := range []string{strings.Join(telling(text), " "), e.text, e.reply} {
			all = append(all, a.QueryIn(t, in)...)
		}
		text = e.text
	}
	return all
}

// each asks the machines at once, and leaves out those that fail.
func (l *retrieval) each(ctx context.Context, ask func(m *machine) error) error {
	var waits sync.WaitGroup
	for _, m := range l.machines {
		waits.Go(func() { m.err = ask(m) })
	}
	waits.Wait()
	return l.leaveOut(ctx)
}

// leaveOut leaves out the machines that have failed.
func (l *retrieval) leaveOut(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var left []*machine
	var failed []error
	for _, m := range l.machines {
		if m.err == nil {
			left = append(left, m)
			continue
		}
		failed = append(failed, fmt.Errorf("%s: %w", m.Name, m.err))
		l.q.machines.failed(m.Name, m.err)
	}
	l.machines, l.q.machines.list = left, left
	l.numberMachines()
	if len(left)+len(l.indexes) == 0 {
		return fmt.Errorf("%w: %w", engine.ErrNobody, errors.Join(failed...))
	}
	return nil
}

// numberMachines gives the machines the parts behind those of this one.
func (l *retrieval) numberMachines() {
	for i, m := range l.machines {
		m.n = len(l.indexes) + i
	}
}

// count has the machines count what is wanted.
func (l *retrieval) count(ctx context.Context) error {
	wanted, before := l.wanted, l.counted(nil).Languages
	l.wanted = nil
	req := engine.CountRequest{Terms: sendTerms(wanted)}
	err := l.each(ctx, func(m *machine) error {
		counts, err := m.Count(ctx, req)
		if err != nil {
			return err
		}
		if len(counts.Terms) != len(wanted) {
			return engine.ErrUnfit
		}
		m.chunks, m.length, m.in = counts.Chunks, counts.Length, lexical.Languages(counts.Languages)
		for i, c := range counts.Terms {
			got := lexical.Count{DF: c.DF, Longer: c.Longer}
			for _, n := range c.Near {
				got.Near = append(got.Near, lexical.Near(n))
			}
			m.counts[keyOf(wanted[i])] = got
		}
		return nil
	})
	if l.counted(nil).Languages != before {
		l.in = 0 // the query is to be analysed in others
	}
	return err
}

// rankElsewhere has the machines rank while this one computes exact scores, and joins what they find. again says that one
// failed, so that all is counted and ranked again without it.
func (l *retrieval) rankElsewhere(ctx context.Context, rec *recorder) (again bool, err error) {
	all, reqs := len(l.machines), map[*machine]engine.RankRequest{}
	for _, m := range l.machines {
		reqs[m] = l.rankRequest(m)
	}
	var waits sync.WaitGroup
	for m, req := range reqs {
		waits.Go(func() { m.ranked, m.err = m.Rank(ctx, req) })
	}
	err = l.exactOwn(ctx, rec)
	waits.Wait()
	if err != nil {
		return false, err
	}
	if err := l.leaveOut(ctx); err != nil {
		return false, err
	}
	if len(l.machines) < all {
		for _, m := range l.machines {
			m.ranked, m.commit = nil, nil
		}
		return true, nil
	}
	for _, m := range l.machines {
		l.meetMachine(m)
	}
	l.commit = l.joinedCommit()
	l.joinWords()
	l.codeShare = l.shareOfCode()
	l.joinBoosted()
	for _, m := range l.machines {
		for name, list := range m.ranked.Defined {
			if _, known := l.definedAs[name]; !known {
				continue
			}
			for _, d := range list {
				l.definedAs[name] = append(l.definedAs[name], lexical.Definition{Chunk: m.id(d.Chunk), Member: d.Member, Capital: d.Capital})
			}
		}
	}
	l.weighDefinitions()
	if !l.q.HasText() {
		l.listed = l.newest()
	}
	return false, nil
}

// rankRequest is what a machine is asked.
func (l *retrieval) rankRequest(m *machine) engine.RankRequest {
	req, rest := l.req, l.counted(m)
	req.Mode, req.Answer, req.Context, req.Keep, req.RerankMillis, req.Trace, req.Hosts = l.mode, false, "", false, 0, false, nil
	if req.Mode == engine.Reranked {
		req.Mode = engine.Hybrid
	}
	out := engine.RankRequest{Request: req, Terms: sendTerms(l.looked), Own: l.own, Languages: uint32(l.in), Chunks: rest.Chunks + l.ownChunks, Length: rest.Length + l.ownLength}
	for i := range l.looked {
		df := 0
		if i < len(l.words.Terms) {
			df = max(0, l.words.Terms[i].DF-m.of(&l.looked[i]).DF)
		}
		out.DF = append(out.DF, df)
	}
	for _, e := range l.q.earlier {
		asked := engine.RankedQuestion{Text: e.text, Weight: e.weight}
		for _, path := range e.files {
			if there, is := strings.CutPrefix(path, m.Name+":"); is {
				asked.Files = append(asked.Files, there)
			}
		}
		out.Earlier = append(out.Earlier, asked)
	}
	return out
}

// id is the id of a chunk of the machine among those of all parts.
func (m *machine) id(chunk int) uint32 { return snapshot.JointID(m.n, uint32(chunk)) }

// meetMachine makes a part of what a machine found.
func (l *retrieval) meetMachine(m *machine) {
	d := &passage.Distant{}
	for _, f := range m.ranked.Files {
		d.Files = append(d.Files, &store.File{
			Path: m.Name + ":" + f.Path, Root: m.Name + ":" + f.Path[:f.Root], Kind: f.Kind, ModTime: f.Modified, Date: f.Date,
		})
	}
	for _, c := range m.ranked.Chunks {
		d.Of = append(d.Of, c.File)
	}
	query, in, languages := l.req.Query, l.req.In, l.in
	d.Fetch = func(ctx context.Context, chunks []uint32) ([]*passage.Text, error) {
		req := engine.TextsRequest{Query: query, In: in, Languages: uint32(languages)}
		for _, c := range chunks {
			req.Chunks = append(req.Chunks, m.ranked.Chunks[c])
		}
		got, err := m.Texts(ctx, req)
		if err == nil && len(got.Texts) != len(chunks) {
			err = engine.ErrUnfit
		}
		if err != nil {
			if ctx.Err() == nil {
				l.q.machines.failed(m.Name, err)
			}
			return nil, ctx.Err()
		}
		texts := make([]*passage.Text, len(chunks))
		for i := range got.Texts {
			if !got.Texts[i].Gone {
				texts[i] = passage.Arrived(&got.Texts[i])
			}
		}
		return texts, nil
	}
	m.commit = l.source.NewDistant(d)
}

// joinWords joins the lists by words. Where there are chunks of logs and others, each have places of their own.
func (l *retrieval) joinWords() {
	if l.mode == engine.Vector || !l.q.HasText() {
		return
	}
	hits := l.words.Hits
	if l.how.deepest > 0 {
		hits = l.deeper.Hits
	}
	logs, all := l.ownLogs()
	for _, m := range l.machines {
		logs, all = logs+m.ranked.Logs, all+m.ranked.LeftChunks
		for i, c := range m.ranked.Words.Chunks {
			hits = append(hits, lexical.Hit{Chunk: m.id(c), Score: m.ranked.Words.Scores[i], Matched: m.ranked.Words.Matched[i], Part: m.n})
		}
		l.words.Postings += m.ranked.Postings
	}
	byScore := func(a, b lexical.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	}
	slices.SortFunc(hits, byScore)
	deep := max(l.how.depth, l.how.deepest)
	if fuses(l.mode) && logs > 0 && logs < all {
		var ofLogs, others []lexical.Hit
		for _, h := range hits {
			if f := l.fileOf(h.Chunk); f != nil && !snapshot.HasVectors(f) {
				ofLogs = append(ofLogs, h)
			} else {
				others = append(others, h)
			}
		}
		hits = append(others[:min(deep, len(others))], ofLogs[:min(maxLogHits, len(ofLogs))]...)
		slices.SortFunc(hits, byScore)
	} else {
		hits = hits[:min(deep, len(hits))]
	}
	l.words.Hits = hits
	if l.how.deepest > 0 {
		l.deeper = l.words
		l.words.Hits = hits[:min(l.how.depth, len(hits))]
	}
}

// joinBoosted joins the passages of files that answered earlier questions.
func (l *retrieval) joinBoosted() {
	if l.boost.bonus == nil {
		return
	}
	hits := l.boost.hits
	for _, m := range l.machines {
		for i, c := range m.ranked.Boosted.Chunks {
			hits = append(hits, lexical.Hit{Chunk: m.id(c), Score: m.ranked.Boosted.Scores[i]})
		}
		for _, e := range l.q.earlier {
			for _, path := range e.files {
				if strings.HasPrefix(path, m.Name+":") {
					l.boost.bonus[path] = max(l.boost.bonus[path], float64(earlierFile*e.weight))
				}
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b lexical.Hit) int { return cmp.Compare(b.Score, a.Score) })
	l.boost.passages = nil
	for _, h := range hits[:min(earlierPassages, len(hits))] {
		l.boost.passages = append(l.boost.passages, h.Chunk)
	}
}

// near is a list of a machine by meaning, and the scale of its cosines.
func (m *machine) near(deeper bool) (hits []leann.Hit, scale fusion.Scale) {
	list := m.ranked.Meaning
	if deeper {
		list = m.ranked.Deeper
	}
	for i, c := range list.Chunks {
		hits = append(hits, leann.Hit{Chunk: uint32(c), Score: list.Scores[i]})
	}
	if m.ranked.Factor != 0 {
		scale = fusion.NewScale(m.ranked.Offset, m.ranked.Factor)
	}
	return hits, scale
}

// sendTerms are words as another machine gets them.
func sendTerms(q lexical.Query) []engine.RankTerm {
	forms := func(list []lexical.Form) (out []engine.RankForm) {
		for _, f := range list {
			out = append(out, engine.RankForm{Term: f.Term, In: uint32(f.In)})
		}
		return out
	}
	out := make([]engine.RankTerm, len(q))
	for i, t := range q {
		out[i] = engine.RankTerm{
			Term: t.Term, Weight: t.Weight, In: uint32(t.In), Also: forms(t.Also), Exact: forms(t.Exact), Word: t.Word,
			Asked: uint32(t.Asked), Guessed: t.Guessed,
		}
	}
	return out
}

// sentTerms is the inverse of sendTerms.
func sentTerms(list []engine.RankTerm) lexical.Query {
	forms := func(list []engine.RankForm) (out []lexical.Form) {
		for _, f := range list {
			out = append(out, lexical.Form{Term: f.Term, In: lexical.Languages(f.In)})
		}
		return out
	}
	out := make(lexical.Query, len(list))
	for i, t := range list {
		out[i] = lexical.QueryTerm{
			Term: t.Term, Weight: t.Weight, In: lexical.Languages(t.In), Also: forms(t.Also), Exact: forms(t.Exact), Word: t.Word,
			Asked: lexical.Languages(t.Asked), Guessed: t.Guessed,
		}
	}
	return out
}
