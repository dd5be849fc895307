package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/engine/modelset"
	"dowse/engine/search"
	"dowse/indexer"
	"dowse/indexer/paths"
	"dowse/store"
)

// ownIndex is the index of the folders that have an embedder of their own. It is searched
// and indexed beside that of all other folders, with which it shares models, memory and
// subscribers, but for the embedder.
type ownIndex struct {
	*search.Engine
	db       *store.DB
	models   *modelset.Set
	indexer  *indexer.Indexer
	name     string // of its embedder
	byWords  string // why it is searched by words alone; "" where its embedder is open
	reserved int64  // bytes of the memory that are set apart for it, but for its embedder
	damaged  chan struct{}
	gate     gate // of the calls under way, but for searches
}

// ownPath is where the index of folders with a model of their own lies.
func (a *App) ownPath() string { return strings.TrimSuffix(a.Home.Index(), ".db") + ".folders.db" }

// newSuffix ends the name of that index until it can be read.
const newSuffix = ".new"

// openOwn opens the index of folders with a model of their own, if there is one, and has
// searches of the stack ask it too. A writer drops one that cannot be used: the index of the
// other folders takes their files in, and they move again.
func (a *App) openOwn(s *Stack, readOnly bool) error {
	path := a.ownPath()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := store.Open(path, store.Options{ReadOnly: readOnly})
	if err == nil {
		if err = a.joinBuilt(s, db, readOnly); err != nil {
			err = errors.Join(err, db.Close())
		}
	}
	if !readOnly && (unusable(err) || errors.Is(err, store.ErrFingerprint)) {
		fmt.Fprintf(os.Stderr, "dowse: %s cannot be used (%v) and is built again; until then its folders are indexed like all others\n", path, err)
		return store.Discard(path)
	}
	if unusable(err) {
		return fmt.Errorf("%s cannot be used: %w; run dowse index to build it again (your files are not affected)", path, err)
	}
	return err
}

// joinBuilt finds the embedder of an index that there is, and joins it.
func (a *App) joinBuilt(s *Stack, db *store.DB, readOnly bool) error {
	var b layout.Builder
	var scale *fusion.Scale
	err := db.View(func(tx *store.Tx) (err error) {
		if b, err = layout.BuilderOf(tx); err != nil {
			return err
		}
		known, is, err := layout.Scale(tx)
		if is {
			scale = &known
		}
		return err
	})
	if err != nil && !errors.Is(err, store.ErrCorrupt) {
		return err
	}
	name, pack := a.builtWith(db.Header().Fingerprint, b.Embedder)
	switch {
	case name != "":
		return a.joinOwn(s, db, &ownIndex{name: name}, pack, scale, readOnly)
	case b.Rest == wordsFingerprint() && b.Embedder != "":
		why := fmt.Sprintf("the index of %s is built with the model %s, which is not installed", strings.Join(shownBy(db), ", "), b.Embedder)
		return a.joinOwn(s, db, &ownIndex{name: b.Embedder, byWords: why}, "", nil, readOnly)
	}
	return store.ErrFingerprint
}

// createOwn makes an empty index for folders with a model of their own.
func (a *App) createOwn(ctx context.Context, s *Stack, name string) (*ownIndex, error) {
	pack, err := a.packPath(name)
	if err != nil {
		return nil, err
	}
	sum, err := a.embedderPrint(ctx, name, pack)
	if err != nil {
		return nil, a.unusableModel(name, pack, err)
	}
	// Under another name until it can be read: who opens it finds it whole.
	db, err := openNext(a.ownPath()+newSuffix, Fingerprint(sum))
	if err != nil {
		return nil, err
	}
	own := &ownIndex{name: name}
	err = a.joinOwn(s, db, own, pack, nil, false)
	if err == nil {
		if err = db.TakePlace(a.ownPath()); err == nil {
			return own, nil
		}
		s.own.Store(nil)
		s.Part(own.Engine)
		return nil, errors.Join(err, own.close())
	}
	return nil, errors.Join(err, db.Close())
}

// joinOwn opens the embedder of an index in what memory there is, and has searches of the
// stack ask it too.
func (a *App) joinOwn(s *Stack, db *store.DB, own *ownIndex, pack string, scale *fusion.Scale, readOnly bool) (err error) {
	own.db, own.models, own.damaged = db, s.Models, make(chan struct{}, 1)
	if own.byWords == "" {
		machine := a.Machine(s.ledger)
		machine.Memory = s.Models.Memory
		o := a.embedderOptions(machine, own.name, pack)
		o.Cosines = scale
		if own.models, err = s.Models.WithEmbedder(o); err != nil {
			return err
		}
		if !readOnly {
			if err := noteBuilder(db, own.name, own.models); err != nil {
				return errors.Join(err, own.models.CloseEmbedder())
			}
		}
	}
	m := own.models
	opts := search.Options{
		Store: db, Analyzer: lexical.NewAnalyzer(), Embedder: m.Embedder, Vectors: m.Vectors(), Graph: a.Config.Graph, Model: own.name, Ledger: s.ledger,
		Texts:   a.texts(db, m),
		ByWords: own.byWords, Cosines: m.Cosines, Memo: m.Memory.Part(lastingShare, memoBytes),
		Outdated: func(path string) { own.indexer.Outdated(path) },
		Damaged: func() {
			select {
			case own.damaged <- struct{}{}:
			default:
			}
		},
	}
	prepared := m.Memory.Part(lastingShare, indexer.DefaultPrepared)
	own.reserved = opts.Memo + prepared
	m.Memory.Reserve(own.reserved)
	own.Engine = s.Beside(opts)
	work := a.IndexerOptions(db, m, s.ledger, prepared, s.Publish, s.Quiet)
	own.indexer = indexer.New(work)
	s.elsewhere.set(shownBy(db))
	s.own.Store(own)
	s.Join(own.Engine)
	return nil
}

// close releases what only this index has. No search may come to it any more.
func (o *ownIndex) close() error {
	o.gate.drain()
	err := errors.Join(o.Close(), o.db.Close())
	if o.byWords == "" {
		err = errors.Join(err, o.models.CloseEmbedder())
	}
	o.models.Memory.Reserve(-o.reserved)
	return err
}

// drop takes the index out of the stack, and deletes it once the searches have ended that
// have begun. The caller has seen to that it shows nothing.
func (o *ownIndex) drop(a *App, s *Stack) error {
	s.Part(o.Engine)
	return errors.Join(o.close(), store.Discard(a.ownPath()))
}

// shownBy are the folders that an index shows; none where that cannot be read.
func shownBy(db *store.DB) (shown []string) {
	_ = db.View(func(tx *store.Tx) (err error) {
		shown, err = layout.Shown(tx)
		return err
	})
	return shown
}

// folderList are folders that others may read while they change.
type folderList struct{ list atomic.Pointer[[]string] }

func (l *folderList) set(folders []string) {
	folders = slices.Clone(folders)
	l.list.Store(&folders)
}

func (l *folderList) get() []string {
	if list := l.list.Load(); list != nil {
		return *list
	}
	return nil
}

// inside reports whether a path is one of some folders, or lies in one.
func inside(path string, folders []string) bool {
	return paths.WithinAny(path, folders)
}

// addStatus adds what the index holds to what is told of the other one.
func (o *ownIndex) addStatus(ctx context.Context, st *engine.Status) error {
	ctx, leave, err := o.gate.enter(ctx)
	if err != nil {
		return nil // it is just being dropped, and shows nothing
	}
	defer leave()
	own, err := o.Status(ctx)
	if err != nil {
		return err
	}
	st.Files, st.Chunks, st.TextBytes = st.Files+own.Files, st.Chunks+own.Chunks, st.TextBytes+own.TextBytes
	for name, n := range own.Bytes {
		st.Bytes[name] += n
	}
	for _, root := range own.Roots {
		if !slices.Contains(st.Roots, root) {
			st.Roots = append(st.Roots, root)
		}
	}
	if own.Updated.After(st.Updated) {
		st.Updated = own.Updated
	}
	st.Waiting = cmp.Or(st.Waiting, o.indexer.Blocked())
	left, err := o.indexer.Left()
	for why, n := range left.Skipped {
		st.Skipped[why] += n
		st.SkippedFiles[why] = append(st.SkippedFiles[why], left.Files[why]...)
	}
	st.Partial = append(st.Partial, left.Partial...)
	return err
}

// leftOut lists what of the folders of the index is not in it.
func (o *ownIndex) leftOut(ctx context.Context) ([]engine.LeftOut, error) {
	ctx, leave, err := o.gate.enter(ctx)
	if err != nil {
		return nil, nil // it is being replaced, or closed
	}
	defer leave()
	return o.indexer.LeftOut(ctx)
}

// check verifies every record of the index.
func (o *ownIndex) check(ctx context.Context, report func(store.Problem)) (sum store.Summary, blocks int, err error) {
	ctx, leave, err := o.gate.enter(ctx)
	if err != nil {
		return sum, 0, nil
	}
	defer leave()
	return o.indexer.Check(ctx, report)
}

// watch follows the folders of the index until ctx ends, and has it repaired when a search
// meets damage. One without its embedder is left as it is.
func (o *ownIndex) watch(ctx context.Context) {
	if o.byWords != "" {
		return
	}
	ctx, leave, err := o.gate.enter(ctx)
	if err != nil {
		return
	}
	defer leave()
	var beside sync.WaitGroup
	defer beside.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tell := func(what string, err error) {
		if err != nil && ctx.Err() == nil {
			o.Publish(engine.Event{Problem: fmt.Sprintf("folders with a model of their own: %s: %v", what, err)})
		}
	}
	beside.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-o.damaged:
				_, err := o.indexer.Run(ctx, nil)
				tell("the index could not be repaired", err)
			}
		}
	})
	if roots, err := o.indexer.Roots(); err == nil && len(roots) == 0 {
		<-ctx.Done()
		return
	}
	err = o.indexer.Watch(ctx, nil, func() {
		beside.Go(func() { tell("vectors could not be computed ahead, so searches take longer", o.Warm(ctx)) })
	})
	tell("they are not kept fresh", err)
}

// whyNot is indexer.WhyNot of the index that shows a path.
func (s *Stack) whyNot(path string) (string, error) {
	if own := s.own.Load(); own != nil && inside(path, s.elsewhere.get()) {
		return own.indexer.WhyNot(path)
	}
	return s.indexer.WhyNot(path)
}
