package search

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/engine/search/complete"
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Options is what an Engine is made of. Those up to Model are required, but
// for Ledger.
type Options struct {
	Store    *store.DB
	Analyzer *lexical.Analyzer
	Embedder engine.Embedder
	Vectors  leann.Index
	Texts    engine.Texts
	Ledger   *memory.Ledger
	Model    string // the embedder's name, for Status

	// Cosines brings those of Embedder to the scale that rankings are fused on.
	Cosines fusion.Scale
	// RelevantFrom is the closeness to a query from which a passage counts as relevant,
	// on that scale; 0 where it was not measured: everything is relevant.
	RelevantFrom float64

	Models

	Memo int64 // bytes of recomputed vectors kept between searches
	Kept int64 // bytes of them that Warm keeps in the index; 0 where none are
	// Waits says that the machine is not to be kept busy in the background now; nil: it always may.
	Waits     func() bool
	Graph     string            // how the graph is used, one of layout's; empty: GraphAuto
	Recompute int               // vectors recomputed for a search; 0: until the best are found
	Outdated  func(path string) // told of files that changed since they were indexed; must not block
	Damaged   func()            // told that a search met damage of the index; must not block
	// Conversations keeps what is asked in conversations; nil: none are kept.
	Conversations Conversations
	// Named returns the indexed folders by their names; nil: none has one.
	Named func() []engine.NamedFolder
	// Sent is where Embedder sends texts to; nil where it is of this machine.
	Sent *engine.Sent
	// Distant says that Embedder asks another machine, which gets no text while it is typed.
	Distant bool
	// ByWords is why searches go by words alone, because the vectors of the index are not
	// those of Embedder; "" where they are.
	ByWords string
	// Fingerprint names all that the index is built with: indexes of other machines that have the same rank with it as one.
	Fingerprint string
	// Pack is the path of the index pack that Store is; "" of any other index.
	Pack string
	// Scan compares the query with the vectors that the index has, which must be
	// those of all chunks: the reference.
	Scan bool
}

// Models are what a search asks besides the embedder. Others may take their place (Use).
type Models struct {
	Reranker    engine.Reranker // nil: hybrid ranking is the last word
	RerankDepth int             // candidates that are reranked; 0 means as many as Reranker says
	// RerankSends says that Reranker asks a server: text that is not the indexed one is not
	// reranked.
	RerankSends bool
	Answerer    engine.Answerer // nil: requests for an answer get passages and a reason
}

// Engine answers queries from a store that this process has open. It may be
// used from several goroutines.
type Engine struct {
	opts Options
	hub  *hub

	index  *snapshot.Index
	source *passage.Source // of its passages

	turns     *turnstile       // of conversations
	asked     *questions       // whose vectors are kept
	values    *complete.Values // that filters may have
	memo      *leann.Memo
	asks      *asks         // whose vectors are to be kept
	roughs    *roughs       // in the place of vectors that are still to come
	searching *atomic.Int32 // searches under way, of those beside this one too
	others    *joined
	users     *sync.WaitGroup         // searches under way of an engine that this one is beside
	used      *atomic.Pointer[Models] // in the place of those of opts; nil in it: none are

	verifyFiles, verifyBytes int64 // what a search reads at most to look phrases up
}

var _ engine.Searcher = (*Engine)(nil)

// New returns an Engine. It takes no ownership of what is in opts.
func New(opts Options) *Engine {
	grow := func(n int64) { opts.Ledger.Grow(memoPool, n) }
	values := &complete.Values{Ledger: opts.Ledger, Named: opts.Named}
	values.Index = snapshot.New(snapshot.Options{Store: opts.Store, Ledger: opts.Ledger, Graph: opts.Graph, Changed: values.Outdate})
	return &Engine{
		index: values.Index, values: values,
		source: &passage.Source{Index: values.Index, Texts: opts.Texts, Analyzer: opts.Analyzer, Changed: opts.Outdated, Pack: opts.Pack},
		opts:   opts, hub: &hub{}, turns: &turnstile{}, searching: &atomic.Int32{},
		others: &joined{}, users: &sync.WaitGroup{}, used: &atomic.Pointer[Models]{},
		asked: &questions{ledger: opts.Ledger}, memo: leann.NewMemo(opts.Memo, opts.Vectors.Dim, grow), asks: &asks{},
		roughs:      &roughs{ledger: opts.Ledger, dim: opts.Vectors.Dim, room: int(opts.Memo / roughShare / int64(opts.Vectors.Dim+roughHead))},
		verifyFiles: verifyFiles, verifyBytes: verifyBytes,
	}
}

// Successor is New for an engine over another index that takes the place of this one:
// who has subscribed goes on being told, and questions of a conversation wait for those
// that this one answers.
func (e *Engine) Successor(opts Options) *Engine {
	next := New(opts)
	next.hub, next.turns, next.searching = e.hub, e.turns, e.searching
	return next
}

// Use has searches that begin from now on use other models; those under way end with the ones that they
// began with.
func (e *Engine) Use(m Models) { e.used.Store(&m) }

// present is the engine with the models that a search that begins now uses to its end.
func (e *Engine) present() *Engine {
	m := e.used.Load()
	if m == nil {
		return e
	}
	now := *e
	now.opts.Models = *m
	return &now
}

// memoPool is the ledger's pool of vectors that are kept between searches: recomputed
// ones, and those of questions.
const memoPool = "vectors.memo"

// Close implements Searcher: it frees what was kept between searches. No search may be under way.
// What Options hold stays open.
func (e *Engine) Close() error {
	e.index.Drop()
	e.values.Drop()
	e.roughs.close()
	e.opts.Ledger.Shrink(memoPool, e.memo.Drop()+e.asked.drop())
	return nil
}

// search answers an inquiry from an index as far as that is sound.
func (e *Engine) search(ctx context.Context, in *inquiry, emit func(engine.Event)) (*engine.Result, error) {
	e.searching.Add(1)
	defer e.searching.Add(-1)
	start := time.Now()
	if emit != nil {
		emit = oneAtATime(emit)
		ctx = engine.Telling(ctx, func(sentence string) { emit(engine.Event{Problem: sentence}) })
	}
	rec := &recorder{emit: emit}
	query, err := engine.Parse(in.Query, start)
	if err != nil {
		return nil, err
	}
	if err := query.Resolve(e.named()); err != nil {
		return nil, err
	}
	if in.In, err = engine.FindFolders(in.In, e.named()); err != nil {
		return nil, err
	}
	if in.Answer {
		query.Unmark()
	}
	q := e.formulate(query, in.earlier)
	q.engines, q.machines = in.engines, in.machines
	rec.stage("parse", start, 1, len(query.Words)+len(query.Phrases), 0)

	result := &engine.Result{Query: in.Query}
	commit, found, err := e.retrieveAnyhow(ctx, q, in.Request, rec)
	if err == nil {
		result.Passages, err = read(ctx, commit, query, found, passage.Page{K: wanted(in.K), Fold: in.Fold, Files: in.Files}, rec)
	}
	if err == nil && len(commit.Guesses) > 0 {
		result.Respelled = respellings(commit, query, result.Passages)
		rec.problem(respelledText(result.Respelled))
	}
	if read := q.read(); read != query.Text() {
		in.standalone = read
	}
	if err == nil && in.Answer {
		rec.found(result.Passages)
		result.Answer, err = e.answerStage(ctx, in, q, result.Passages, rec)
	}
	if err != nil {
		return nil, err
	}
	result.Stats = rec.stats
	result.Stats.Millis = millis(start)
	return result, nil
}

// named are the indexed folders by their names.
func (e *Engine) named() []engine.NamedFolder {
	if e.opts.Named == nil {
		return nil
	}
	return e.opts.Named()
}

// Ranked is a chunk of a file at its place in a ranking.
type Ranked struct {
	Path  string
	Score float64
}

// Retrieve ranks chunks for a literal text, without query syntax and without making passages: the
// part of a search that measurements of rankings measure. It returns what that cost.
func (e *Engine) Retrieve(ctx context.Context, text string, mode engine.Mode, k int) ([]Ranked, *engine.Stats, error) {
	q := &formulation{Query: engine.Literal(text)}
	var leave func()
	q.engines, leave = e.engines()
	defer leave()
	rec := &recorder{}
	commit, found, err := e.retrieveAnyhow(ctx, q, engine.Request{K: k, Mode: mode}, rec)
	if err != nil {
		return nil, nil, searchError(ctx, err)
	}
	var ranked []Ranked
	for _, c := range found[:min(wanted(k), len(found))] {
		file, _ := commit.FileOf(c.chunk)
		ranked = append(ranked, Ranked{Path: file.Path, Score: c.score})
	}
	return ranked, &rec.stats, nil
}

// searchError words what went wrong for the person who searched. Whatever a
// stage makes of a cancelled ctx, the caller gets ctx.Err().
func searchError(ctx context.Context, err error) error {
	if errors.Is(err, store.ErrCorrupt) {
		return fmt.Errorf("%w; dowse check says more, and dowse index repairs it", err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Progress is the last that was told of indexing; nil of none.
func (e *Engine) Progress() *engine.Progress { return e.hub.lastProgress() }

// Status implements Searcher.
func (e *Engine) Status(context.Context) (*engine.Status, error) {
	st := &engine.Status{
		Memory:   map[string]engine.PoolSize{},
		RSS:      memory.RSS(),
		Model:    e.opts.Model,
		Index:    e.opts.Store.Path(),
		Progress: e.hub.lastProgress(),
		Owner:    os.Getpid(),
	}
	for _, p := range e.opts.Ledger.Snapshot() {
		st.Memory[p.Name] = engine.PoolSize{Bytes: p.Bytes, Peak: p.Peak}
	}
	if err := e.index.Status(st); err != nil {
		return nil, err
	}
	return st, nil
}

// Complete implements engine.Completer.
func (e *Engine) Complete(ctx context.Context, req engine.CompletionRequest) (*engine.Completion, error) {
	engines, leave := e.engines()
	defer leave()
	var kept []*complete.Values
	for _, o := range engines {
		kept = append(kept, o.values)
	}
	var err error
	if req.In, err = engine.FindFolders(req.In, e.named()); err != nil {
		return nil, err
	}
	done, err := complete.Complete(ctx, req, kept, time.Now())
	if err != nil {
		return nil, searchError(ctx, err)
	}
	return done, nil
}
