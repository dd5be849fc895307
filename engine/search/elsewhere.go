package search

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"dowse/engine"
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
