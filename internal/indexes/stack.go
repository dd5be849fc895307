package indexes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
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
	"dowse/internal/hosts"
	"dowse/internal/pressure"
	"dowse/internal/reading"
	"dowse/models"
	"dowse/store"
)

// Stack answers and indexes in one process: an index, its models and what works on them.
type Stack struct {
	*search.Engine
	DB              *store.DB
	Models          *modelset.Set
	indexer         *indexer.Indexer
	readOnly        bool
	byWords         bool   // the index is built with an embedder that is not installed
	model           string // name of the embedder that is
	past            string // folder of past answers
	servers         []engine.ServerStatus
	conversations   *conversation.Folder
	watching        atomic.Bool
	settings        *folderSettings
	calm            *pressure.Calm                                     // tells indexing to wait; nil: it never does
	presence        *presence                                          // of the roots
	hosts           *hosts.Pool                                        // other machines that are searched
	gate            gate                                               // of the calls under way
	idle            *atomic.Pointer[crossencoder.IdleTracer]           // of its owner; nil, or nil in it, where nothing is traced between searches
	ledger          *memory.Ledger                                     // of what is held
	limiter         *memory.Limiter                                    // of what models may take
	damaged         chan struct{}                                      // holds a value when a search met damage
	release         func() error                                       // closes the models
	reserved        int64                                              // bytes of the memory that are set apart for it, but for its embedder
	folderIndex     atomic.Pointer[folderIndex]                        // of folders with an embedder of their own; nil where none has
	packs           packs                                              // that are searched beside the index
	shownByFolders  *sharedFolders                                     // which that one shows
	addFolderModels func(ctx context.Context, st *engine.Status) error // tells which have; nil: none can
	pending         func(st *engine.Status) *engine.ModelChange        // to another embedder; nil: none can be under way
}

var _ engine.Service = (*Stack)(nil)

// Fingerprint names everything that goes into building an index. An index with another one is
// built again.
func Fingerprint(modelPrint string) string {
	return fingerprint("model "+modelPrint, extract.Version, chunk.Version, lexical.Version, transformer.Version)
}

// wordsFingerprint names what passages and postings depend on, whatever the embedder.
func wordsFingerprint() string {
	return fingerprint(extract.Version, chunk.Version, lexical.Version)
}

func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:16])
}

// memoBytes bounds recomputed vectors between searches: some 30,000 chunks.
const memoBytes = 48 << 20

// keptBytes bounds the vectors that an index keeps of those that were recomputed: some 10,000 of the
// default embedder, with eight bits a number.
const keptBytes = 4 << 20

// waits reports whether background work is to wait.
func (op *Opener) waits() bool { return op.Calm.Why() != "" }

// keptOf is how many bytes of vectors an index keeps: none where a server embeds, whose vectors need
// more bits, and where others write it.
func keptOf(readOnly bool, m *modelset.Set) int64 {
	if readOnly || m.Served() != nil {
		return 0
	}
	return keptBytes
}

// lastingShare bounds those vectors, and files that are being indexed, by 1/lastingShare of the
// memory each.
const lastingShare = 16

// Lasting is what an open index keeps of the memory: recomputed vectors, and files that are
// being indexed.
func Lasting(m *memory.Arbiter) (memo, prepared int64) {
	return m.Part(lastingShare, memoBytes), m.Part(lastingShare, indexer.DefaultPrepared)
}

// Assemble wires an open store and open models together. opts holds what differs between uses.
func (op *Opener) Assemble(db *store.DB, m *modelset.Set, ledger *memory.Ledger, readOnly bool, opts search.Options) *Stack {
	s := op.assemble(db, m, ledger, readOnly, opts, nil)
	s.limiter = memory.NewLimiter(m.Memory)
	return s
}

// assemble is Assemble without the limiter; before is the stack to replace, or nil.
func (op *Opener) assemble(db *store.DB, m *modelset.Set, ledger *memory.Ledger, readOnly bool, opts search.Options, before *Stack) *Stack {
	analyzer := lexical.NewAnalyzer()
	opts.Store, opts.Analyzer, opts.Embedder = db, analyzer, m.Embedder
	opts.Vectors, opts.Graph = m.Vectors(), op.Config.Graph
	opts.Fingerprint = Fingerprint(m.Embedder.Fingerprint())
	if opts.Texts == nil {
		opts.Texts = op.texts(db, m, ledger)
	}
	if opts.Model == "" {
		opts.Model = op.Config.Model
	}
	memo, prepared := Lasting(m.Memory)
	opts.Ledger, opts.Memo, opts.Waits = ledger, memo, op.waits
	opts.Kept = keptOf(readOnly, m)
	m.Memory.Reserve(opts.Memo + prepared)
	// Cosines of all embedders are brought to the scale of the default one.
	if e, known := models.Lookup(models.DefaultEmbedder); known {
		opts.Cosines, opts.RelevantFrom = m.Cosines, e.RelevantFrom
	}
	opts.Models = m.Models(analyzer)
	name := opts.Model
	m.Serve(&opts)
	var conversations *conversation.Folder
	if before != nil {
		conversations = before.conversations
	} else {
		conversations = conversation.Open(op.Home.Conversations(), m.Keys)
	}
	opts.Conversations = conversations
	var ix *indexer.Indexer // made after the engine, whose events it publishes
	var s *Stack            // likewise
	opts.Named = func() []engine.NamedFolder { return s.named() }
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
	shownByFolders := &sharedFolders{}
	if before != nil {
		shownByFolders = before.shownByFolders
	}
	work := op.IndexerOptions(db, m, ledger, prepared, eng.Publish, eng.Quiet)
	settings := &folderSettings{}
	if before != nil {
		settings = before.settings
	} else {
		settings.set(op.Config.Places)
	}
	work.Except, work.Settings = shownByFolders.get, settings.rules
	ix = indexer.New(work)
	s = &Stack{
		Engine: eng, settings: settings, calm: op.Calm, presence: &presence{}, DB: db, Models: m, indexer: ix, readOnly: readOnly, byWords: opts.ByWords != "", model: name, past: op.Home.Answers(), servers: op.Servers(),
		conversations: conversations, damaged: damaged, release: m.Close, ledger: ledger, reserved: opts.Memo + prepared,
		shownByFolders: shownByFolders, packs: packs{opener: op}, hosts: hosts.NewPool(op.machines),
	}
	if before != nil {
		if fi := before.folderIndex.Load(); fi != nil {
			s.folderIndex.Store(fi)
			s.Join(fi.Engine)
		}
	}
	return s
}

// texts reads files again as IndexerOptions has them read.
func (op *Opener) texts(db *store.DB, m *modelset.Set, ledger *memory.Ledger) indexer.Texts {
	return indexer.Texts{
		MaxFile: op.Config.MaxFile, Encodings: reading.Of(op.Home, op.Config).Encodings(), Secrets: op.secrets(m), Browsers: reading.Of(op.Home, op.Config).Browsers(), Count: m.Embedder.Count, Room: m.Embedder.Room(), Judged: &extract.Judged{}, Store: db,
		Recent: indexer.NewRecent(ledger),
	}
}

// secrets reports whether files that hold secrets are indexed: by the settings, and never where a server embeds, which
// would get their text.
func (op *Opener) secrets(m *modelset.Set) bool {
	return op.Config.Extract.Secrets && m.Served() == nil
}

// IndexerOptions is what an Indexer is made of that builds an index with the embedder of m.
func (op *Opener) IndexerOptions(db *store.DB, m *modelset.Set, ledger *memory.Ledger, prepared int64, emit func(engine.Event), quiet func(context.Context) error) indexer.Options {
	embedder := indexer.Embedder(m.Embedder)
	if op.Calm != nil {
		embedder = patientEmbedder{m.Embedder, op.Calm}
	}
	return indexer.Options{
		Store:    db,
		Analyzer: lexical.NewAnalyzer(),
		Embedder: embedder,
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
		Browsers:  reading.Of(op.Home, op.Config).Browsers(),
	}
}

// Close cancels the calls under way, waits for them and releases everything.
func (s *Stack) Close() error {
	s.gate.close()
	s.hosts.Close()
	err := s.closePacks()
	if fi := s.folderIndex.Swap(nil); fi != nil {
		s.Part(fi.Engine)
		err = errors.Join(err, fi.close())
	}
	return errors.Join(err, s.DB.Close(), s.release())
}
