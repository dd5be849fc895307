package indexes

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
	"dowse/engine/modelset"
	"dowse/engine/rerank/crossencoder"
	"dowse/engine/search"
	"dowse/engine/transformer"
	"dowse/indexer"
	"dowse/indexer/chunk"
	"dowse/indexer/extract"
	"dowse/internal/config"
	"dowse/internal/reading"
	"dowse/models"
	"dowse/store"
)

// Stack is everything that answers and indexes in one process, from the
// kernels up. It is an engine.Service.
type Stack struct {
	*search.Engine
	DB        *store.DB
	Models    *modelset.Set
	indexer   *indexer.Indexer
	readOnly  bool
	byWords   bool   // the index is built with an embedder that is not installed
	model     string // name of the embedder that is
	past      string // folder of past answers
	servers   []engine.ServerStatus
	talks     *conversation.Folder
	watching  atomic.Bool
	gate      gate                                               // of the calls under way
	idle      *crossencoder.IdleTracer                           // nil where nothing is traced between searches
	ledger    *memory.Ledger                                     // of what is held
	limiter   *memory.Limiter                                    // of what models may take
	damaged   chan struct{}                                      // holds a value when a search met damage
	release   func() error                                       // closes the models
	reserved  int64                                              // bytes of the memory that are set apart for it, but for its embedder
	own       atomic.Pointer[ownIndex]                           // of folders with an embedder of their own; nil where none has
	elsewhere *folderList                                        // which that one shows
	folders   func(ctx context.Context, st *engine.Status) error // tells which have; nil: none can
	change    func(st *engine.Status) *engine.ModelChange        // to another embedder; nil: none can be under way
}

var _ engine.Service = (*Stack)(nil)

// Fingerprint names everything that goes into building an index. Any change
// of it means that the index is built again.
func Fingerprint(modelPrint string) string {
	return fingerprint("model "+modelPrint, extract.Version, chunk.Version, lexical.Version, transformer.Version)
}

// wordsFingerprint names what the passages and the postings of an index depend on,
// whichever embedder it is built with.
func wordsFingerprint() string {
	return fingerprint(extract.Version, chunk.Version, lexical.Version)
}

func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:16])
}

// memoBytes is what recomputed vectors may take between searches: those of
// some 30,000 chunks.
const memoBytes = 48 << 20

// lastingShare of the memory, as 1/lastingShare, is what those vectors may take at
// most, and what files that are being indexed may.
const lastingShare = 16

// Lasting is what an open index keeps of the memory: recomputed vectors, and files that are
// being indexed.
func Lasting(m *memory.Arbiter) (memo, prepared int64) {
	return m.Part(lastingShare, memoBytes), m.Part(lastingShare, indexer.DefaultPrepared)
}

// Assemble wires an open store and an open model together. opts holds what
// is not the same for every use.
func (op *Opener) Assemble(db *store.DB, m *modelset.Set, ledger *memory.Ledger, readOnly bool, opts search.Options) *Stack {
	s := op.assemble(db, m, ledger, readOnly, opts, nil)
	s.limiter = memory.NewLimiter(m.Memory)
	return s
}

// assemble is Assemble, but for the limiter; before, which may be nil, is what the stack
// takes the place of.
func (op *Opener) assemble(db *store.DB, m *modelset.Set, ledger *memory.Ledger, readOnly bool, opts search.Options, before *Stack) *Stack {
	analyzer := lexical.NewAnalyzer()
	opts.Store, opts.Analyzer, opts.Embedder = db, analyzer, m.Embedder
	opts.Vectors, opts.Graph = m.Vectors(), op.Config.Graph
	if opts.Texts == nil {
		opts.Texts = op.texts(db, m)
	}
	if opts.Model == "" {
		opts.Model = op.Config.Model
	}
	memo, prepared := Lasting(m.Memory)
	opts.Ledger, opts.Memo = ledger, memo
	m.Memory.Reserve(opts.Memo + prepared)
	// Cosines of all embedders are brought to the scale of the default one.
	if e, known := models.Lookup(models.DefaultEmbedder); known {
		opts.Cosines, opts.RelevantFrom = m.Cosines, e.RelevantFrom
	}
	opts.Answerer = m.Answerer(op.AnswerServer(), op.Config.Answerer == config.Auto, analyzer)
	if m.Reranker != nil {
		opts.Reranker, opts.RerankDepth = m.Reranker, op.Config.Depth
	}
	name := opts.Model
	m.Serve(&opts)
	if before != nil {
		opts.Conversations = before.talks
	} else {
		opts.Conversations = conversation.Open(op.Home.Conversations(), m.Keys)
	}
	var ix *indexer.Indexer // made after the engine, whose events it publishes
	opts.Outdated = func(path string) { ix.Outdated(path) }
	damaged := make(chan struct{}, 1)
	opts.Damaged = func() {
		select {
		case damaged <- struct{}{}:
		default:
		}
	}
	var eng *search.Engine
	if before != nil {
		eng = before.Successor(opts)
	} else {
		eng = search.New(opts)
	}
	if e := m.Served(); e != nil {
		e.Notify(func(sentence string) { eng.Publish(engine.Event{Problem: sentence}) })
	}
	elsewhere := &folderList{}
	if before != nil {
		elsewhere = before.elsewhere
	}
	work := op.IndexerOptions(db, m, ledger, prepared, eng.Publish, eng.Quiet)
	work.Except = elsewhere.get
	ix = indexer.New(work)
	s := &Stack{
		Engine: eng, DB: db, Models: m, indexer: ix, readOnly: readOnly, byWords: opts.ByWords != "", model: name, past: op.Home.Answers(), servers: op.Servers(),
		talks: opts.Conversations, damaged: damaged, release: m.Close, ledger: ledger, reserved: opts.Memo + prepared,
		elsewhere: elsewhere,
	}
	if before != nil {
		if own := before.own.Load(); own != nil {
			s.own.Store(own)
			s.Join(own.Engine)
		}
	}
	return s
}

// texts reads files again as IndexerOptions has them read.
func (op *Opener) texts(db *store.DB, m *modelset.Set) indexer.Texts {
	return indexer.Texts{
		MaxFile: op.Config.MaxFile, Encodings: reading.Of(op.Home, op.Config).Encodings(), Secrets: op.secrets(m), Count: m.Embedder.Count, Room: m.Embedder.Room(), Judged: &extract.Judged{}, Store: db,
	}
}

// secrets reports whether files that hold secrets are indexed: if the settings say so, and no server embeds, since
// it would get their text.
func (op *Opener) secrets(m *modelset.Set) bool {
	return op.Config.Extract.Secrets && m.Served() == nil
}

// IndexerOptions is what an Indexer is made of that builds an index with the embedder of m.
func (op *Opener) IndexerOptions(db *store.DB, m *modelset.Set, ledger *memory.Ledger, prepared int64, emit func(engine.Event), quiet func(context.Context) error) indexer.Options {
	return indexer.Options{
		Store:    db,
		Analyzer: lexical.NewAnalyzer(),
		Embedder: m.Embedder,
		Dot:      m.Kernel,
		Budget:   op.Config.Budget,
		NoGraph:  op.Config.Graph == config.GraphOff,
		Emit:     emit,
		Quiet:    quiet,
		Threads:  op.Config.Threads,
		MaxFile:  op.Config.MaxFile,
		Hidden:   op.Config.Hidden,
		Readers:  reading.Of(op.Home, op.Config).Signature(),
		Ledger:   ledger,
		Prepared: prepared,
		Programs: reading.Of(op.Home, op.Config).Programs(),

		Encodings: reading.Of(op.Home, op.Config).Encodings(),
		Secrets:   op.secrets(m),
	}
}

// Index implements engine.Service.
func (s *Stack) Index(ctx context.Context, folders []string, emit func(engine.Event)) (*engine.IndexReport, error) {
	if s.readOnly {
		return nil, store.ErrReadOnly
	}
	return writing(ctx, &s.gate, func(ctx context.Context) (*engine.IndexReport, error) {
		if emit != nil {
			stop := s.forward(ctx, emit)
			defer stop()
		}
		return s.indexer.Run(ctx, folders)
	})
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
	_, err := writing(ctx, &s.gate, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.watchInside(ctx, folders)
	})
	return err
}

// watchInside is watch inside of the gate. What is built with an embedder that is not
// there is left as it is: an index that is built with another one will take its place.
func (s *Stack) watchInside(ctx context.Context, folders []string) error {
	s.watching.Store(true)
	defer s.watching.Store(false)
	if s.byWords {
		if err := s.indexer.AddRoots(ctx, folders); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	}
	ctx, cancel := context.WithCancel(ctx)
	var warming sync.WaitGroup
	defer warming.Wait()
	defer cancel()
	warming.Go(func() { s.mend(ctx) })
	if own := s.own.Load(); own != nil {
		warming.Go(func() { own.watch(ctx) })
		if roots, err := s.indexer.Roots(); err != nil || len(roots)+len(folders) == 0 {
			<-ctx.Done()
			return errors.Join(err, ctx.Err())
		}
	}
	return s.indexer.Watch(ctx, folders, func() {
		if s.Models.Served() != nil {
			return // a server is not sent everything again ahead of questions
		}
		warming.Go(func() {
			if err := s.Warm(ctx); err != nil && ctx.Err() == nil {
				s.Publish(engine.Event{Problem: fmt.Sprintf("vectors could not be computed ahead, so searches take longer: %v", err)})
			}
		})
	})
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
			if why, unknown := s.whyNot(req.Path); unknown == nil {
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

// Complete implements engine.Service.
func (s *Stack) Complete(ctx context.Context, req engine.CompletionRequest) (*engine.Completion, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Completion, error) {
		return s.Engine.Complete(ctx, req)
	})
}

// Close cancels the calls under way, waits for them and releases everything.
func (s *Stack) Close() error {
	s.gate.close()
	var err error
	if own := s.own.Swap(nil); own != nil {
		s.Part(own.Engine)
		err = own.close()
	}
	return errors.Join(err, s.DB.Close(), s.release())
}

// finish waits for the calls under way on a stack whose place another one has taken, and
// releases what the two do not share.
func (s *Stack) finish() error {
	s.gate.drain()
	err := errors.Join(s.Engine.Close(), s.DB.Close(), s.Models.CloseEmbedder())
	s.Models.Memory.Reserve(-s.reserved)
	return err
}
