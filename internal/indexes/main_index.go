package indexes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/kernel"
	"dowse/engine/layout"
	"dowse/engine/memory"
	"dowse/engine/modelset"
	"dowse/engine/search"
	"dowse/indexer"
	"dowse/internal/config"
	"dowse/models"
	"dowse/store"
)

// builtIndex is an open index and the embedder that built it, which searches use until a migration
// to the one of the settings is over.
type builtIndex struct {
	db      *store.DB
	name    string // of the embedder
	path    string // of its pack
	byWords string // why the index is searched by words alone; "" where its embedder is name
	cosines *fusion.Scale
}

// OpenStack opens the store and the models. Read-only, the store may be shared
// with others that read.
func (op *Opener) OpenStack(ctx context.Context, readOnly bool) (*Stack, error) {
	index, err := op.openMain(ctx, readOnly)
	if err != nil {
		return nil, err
	}
	ledger := &memory.Ledger{}
	o := op.EmbedderOptions(op.Machine(ledger), index.name, index.path)
	o.Cosines, o.Fitted = index.cosines, o.Fitted || index.byWords != ""
	work := kernel.Options{Library: op.RuntimeLibrary()}
	if readOnly { // one question: to load ONNX Runtime takes longer than it saves
		work.Backend = kernel.Own
	}
	m, err := op.OpenWith(work, o)
	if err != nil {
		return nil, errors.Join(err, index.db.Close())
	}
	if !readOnly && index.byWords == "" {
		if err := noteBuilder(index.db, index.name, m); err != nil {
			return nil, errors.Join(err, m.Close(), index.db.Close())
		}
	}
	s := op.Assemble(index.db, m, ledger, readOnly, search.Options{Model: index.name, ByWords: index.byWords})
	s.pending = func(st *engine.Status) *engine.ModelChange { return op.migrationAhead(s, st) }
	s.addFolderModels = func(_ context.Context, st *engine.Status) error { return s.folderModels(st, op.ownFolders(), "") }
	if err := op.openFolderIndex(s, readOnly); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.followPacks(ctx)
	return s, nil
}

// openMain opens the index, or makes one. An index of another embedder or of another version of dowse
// is opened as it is, and searched by words where its embedder is not installed or cuts passages in
// another way; a writer replaces any other by an empty one.
func (op *Opener) openMain(ctx context.Context, readOnly bool) (*builtIndex, error) {
	index := &builtIndex{name: op.Config.Model}
	path, err := op.EmbedderPath(op.Config.Model)
	sum := ""
	if err == nil {
		sum, err = op.EmbedderPrint(ctx, op.Config.Model, path)
		if err != nil && op.Config.Model != config.FromEndpoint {
			return nil, op.unusableModel(op.Config.Model, path, err)
		}
	}
	if err == nil {
		index.path = path
	} else if _, missing := os.Stat(op.Home.Index()); errors.Is(missing, fs.ErrNotExist) {
		return nil, err
	}
	opts := store.Options{ReadOnly: readOnly, Fingerprint: Fingerprint(sum)}
	db, wrong := store.Open(op.Home.Index(), opts)
	if errors.Is(wrong, store.ErrFingerprint) {
		if db, wrong = op.openOther(index, readOnly); wrong == nil && db == nil {
			wrong = errors.Join(err, store.ErrFingerprint)
		}
	}
	switch {
	case wrong == nil:
	case err != nil: // without a model there is nothing to build a new one with
		return nil, err
	case readOnly || errors.Is(wrong, store.ErrLocked):
		return nil, wrong
	default:
		if db, err = op.openIndex(opts); err != nil {
			return nil, err
		}
	}
	index.db = db
	err = db.View(func(tx *store.Tx) error {
		scale, known, err := layout.Scale(tx)
		if known && index.byWords == "" {
			index.cosines = &scale
		}
		if errors.Is(err, store.ErrCorrupt) {
			return nil // it is measured again
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return index, nil
}

// unusableModel returns the error of opening a pack that cannot be read, which says more than err.
func (op *Opener) unusableModel(name, path string, err error) error {
	_, opening := op.OpenWith(kernel.Options{Backend: kernel.Own}, op.EmbedderOptions(op.Machine(&memory.Ledger{}), name, path))
	if opening != nil {
		return opening
	}
	return err
}

// openOther opens an index that another embedder built, and notes in index which one, or why it is
// searched by words. The result is nil for an index of no use.
func (op *Opener) openOther(index *builtIndex, readOnly bool) (*store.DB, error) {
	db, err := store.Open(op.Home.Index(), store.Options{ReadOnly: readOnly})
	if err != nil {
		return nil, err
	}
	var b layout.Builder
	err = db.View(func(tx *store.Tx) (err error) {
		b, err = layout.BuilderOf(tx)
		return err
	})
	if err != nil && !errors.Is(err, store.ErrCorrupt) {
		return nil, errors.Join(err, db.Close())
	}
	if name, path := op.builtWith(db.Header().Fingerprint, b.Embedder); name != "" {
		index.name, index.path = name, path
		return db, nil
	}
	if index.path == "" || b.Embedder == "" {
		return nil, db.Close()
	}
	old := fmt.Sprintf("the model %s, which is not installed,", b.Embedder)
	switch {
	case b.Rest != wordsFingerprint():
		old = anotherVersion
	case b.Embedder == config.FromEndpoint:
		old = "a model that a server had or has"
	}
	index.byWords = fmt.Sprintf("the index is built with %s and is being changed to %s", old, index.name)
	return db, nil
}

// anotherVersion built an index whose passages and postings may differ from this program's: what it
// finds is shown where the text is still the one that was indexed.
const anotherVersion = "another version of dowse"

// builtWith finds the installed embedder that built an index of this fingerprint, trying the name
// first; "" for none.
func (op *Opener) builtWith(fingerprint, first string) (name, path string) {
	names := []string{first}
	installed, _ := models.Installed(op.Home.Caches()...) // what cannot be listed built nothing that can be searched
	for _, m := range installed {
		if m.Problem == nil && m.Role() == models.Embedder {
			names = append(names, m.Name)
		}
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		path, err := op.PackPath(name)
		if err != nil {
			continue
		}
		if sum, err := models.Fingerprint(path); err == nil && Fingerprint(sum) == fingerprint {
			return name, path
		}
	}
	return "", ""
}

// noteBuilder writes into an index what built it, and the scale of its cosines.
func noteBuilder(db *store.DB, name string, m *modelset.Set) error {
	b := layout.Builder{Embedder: name, Fingerprint: m.Embedder.Fingerprint(), Rest: wordsFingerprint()}
	var noted bool
	err := db.View(func(tx *store.Tx) error {
		old, err := layout.BuilderOf(tx)
		noted = old == b
		return err
	})
	if noted || err != nil && !errors.Is(err, store.ErrCorrupt) {
		return err
	}
	if db.Damage().Any() {
		return nil // a repair comes first
	}
	return db.Update(func(tx *store.Tx) error {
		if err := layout.PutScale(tx, m.Cosines); err != nil {
			return err
		}
		return layout.PutBuilder(tx, b)
	})
}

// openIndex opens the index. A writer replaces a file that cannot be used by an empty index, and
// says so.
func (op *Opener) openIndex(opts store.Options) (*store.DB, error) {
	if opts.ReadOnly {
		return store.Open(op.Home.Index(), opts)
	}
	db, old, err := store.OpenOrReplace(op.Home.Index(), opts)
	if old != nil {
		fmt.Fprintln(os.Stderr, "dowse: "+indexer.Replacement(old))
	}
	return db, err
}
