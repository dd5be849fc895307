package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"dowse/engine"
	"dowse/engine/conversation"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/engine/rerank/crossencoder"
	"dowse/engine/search"
	"dowse/engine/transformer"
	"dowse/indexer"
	"dowse/indexer/chunk"
	"dowse/indexer/extract"
	"dowse/internal/config"
	"dowse/models"
	"dowse/store"
)

// Stack is everything that answers and indexes in one process, from the
// kernels up. It is an engine.Service.
type Stack struct {
	*search.Engine
	DB       *store.DB
	Models   *search.Models
	indexer  *indexer.Indexer
	readOnly bool
	past     string // folder of past answers
	servers  []engine.ServerStatus
	talks    *conversation.Folder
	watching atomic.Bool
	gate     gate                     // of the calls under way
	idle     *crossencoder.IdleTracer // nil where nothing is traced between searches
	limiter  *memory.Limiter          // of what models may take
	damaged  chan struct{}            // holds a value when a search met damage
	release  func() error             // closes the models
}

var _ engine.Service = (*Stack)(nil)

// Fingerprint names everything that goes into building an index. Any change
// of it means that the index is built again.
func Fingerprint(modelPrint string) string {
	parts := []string{
		"model " + modelPrint, extract.Version, chunk.Version, lexical.Version, transformer.Version,
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:16])
}

// OpenStack opens the model and the store. Read-only, the store may be shared
// with others that read.
func (a *App) OpenStack(ctx context.Context, readOnly bool) (*Stack, error) {
	if err := a.meetServer(ctx); err != nil {
		return nil, err
	}
	ledger := &memory.Ledger{}
	m, err := a.OpenModels(ledger)
	if err != nil {
		return nil, err
	}
	db, err := a.openIndex(store.Options{
		ReadOnly:    readOnly,
		Fingerprint: Fingerprint(m.Embedder.Fingerprint()),
	})
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return a.Assemble(db, m, ledger, readOnly, search.Options{}), nil
}

// memoBytes is what recomputed vectors may take between searches: those of
// some 30,000 chunks.
const memoBytes = 48 << 20

// lastingShare of the memory, as 1/lastingShare, is what those vectors may take at
// most, and what files that are being indexed may.
const lastingShare = 16

// Assemble wires an open store and an open model together. opts holds what
// is not the same for every use.
func (a *App) Assemble(db *store.DB, m *search.Models, ledger *memory.Ledger, readOnly bool, opts search.Options) *Stack {
	analyzer := lexical.NewAnalyzer()
	opts.Store, opts.Analyzer, opts.Embedder = db, analyzer, m.Embedder
	opts.Vectors, opts.Graph = m.Vectors(), a.Config.Graph
	if opts.Texts == nil {
		opts.Texts = indexer.Texts{MaxFile: a.Config.MaxFile, Count: m.Embedder.Count, Room: m.Embedder.Room(), Judged: &extract.Judged{}}
	}
	opts.Ledger, opts.Model, opts.Memo = ledger, a.Config.Model, m.Memory.Part(lastingShare, memoBytes)
	prepared := m.Memory.Part(lastingShare, indexer.DefaultPrepared)
	m.Memory.Reserve(opts.Memo + prepared)
	// Cosines of all embedders are brought to the scale of the default one.
	if e, known := models.Lookup(models.DefaultEmbedder); known {
		opts.Cosines, opts.RelevantFrom = m.Cosines, e.RelevantFrom
	}
	opts.Answerer = m.Answerer(a.server(), a.Config.Answerer == config.Auto, analyzer)
	if m.Reranker != nil {
		opts.Reranker, opts.RerankDepth = m.Reranker, a.Config.Depth
	}
	m.Serve(&opts)
	opts.Conversations = conversation.Open(a.conversationsFolder(), m.Keys)
	var ix *indexer.Indexer // made after the engine, whose events it publishes
	opts.Outdated = func(path string) { ix.Outdated(path) }
	damaged := make(chan struct{}, 1)
	opts.Damaged = func() {
		select {
		case damaged <- struct{}{}:
		default:
		}
	}
	eng := search.New(opts)
	if e := m.ServedEmbedder; e != nil {
		e.Notify(func(sentence string) { eng.Publish(engine.Event{Problem: sentence}) })
	}
	ix = indexer.New(indexer.Options{
		Store:    db,
		Analyzer: analyzer,
		Embedder: m.Embedder,
		Dot:      m.Kernel,
		Budget:   a.Config.Budget,
		NoGraph:  a.Config.Graph == config.GraphOff,
		Emit:     eng.Publish,
		Quiet:    eng.Quiet,
		Threads:  a.Config.Threads,
		MaxFile:  a.Config.MaxFile,
		Hidden:   a.Config.Hidden,
		Ledger:   ledger,
		Prepared: prepared,
	})
	return &Stack{
		Engine: eng, DB: db, Models: m, indexer: ix, readOnly: readOnly, past: a.pastFolder(), servers: a.servers(),
		talks: opts.Conversations, limiter: memory.NewLimiter(m.Memory), damaged: damaged, release: m.Close,
	}
}

// Index implements engine.Service.
func (s *Stack) Index(ctx context.Context, folders []string, emit func(engine.Event)) (*engine.IndexReport, error) {
	if s.readOnly {
		return nil, store.ErrReadOnly
	}
	ctx, leave, err := s.gate.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if emit != nil {
		stop := s.forward(ctx, emit)
		defer stop()
	}
	return s.indexer.Run(ctx, folders)
}

// forward hands events to emit, from one goroutine, until stop is called.
func (s *Stack) forward(ctx context.Context, emit func(engine.Event)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	events, err := s.Subscribe(ctx)
	if err != nil {
		cancel()
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range events {
			emit(e)
		}
	}()
	return func() { cancel(); <-done }
}

// watch indexes and follows until ctx ends.
func (s *Stack) watch(ctx context.Context, folders []string) error {
	ctx, leave, err := s.gate.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	s.watching.Store(true)
	defer s.watching.Store(false)
	ctx, cancel := context.WithCancel(ctx)
	var warming sync.WaitGroup
	defer warming.Wait()
	defer cancel()
	warming.Go(func() { s.mend(ctx) })
	return s.indexer.Watch(ctx, folders, func() {
		if s.Models.ServedEmbedder != nil {
			return // a server is not sent everything again ahead of questions
		}
		warming.Go(func() {
			if err := s.Warm(ctx); err != nil && ctx.Err() == nil {
				s.Publish(engine.Event{Problem: fmt.Sprintf("vectors could not be computed ahead, so searches take longer: %v", err)})
			}
		})
	})
}

// traceWhenIdle traces rerankings between searches, until the gate closes.
func (s *Stack) traceWhenIdle() error {
	if s.Models.Reranker == nil {
		return nil
	}
	ctx, leave, err := s.gate.enter(context.Background())
	if err != nil {
		return err
	}
	idle, run := s.Models.Reranker.TraceWhenIdle()
	s.idle = idle
	go func() {
		defer leave()
		run(ctx)
	}()
	return nil
}

// Search implements engine.Searcher.
func (s *Stack) Search(ctx context.Context, req engine.Request, emit func(engine.Event)) (*engine.Result, error) {
	defer s.idle.Search()()
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Result, error) {
		return s.Engine.Search(ctx, req, emit)
	})
}

// Related implements engine.Searcher. Of a file that is not in the index it says why.
func (s *Stack) Related(ctx context.Context, req engine.RelatedRequest, emit func(engine.Event)) (*engine.Related, error) {
	defer s.idle.Search()()
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Related, error) {
		related, err := s.Engine.Related(ctx, req, emit)
		if errors.Is(err, engine.ErrNotIndexed) {
			if why, unknown := s.indexer.WhyNot(req.Path); unknown == nil {
				err = fmt.Errorf("%w: %s", err, why)
			}
		}
		return related, err
	})
}

// Preview implements engine.Searcher.
func (s *Stack) Preview(ctx context.Context, p engine.Passage, before, after int) (*engine.Preview, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Preview, error) {
		return s.Engine.Preview(ctx, p, before, after)
	})
}

// Status implements engine.Searcher, with what only the process knows.
func (s *Stack) Status(ctx context.Context) (*engine.Status, error) {
	return within(ctx, &s.gate, s.status)
}

func (s *Stack) status(ctx context.Context) (*engine.Status, error) {
	st, err := s.Engine.Status(ctx)
	if err != nil {
		return nil, err
	}
	st.Watching = s.watching.Load()
	if st.Skipped, err = s.indexer.Skipped(); err != nil {
		return nil, err
	}
	if !st.Watching {
		st.Owner = 0
	}
	// Conversations that cannot be read say so where they are listed.
	st.Conversations, _ = s.talks.Status()
	if b := s.limiter.Limits(); b.Full > 0 {
		st.Budget = &engine.Budget{Bytes: b.After, Full: b.Full}
	}
	st.Writer, st.Servers = s.Models.Writer.Use(), s.servers
	return st, nil
}

// Check implements engine.Service.
func (s *Stack) Check(ctx context.Context, emit func(engine.Event)) (*engine.CheckReport, error) {
	ctx, leave, err := s.gate.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	tell := func(problem string) {
		if emit != nil {
			emit(engine.Event{Problem: problem})
		}
	}
	sum, blocks, err := s.indexer.Check(ctx, func(p store.Problem) { tell(p.String()) })
	if err != nil {
		return nil, fmt.Errorf("the check could not be finished: %w", err)
	}
	report := &engine.CheckReport{Files: sum.Files, Chunks: sum.Chunks, Blocks: blocks, Problems: sum.Problems}
	report.Keys, err = s.Models.Keys.Check(ctx, func(problem string) {
		tell("keys and values of conversations: " + problem + "; what is lost of them is computed again")
	})
	if err != nil {
		return nil, fmt.Errorf("the check of conversations could not be finished: %w", err)
	}
	st, err := s.Engine.Status(ctx)
	switch {
	case err == nil:
		report.Bytes = st.Bytes["total"]
	case sum.Problems == 0:
		return nil, err
	}
	return report, nil
}

// Close cancels the calls under way, waits for them and releases everything.
func (s *Stack) Close() error {
	s.gate.close()
	return errors.Join(s.DB.Close(), s.release())
}
