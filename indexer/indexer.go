package indexer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dowse/engine"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/indexer/extract"
	"dowse/indexer/paths"
	"dowse/indexer/walk"
	"dowse/store"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sync/semaphore"
)

// Embedder turns chunks into vectors.
type Embedder interface {
	// Dim is the length of a vector.
	Dim() int
	// Count is the number of tokens of a text, special ones not counted.
	Count(text string) int
	// Room is how many tokens of a passage the model reads, without those.
	Room() int
	// EmbedDocuments returns one vector of unit length a text, one after the
	// other: [len(texts), Dim]. It uses all cores.
	EmbedDocuments(ctx context.Context, texts []string) ([]float32, error)
	// EmbedQueries does the same with texts that are asked.
	EmbedQueries(ctx context.Context, texts []string) ([]float32, error)
}

// Dotter computes inner products of vectors; it is leann's.
type Dotter = leann.Dotter

// blockage is why changes are not indexed, and its cause alone.
type blockage struct {
	why, of string
	meaning bool // they are by words
}

// Options is what an Indexer is made of. All up to MaxFile are required.
type Options struct {
	Store    *store.DB
	Analyzer *lexical.Analyzer
	Embedder Embedder
	Dot      Dotter
	Budget   float64            // share of the text's bytes that the vector index may take
	NoGraph  bool               // keep no graph
	Emit     func(engine.Event) // receives progress; must not block
	Threads  int                // files read and extracted at a time
	MaxFile  int64              // bytes; larger files are skipped
	Hidden   bool               // index hidden files too
	Prepared int64              // bytes that files may hold before they are committed; 0 means DefaultPrepared
	Ledger   *memory.Ledger     // counts them; may be nil
	Clock    *Clock             // sums up what takes how long; may be nil
	// Except returns the folders below the roots that belong to another index; nil: none do.
	Except func() []string
	// Settings returns what the person says of folders, as it is now; nil: nothing.
	Settings func() []FolderSettings
	// Quiet blocks until nobody searches, or ctx ends; background work calls it first. nil does
	// not wait.
	Quiet func(ctx context.Context) error
	// Readers names what reads files besides the formats of this program. When it changes,
	// files in which nothing was found are read again.
	Readers string
	// Programs names the programs of the person's that read pictures, sounds and videos. When
	// they change, such files are read again.
	Programs string
	// Encodings are those of old text files. When that of a file changes, it is read again.
	Encodings extract.Encodings
	// Secrets has files indexed that hold private keys, passwords or access tokens. When it is turned off, they are erased.
	Secrets bool
	// Browsers are files and folders. The history and the bookmarks in them are indexed, and erased when they are not named any more.
	Browsers []string
	// EraseAfter is how long traces of deleted text stay while Watch runs; 0
	// means the constant of that name.
	EraseAfter time.Duration
}

// Indexer brings a store in step with folders. One sync runs at a time; calls
// wait for each other, until their ctx ends.
type Indexer struct {
	opts  Options
	turn  *semaphore.Weighted // held by a sync
	asked chan string         // what Outdated was told

	traces    chan struct{} // a change left traces of deleted text
	quantized chan struct{} // fresh chunks got codes

	holdFor  time.Duration        // holdTime, but in tests
	vanished map[uint32]time.Time // files that wait to be removed, and since when; guarded by turn

	rotateFrom int // leann.Index.Rotate: 0, but in tests

	later     *later      // what programs are to be asked about
	postpones atomic.Bool // folders are watched: syncs leave that to askLater
	failed    failed      // programs, since the last look at whole roots; guarded by turn

	blocked     atomic.Pointer[blockage] // why changes are not indexed, as was said
	rescanAfter time.Duration            // rescanEvery, but in tests
	checkAfter  time.Duration            // checkTick, but in tests
	polling     polling                  // of roots whose changes are not all told
	watchDir    func(*fsnotify.Watcher, string) error

	told map[string]bool // why files of rules cannot be read, as was said; guarded by turn

	suspects suspects
	behind   behind
	catching *semaphore.Weighted // held by catchUp
	tidies   bool                // whole roots were looked at since the last compress; guarded by turn
	woken    chan struct{}       // something may lack a vector

	read       atomic.Int64 // bytes of files
	embeddings atomic.Int64 // texts that were embedded
}

// New returns an Indexer.
func New(opts Options) *Indexer {
	if opts.EraseAfter == 0 {
		opts.EraseAfter = EraseAfter
	}
	return &Indexer{
		opts: opts, turn: semaphore.NewWeighted(1), asked: make(chan string, maxAsked), traces: make(chan struct{}, 1), quantized: make(chan struct{}, 1), woken: make(chan struct{}, 1), catching: semaphore.NewWeighted(1),
		later:   newLater(),
		holdFor: holdTime, rescanAfter: rescanEvery, checkAfter: checkTick, watchDir: (*fsnotify.Watcher).Add, vanished: map[uint32]time.Time{}, told: map[string]bool{},
	}
}

// reading is how files are read.
func (ix *Indexer) reading() extract.Options {
	return extract.Options{MaxBytes: ix.opts.MaxFile, Encodings: ix.opts.Encodings, Secrets: ix.opts.Secrets, Browsers: ix.opts.Browsers}
}

func (ix *Indexer) walkOptions() walk.Options {
	o := walk.Options{Workers: ix.opts.Threads, Hidden: ix.opts.Hidden, MaxBytes: ix.reading().Limit}
	if ix.opts.Except != nil {
		o.Except = ix.opts.Except()
	}
	o.Rules = ix.rules()
	return o
}

// run is Run without a look at damage; with all it refreshes all folders, not
// only those given.
func (ix *Indexer) run(ctx context.Context, folders []string, all bool) (*engine.IndexReport, error) {
	start := time.Now()
	roots, err := ix.addRoots(folders)
	if err != nil {
		return nil, err
	}
	scopes := roots
	if len(folders) > 0 && !all {
		if scopes, err = walk.ResolveRoots(folders); err != nil {
			return nil, err
		}
	}
	if len(scopes) == 0 {
		return nil, errors.New("nothing is indexed yet; name a folder, such as dowse index ~/notes")
	}
	done, err := ix.sync(ctx, roots, ix.present(scopes), true)
	if err != nil {
		return nil, err
	}
	return ix.report(scopes, done, start)
}

// Roots returns the folders that are indexed.
func (ix *Indexer) Roots() (roots []string, err error) {
	err = ix.opts.Store.View(func(tx *store.Tx) error {
		roots, err = tx.Roots()
		return err
	})
	return roots, err
}

// AddRoots adds folders to the roots, without indexing them.
func (ix *Indexer) AddRoots(ctx context.Context, folders []string) error {
	_, err := ix.watched(ctx, folders)
	return err
}

// addRoots puts folders to the known roots. A folder inside a known root is
// not a root of its own: its files are indexed already.
func (ix *Indexer) addRoots(folders []string) ([]string, error) {
	known, err := ix.Roots()
	if err != nil || len(folders) == 0 {
		return known, err
	}
	resolved, err := walk.ResolveRoots(folders)
	if err != nil {
		return nil, err
	}
	all := paths.Outermost(append(slices.Clone(known), resolved...))
	if slices.Equal(all, known) {
		return known, nil
	}
	err = ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) error { return tx.PutRoots(all) }))
	return all, err
}

// present leaves out folders that are not there, and says so: their files
// stay in the index, since a disk may just not be mounted.
func (ix *Indexer) present(scopes []string) []string {
	var there []string
	for _, s := range ix.unpaused(scopes) {
		if _, err := ix.lookAtRoot(s); err != nil {
			ix.opts.Emit(engine.Event{Problem: fmt.Sprintf("%s cannot be read (%v); what was indexed of it is kept", s, cause(err))})
			continue
		}
		there = append(there, s)
	}
	return there
}

// cause is what the system said, without the path.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// report counts what the index now holds below the scopes.
func (ix *Indexer) report(scopes []string, done *tally, start time.Time) (*engine.IndexReport, error) {
	r := &engine.IndexReport{
		Skipped:  done.skipped.total(),
		Added:    done.Added,
		Updated:  done.Updated,
		Removed:  done.Removed,
		Embedded: done.embedded,
		Seconds:  time.Since(start).Seconds(),
	}
	r.Rate = float64(done.embedded) / r.Seconds
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		partial, err := partialFiles(tx)
		if err != nil {
			return err
		}
		for _, f := range partial {
			if paths.WithinAny(f.Path, scopes) {
				r.Partial++
			}
		}
		return filesUnder(tx, scopes, func(f store.File) {
			r.Files++
			r.Chunks += int(f.Chunks)
			r.TextBytes += f.TextBytes
		})
	})
	return r, err
}

// ErrNoFolders says that there is nothing to watch.
var ErrNoFolders = errors.New("nothing is indexed yet; name a folder, such as dowse watch ~/notes")

// Watch runs once and then follows changes below all roots until ctx ends.
// ready, if not nil, is called when the first run is done and every later
// change will be seen.
func (ix *Indexer) Watch(ctx context.Context, folders []string, ready func()) error {
	roots, err := ix.watched(ctx, folders)
	if err != nil {
		return err
	}
	if len(roots) == 0 {
		return ErrNoFolders
	}
	// Watches first: what changes while the first run walks is an event.
	w, err := newWatcher(ctx, ix)
	if err != nil {
		return err
	}
	defer w.close() //nolint:errcheck // nothing is written through it
	if err := w.limited(); err != nil {
		ix.opts.Emit(engine.Event{Problem: err.Error()})
	}
	ix.postpones.Store(true)
	defer ix.postpones.Store(false)
	defer ix.blocked.Store(nil)
	_, err = ix.runTurn(ctx, nil)
	ran := err == nil
	if err != nil {
		if ctx.Err() != nil || !errors.Is(err, engine.ErrNoVectors) && !errors.Is(err, store.ErrNoSpace) {
			return err
		}
		ix.waits("files that are new or changed cannot be indexed yet, and will be tried again", false, err)
		w.again()
	}
	tidying, stop := context.WithCancel(ctx)
	var later sync.WaitGroup
	later.Go(func() { ix.embedLater(tidying) })
	later.Go(func() { ix.eraseLater(tidying) })
	later.Go(func() { ix.recodeLater(tidying) })
	later.Go(func() { ix.askLater(tidying) })
	later.Go(func() { ix.checkLater(tidying) })
	defer later.Wait()
	defer stop()
	if ready != nil {
		ready()
	}
	return w.run(ctx, func(ctx context.Context, paths []string) (again []string, err error) {
		if paths == nil && !ran { // the comparison that could not be finished
			_, err = ix.runTurn(ctx, nil)
			ran = err == nil
		} else {
			again, err = ix.follow(ctx, paths)
		}
		switch {
		case err != nil && ctx.Err() == nil:
			ix.waits("changes could not be indexed, and will be tried again", false, err)
		case err == nil && paths == nil:
			ix.unblock(false)
		}
		return again, err
	})
}

// waits says why changes are not indexed now, unless that was the last thing said of them.
func (ix *Indexer) waits(what string, meaning bool, err error) {
	before, why := ix.blocked.Load(), what+": "+err.Error()
	ix.blocked.Store(&blockage{why, err.Error(), meaning})
	if before == nil || before.of != err.Error() {
		ix.opts.Emit(engine.Event{Problem: why})
	}
}

// unblock notes that changes are indexed again: by meaning, or at all.
func (ix *Indexer) unblock(meaning bool) {
	if w := ix.blocked.Load(); w != nil && w.meaning == meaning {
		ix.blocked.Store(nil)
	}
}

// Blocked returns why changes are not indexed now while Watch runs, and will be tried again; "" where they are.
func (ix *Indexer) Blocked() string {
	if w := ix.blocked.Load(); w != nil {
		return w.why
	}
	return ""
}

// follow syncs the scopes that events named; nil means all roots. Where it meets
// damage it repairs that, and looks at all roots. It returns the scopes to look at
// again in a moment, because files that were there are gone.
func (ix *Indexer) follow(ctx context.Context, scopes []string) (again []string, err error) {
	if err := ix.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer ix.turn.Release(1)
	again, err = ix.followSound(ctx, scopes)
	if errors.Is(err, store.ErrCorrupt) {
		_, err = ix.runHealing(ctx, nil)
		return nil, err
	}
	return again, err
}

func (ix *Indexer) followSound(ctx context.Context, scopes []string) (again []string, err error) {
	roots, err := ix.Roots()
	if err != nil {
		return nil, err
	}
	full := scopes == nil
	if full {
		scopes = ix.present(roots)
	}
	scopes = ix.unpaused(scopes)
	// A root that vanished as a whole is kept, like one that was not there.
	scopes = slices.DeleteFunc(scopes, func(p string) bool {
		if !slices.Contains(roots, p) {
			return false
		}
		_, err := ix.lookAtRoot(p)
		return err != nil
	})
	done, err := ix.sync(ctx, roots, scopes, full)
	if err != nil {
		return nil, err
	}
	return scopesOf(scopes, done.waiting), nil
}
