package indexes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"dowse/engine/fusion"
	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/engine/modelset"
	"dowse/engine/search"
	"dowse/indexer"
	"dowse/store"
)

// folderIndex is the index of the folders that have an embedder of their own, searched and indexed
// beside the main index. Both share memory, subscribers and all models but the embedder.
type folderIndex struct {
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

// folderIndexPath is where the index of folders with a model of their own lies.
func (op *Opener) folderIndexPath() string {
	return strings.TrimSuffix(op.Home.Index(), ".db") + ".folders.db"
}

// newSuffix ends the name of that index until it can be read.
const newSuffix = ".new"

// openFolderIndex joins the folder index to a stack, if there is one. A writer drops one that cannot
// be used: the main index takes its folders in, and they move again.
func (op *Opener) openFolderIndex(s *Stack, readOnly bool) error {
	path := op.folderIndexPath()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := store.Open(path, store.Options{ReadOnly: readOnly})
	if err == nil {
		if err = op.joinBuiltFolderIndex(s, db, readOnly); err != nil {
			err = errors.Join(err, db.Close())
		}
	}
	if !readOnly && (Unusable(err) || errors.Is(err, store.ErrFingerprint)) {
		fmt.Fprintf(os.Stderr, "dowse: %s cannot be used (%v) and is built again; until then its folders are indexed like all others\n", path, err)
		return store.Discard(path)
	}
	if Unusable(err) {
		return fmt.Errorf("%s cannot be used: %w; run dowse index to build it again (your files are not affected)", path, err)
	}
	return err
}

// joinBuiltFolderIndex finds the embedder of an index that there is, and joins it.
func (op *Opener) joinBuiltFolderIndex(s *Stack, db *store.DB, readOnly bool) error {
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
	name, pack := op.builtWith(db.Header().Fingerprint, b.Embedder)
	switch {
	case name != "":
		return op.joinFolderIndex(s, db, &folderIndex{name: name}, pack, scale, readOnly)
	case b.Embedder != "":
		with := fmt.Sprintf("the model %s, which is not installed", b.Embedder)
		if b.Rest != wordsFingerprint() {
			with = anotherVersion
		}
		why := fmt.Sprintf("the index of %s is built with %s", strings.Join(shownBy(db), ", "), with)
		return op.joinFolderIndex(s, db, &folderIndex{name: b.Embedder, byWords: why}, "", nil, readOnly)
	}
	return store.ErrFingerprint
}

// createFolderIndex makes an empty index for folders with a model of their own.
func (op *Opener) createFolderIndex(ctx context.Context, s *Stack, name string) (*folderIndex, error) {
	pack, err := op.PackPath(name)
	if err != nil {
		return nil, err
	}
	sum, err := op.EmbedderPrint(ctx, name, pack)
	if err != nil {
		return nil, op.unusableModel(name, pack, err)
	}
	// Under another name until it can be read: other processes never open half of it.
	db, err := openSecond(op.folderIndexPath()+newSuffix, Fingerprint(sum))
	if err != nil {
		return nil, err
	}
	fi := &folderIndex{name: name}
	err = op.joinFolderIndex(s, db, fi, pack, nil, false)
	if err == nil {
		if err = db.TakePlace(op.folderIndexPath()); err == nil {
			return fi, nil
		}
		s.folderIndex.Store(nil)
		s.Part(fi.Engine)
		return nil, errors.Join(err, fi.close())
	}
	return nil, errors.Join(err, db.Close())
}

// joinFolderIndex opens the embedder of an index in what memory there is, and has searches of the
// stack ask it too.
func (op *Opener) joinFolderIndex(s *Stack, db *store.DB, fi *folderIndex, pack string, scale *fusion.Scale, readOnly bool) (err error) {
	fi.db, fi.models, fi.damaged = db, s.Models, make(chan struct{}, 1)
	if fi.byWords == "" {
		machine := op.Machine(s.ledger)
		machine.Memory = s.Models.Memory
		o := op.EmbedderOptions(machine, fi.name, pack)
		o.Cosines = scale
		if fi.models, err = s.Models.WithEmbedder(o); err != nil {
			return err
		}
		if !readOnly {
			if err := noteBuilder(db, fi.name, fi.models); err != nil {
				return errors.Join(err, fi.models.CloseEmbedder())
			}
		}
	}
	m := fi.models
	opts := search.Options{
		Store: db, Analyzer: lexical.NewAnalyzer(), Embedder: m.Embedder, Vectors: m.Vectors(), Graph: op.Config.Graph, Model: fi.name, Ledger: s.ledger,
		Texts: op.texts(db, m, s.ledger), Named: s.named,
		ByWords: fi.byWords, Cosines: m.Cosines, Memo: m.Memory.Part(lastingShare, memoBytes), Kept: keptOf(readOnly, m), Waits: op.waits,
		Outdated: func(path string) { fi.indexer.Outdated(path) },
		Damaged: func() {
			select {
			case fi.damaged <- struct{}{}:
			default:
			}
		},
	}
	prepared := m.Memory.Part(lastingShare, indexer.DefaultPrepared)
	fi.reserved = opts.Memo + prepared
	m.Memory.Reserve(fi.reserved)
	fi.Engine = s.Beside(opts)
	work := op.IndexerOptions(db, m, s.ledger, prepared, s.Publish, s.Quiet)
	work.Settings = s.settings.rules
	fi.indexer = indexer.New(work)
	s.shownByFolders.set(shownBy(db))
	s.folderIndex.Store(fi)
	s.Join(fi.Engine)
	return nil
}

// close releases what only this index has. No search may come to it any more.
func (o *folderIndex) close() error {
	o.gate.drain()
	err := errors.Join(o.Close(), o.db.Close())
	if o.byWords == "" {
		err = errors.Join(err, o.models.CloseEmbedder())
	}
	o.models.Memory.Reserve(-o.reserved)
	return err
}

// drop takes the index, which shows nothing any more, out of the stack, and deletes it after the
// searches under way.
func (o *folderIndex) drop(op *Opener, s *Stack) error {
	s.Part(o.Engine)
	return errors.Join(o.close(), store.Discard(op.folderIndexPath()))
}

// shownBy are the folders that an index shows; none where that cannot be read.
func shownBy(db *store.DB) (shown []string) {
	_ = db.View(func(tx *store.Tx) (err error) {
		shown, err = layout.Shown(tx)
		return err
	})
	return shown
}

// sharedFolders are folders that others may read while they change.
type sharedFolders struct{ list atomic.Pointer[[]string] }

func (l *sharedFolders) set(folders []string) {
	folders = slices.Clone(folders)
	l.list.Store(&folders)
}

func (l *sharedFolders) get() []string {
	if list := l.list.Load(); list != nil {
		return *list
	}
	return nil
}
