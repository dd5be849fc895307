package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/store"
)

// Embedder turns a query into a vector of unit length.
type Embedder interface {
	// EmbedQuery returns the vector and the number of tokens that went in.
	EmbedQuery(ctx context.Context, text string) (vector []float32, tokens int, err error)
}

// Texts reads the text of a file again, exactly as it was when it was
// indexed: the index keeps none.
type Texts interface {
	Text(path string) (*Text, error)
}

// Text is what was extracted from a file.
type Text struct {
	Body string               // valid UTF-8
	Line func(offset int) int // line of the file (from 1) that a byte of Body came from
}

// Options is what an Engine is made of. All but Ledger are required.
type Options struct {
	Store    *store.DB
	Analyzer *lexical.Analyzer
	Embedder Embedder
	Vectors  leann.Flat
	Texts    Texts
	Ledger   *memory.Ledger
	Model    string // the embedder's name, for Status
}

// Engine answers queries from a store that this process has open. It may be
// used from several goroutines.
type Engine struct {
	opts Options
	hub  Hub

	mu       sync.Mutex
	current  *snapshot // of the newest commit searched
	progress *Progress // newest one published
}

var _ Searcher = (*Engine)(nil)

// New returns an Engine. It takes no ownership of what is in opts.
func New(opts Options) *Engine { return &Engine{opts: opts} }

// Close implements Searcher; what opts holds stays open.
func (e *Engine) Close() error { return nil }

// Publish hands an event of the indexer to every subscriber.
func (e *Engine) Publish(ev Event) {
	if ev.Progress != nil {
		p := *ev.Progress
		e.mu.Lock()
		e.progress = &p
		e.mu.Unlock()
	}
	e.hub.Publish(ev)
}

// memoryEvery is how often subscribers are told what memory is held.
const memoryEvery = time.Second

// Subscribe implements Searcher. The newest progress and the memory in use
// come at once.
func (e *Engine) Subscribe(ctx context.Context) (<-chan Event, error) {
	in := e.hub.Subscribe(ctx)
	out := make(chan Event)
	go func() {
		defer close(out)
		tick := time.NewTicker(memoryEvery)
		defer tick.Stop()
		send := func(ev Event) {
			select {
			case out <- ev:
			case <-ctx.Done():
			}
		}
		send(e.memoryEvent())
		if p := e.lastProgress(); p != nil {
			send(Event{Progress: p})
		}
		for {
			select {
			case ev, ok := <-in:
				if !ok {
					return
				}
				send(ev)
			case <-tick.C:
				send(e.memoryEvent())
			}
		}
	}()
	return out, nil
}

// lastProgress is a copy of the newest progress, or nil.
func (e *Engine) lastProgress() *Progress {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.progress == nil {
		return nil
	}
	p := *e.progress
	return &p
}

func (e *Engine) memoryEvent() Event {
	pools := []PoolUse{} // never nil: the event must say which field is set
	for _, p := range e.opts.Ledger.Snapshot() {
		pools = append(pools, PoolUse{Pool: p.Name, Bytes: p.Bytes, Peak: p.Peak})
	}
	return Event{Memory: pools}
}

// Search implements Searcher.
func (e *Engine) Search(ctx context.Context, req Request, emit func(Event)) (*Result, error) {
	start := time.Now()
	rec := &recorder{emit: emit}
	clock := time.Now()
	q, err := Parse(req.Query, time.Now())
	if err != nil {
		return nil, err
	}
	rec.stage("parse", clock, 1, len(q.Words)+len(q.Phrases), 0)

	result := &Result{Query: req.Query, Passages: []Passage{}}
	err = e.opts.Store.View(func(tx *store.Tx) error {
		v, err := e.viewOf(tx)
		if err != nil {
			return err
		}
		hits, err := v.retrieve(ctx, q, req, rec)
		if err != nil {
			return err
		}
		clock := time.Now()
		result.Passages, err = v.read(ctx, q, hits)
		rec.stage("read", clock, len(hits), len(result.Passages), passageBytes(result.Passages))
		return err
	})
	if err != nil {
		return nil, searchError(err)
	}
	result.Stats = rec.stats
	result.Stats.Millis = millis(start)
	return result, nil
}

// Ranked is a chunk of a file at its place in a ranking.
type Ranked struct {
	Path  string
	Score float64
}

// Retrieve ranks chunks for a text taken literally, without the query syntax
// and without reading any file: what is measured when ranking is measured.
func (e *Engine) Retrieve(ctx context.Context, text string, mode Mode, k int) ([]Ranked, error) {
	q := &Query{Raw: text, Words: []string{text}, text: []string{text}}
	var ranked []Ranked
	err := e.opts.Store.View(func(tx *store.Tx) error {
		v, err := e.viewOf(tx)
		if err != nil {
			return err
		}
		hits, err := v.retrieve(ctx, q, Request{K: k, Mode: mode}, &recorder{})
		if err != nil {
			return err
		}
		for _, h := range hits {
			file, _ := v.snap.fileOf(h.chunk)
			ranked = append(ranked, Ranked{Path: file.Path, Score: h.score})
		}
		return nil
	})
	return ranked, err
}

// searchError words what went wrong for the person who searched.
func searchError(err error) error {
	if errors.Is(err, store.ErrCorrupt) {
		return fmt.Errorf("%w; run dowse check, and dowse index to build it again", err)
	}
	return err
}

// Status implements Searcher.
func (e *Engine) Status(context.Context) (*Status, error) {
	st := &Status{
		Memory:   map[string]PoolSize{},
		RSS:      memory.RSS(),
		Model:    e.opts.Model,
		Index:    e.opts.Store.Path(),
		Progress: e.lastProgress(),
		Owner:    os.Getpid(),
	}
	for _, p := range e.opts.Ledger.Snapshot() {
		st.Memory[p.Name] = PoolSize{Bytes: p.Bytes, Peak: p.Peak}
	}
	err := e.opts.Store.View(func(tx *store.Tx) error {
		counts, err := tx.Counts()
		if err != nil {
			return err
		}
		st.Files, st.Chunks, st.TextBytes = counts.Files, counts.Chunks, counts.TextBytes
		if st.Bytes, err = tx.Sizes(); err != nil {
			return err
		}
		st.Roots, err = tx.Roots()
		st.Updated = tx.LastCommit()
		return err
	})
	return st, err
}
