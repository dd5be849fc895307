package indexes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/engine"
	"dowse/engine/modelset"
	"dowse/indexer"
	"dowse/indexer/paths"
	"dowse/internal/atomicfile"
	"dowse/store"
)

// packSuffix ends the name of the copy of an index from which a pack is made. It lies in the data folder, since the index
// may hold what is not to be packed.
const packSuffix = ".pack"

// dropPacking erases what a dowse pack left that was killed; that of another process, which is at work, stays.
func (op *Opener) dropPacking() error {
	path := op.Home.Index() + packSuffix
	if _, err := os.Stat(path); err != nil {
		return nil //nolint:nilerr // there is no copy
	}
	db, err := store.Open(path, store.Options{})
	switch {
	case errors.Is(err, store.ErrLocked):
		return errPacking
	case err == nil:
		err = db.Close()
	default:
		err = nil // it is whatever was written of it
	}
	return errors.Join(err, store.Discard(path))
}

// errPacking refuses to pack twice at a time: each would take the other's copy away.
var errPacking = errors.New("another dowse pack is at work; wait for its end")

// Pack implements engine.Packer.
func (s *Stack) Pack(ctx context.Context, req engine.PackRequest, emit func(engine.Event)) (*engine.PackReport, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.PackReport, error) { return s.pack(ctx, req, emit) })
}

// packing is a pack that is being made.
type packing struct {
	*Stack
	op      *Opener
	req     engine.PackRequest
	of      engine.NamedFolder
	db      *store.DB // of the index that has the folder
	models  *modelset.Set
	model   string
	scratch string
	emit    func(engine.Event)
}

func (s *Stack) pack(ctx context.Context, req engine.PackRequest, emit func(engine.Event)) (*engine.PackReport, error) {
	if emit == nil {
		emit = func(engine.Event) {}
	}
	p := &packing{Stack: s, op: s.packs.opener, req: req, db: s.DB, models: s.Models, model: s.model, emit: emit}
	p.scratch = p.op.Home.Index() + packSuffix
	if err := p.find(); err != nil {
		return nil, err
	}
	if err := p.op.dropPacking(); err != nil {
		return nil, err
	}
	report, err := p.reduced(ctx)
	switch {
	case err == nil && store.OnServer(req.File):
		var sent store.Published
		sent, err = store.PublishPack(ctx, p.scratch, req.File)
		p.req.File, report.Bytes = sent.Address, sent.Bytes
		if errors.Is(err, store.ErrLocked) {
			err = errors.New("another dowse pack is publishing it; wait for its end")
		}
	case err == nil:
		err = atomicfile.Write(req.File, packMode, func(file *os.File) (err error) {
			report.Bytes, err = store.WritePack(ctx, p.scratch, file)
			return err
		})
		if err != nil {
			err = fmt.Errorf("the pack could not be written: %w", err)
		}
	}
	if errors.Is(err, store.ErrLocked) {
		return nil, errPacking
	}
	if err = errors.Join(err, store.Discard(p.scratch)); err != nil {
		return nil, err
	}
	report.Name, report.File, report.Model, report.NoText = filepath.Base(p.of.Path), p.req.File, p.model, req.NoText
	return report, nil
}

// packMode lets this user alone read a pack, until she has others do.
const packMode = 0o600

// find finds the folder and the index that has it.
func (p *packing) find() error {
	path, named := p.req.Folder, p.named()
	if !filepath.IsAbs(path) {
		var err error
		if path, err = engine.FindFolder(path, named); err != nil {
			return err
		}
	}
	path = resolvedPath(path)
	for _, f := range named {
		if paths.Within(path, f.Path) {
			p.of = engine.NamedFolder{Name: f.Name, Path: path}
		}
	}
	fi := p.folderIndex.Load()
	byWords := p.byWords
	if fi != nil && inside(path, p.shownByFolders.get()) {
		p.db, p.models, p.model, byWords = fi.db, fi.models, fi.name, fi.byWords != ""
	}
	switch {
	case p.of.Path == "":
		return fmt.Errorf("%s is not indexed; dowse index %s first", p.req.Folder, p.req.Folder)
	case p.isPack(path) || insidePack(p.Stack, path):
		return fmt.Errorf("%s is a pack already; copy its file", p.req.Folder)
	case byWords:
		return fmt.Errorf("%s cannot be packed: its index is built with a model that is not installed, or by another version of dowse; dowse index builds it again", p.req.Folder)
	case store.CheckPackName(filepath.Base(path)) != nil:
		return fmt.Errorf("%s cannot be packed, since it has no name; name a folder in it", path)
	case paths.Within(p.req.File, path):
		return fmt.Errorf("the pack %s would lie in the folder that it is made of; choose another place with -o", p.req.File)
	case fi != nil && !inside(path, p.shownByFolders.get()) && len(rootsWithin(path, p.shownByFolders.get())) > 0:
		return fmt.Errorf("a folder in %s has a model of its own; pack that and the others one by one", p.req.Folder)
	}
	return nil
}

// insidePack reports whether a path lies in a pack.
func insidePack(s *Stack, path string) bool { return inside(path, s.packPaths()) }

// reduced makes the index of the folder alone.
func (p *packing) reduced(ctx context.Context) (*engine.PackReport, error) {
	p.emit(engine.Event{Progress: &engine.Progress{Phase: engine.Merging}})
	if err := p.db.Copy(ctx, p.scratch); err != nil {
		return nil, err
	}
	db, err := store.Open(p.scratch, store.Options{})
	if err != nil {
		return nil, err
	}
	work := p.op.IndexerOptions(db, p.models, p.ledger, 0, p.emit, nil)
	report, err := indexer.New(work).Pack(ctx, indexer.Packing{
		Folder: p.of.Path, Name: filepath.Base(p.of.Path), Texts: p.op.texts(db, p.models, p.ledger), NoText: p.req.NoText, Secret: p.op.secrets(p.models),
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	return &report, nil
}
