package indexes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/store"
)

// packError says what is wrong with a pack, in words that follow its path.
func packError(err error) error {
	switch {
	case errors.Is(err, errNoText):
		return err
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrNotFound):
		return errors.New("is not there")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("may not be read: give yourself access to it")
	case errors.Is(err, store.ErrVersion):
		return fmt.Errorf("is made by another version of dowse (%s); use that version, or have it packed again by this one", reasonOf(err))
	case errors.Is(err, store.ErrNoPack), errors.Is(err, store.ErrForeign):
		return errors.New("is no pack, or only the beginning of one; copy it again, or make one with dowse pack NAME -o FILE")
	case errors.Is(err, store.ErrCorrupt):
		return fmt.Errorf("is damaged (%s); copy it again, or have it packed again", reasonOf(err))
	}
	return fmt.Errorf("cannot be opened: %w", err)
}

// reasonOf is the last part of what an error says.
func reasonOf(err error) string {
	text := err.Error()
	return text[strings.LastIndex(text, ": ")+1:][1:]
}

// addPack has searches ask a pack too.
func (o *Owner) addPack(ctx context.Context, change engine.FolderChange) (*engine.FolderReport, error) {
	file, s := resolvedPath(change.Folder), o.Stack()
	if store.OnServer(change.Folder) {
		var err error
		if file, _, err = store.ServerPack(ctx, change.Folder); err != nil {
			return nil, err
		}
	}
	if change.Exclude != nil || change.Types != nil {
		return nil, fmt.Errorf("%s is a pack, which is searched as it is; --exclude and --type are for folders", file)
	}
	own := o.opener.shownAt(file)
	path := own
	if change.Files != "" {
		path = resolvedPath(change.Files)
	}
	place, named := s.settings.place(path), s.named()
	for _, f := range named {
		if path != own && (inside(path, []string{f.Path}) && place.Pack == "" || f.Path != path && inside(f.Path, []string{path})) {
			return nil, fmt.Errorf("%s (%s) is indexed already; dowse folders remove it first, or name another folder with --files", f.Name, f.Path)
		}
	}
	if change.Name != nil {
		if err := freeName(*change.Name, path, named); err != nil {
			return nil, err
		}
		place.Name = *change.Name
	}
	if place.Pack == "" && len(s.packPaths()) >= mostPacks {
		return nil, errTooManyPacks
	}
	name, err := packContents(ctx, file, path, path == own)
	if err != nil {
		return nil, fmt.Errorf("%s %w", file, packError(err))
	}
	if place.Name == "" && freeName(name, path, named) == nil {
		place.Name = name
	}
	place.Pack = file
	if err := config.PutPlace(o.opener.Home.ConfigFile(), place); err != nil {
		return nil, err
	}
	if err := o.reload(); err != nil {
		return nil, err
	}
	return o.packAdded(ctx, path)
}

// errNoText refuses a pack without text where nothing says in which folder its files are.
var errNoText = errors.New("has no text; name the folder of this machine that has its files with --files DIR")

// packContents returns the name of the folder of a pack that can be shown at a path.
func packContents(ctx context.Context, file, path string, needsText bool) (name string, err error) {
	db, err := store.OpenPack(ctx, file, path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if !needsText {
		return db.PackName(), nil
	}
	errFound := errors.New("there is some")
	err = db.View(func(tx *store.Tx) error {
		return tx.EachText(func(uint32, []byte) error { return errFound })
	})
	switch {
	case errors.Is(err, errFound):
		err = nil
	case err == nil:
		err = errNoText
	}
	return db.PackName(), err
}

// packAdded says what a pack has that was added.
func (o *Owner) packAdded(ctx context.Context, path string) (*engine.FolderReport, error) {
	list, err := o.Folders(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		if f.Path != path {
			continue
		}
		if f.Away() {
			return nil, errors.New(f.AwayText())
		}
		file := f.Path
		if at := o.Stack().settings.place(path).Pack; store.OnServer(at) {
			file = at
		}
		return &engine.FolderReport{Folder: f.NamedFolder, Pack: &engine.PackReport{
			Name: f.Name, File: file, Files: f.Files, Chunks: f.Chunks, TextBytes: f.TextBytes, Bytes: f.Bytes, Model: f.Model, Why: f.Why,
		}}, nil
	}
	return nil, fmt.Errorf("%s is not among the folders", filepath.Base(path))
}

// removePack forgets a pack; its file stays as it is.
func (c *folderChange) removePack(ctx context.Context) error {
	if p, _ := c.s.packs.of(c.of.Path); p != nil {
		h, err := holdings(p.db, c.of.Path)
		if err != nil {
			return err
		}
		c.report.Pack = &engine.PackReport{Name: c.of.Name, File: c.of.Path, Files: h.files, Chunks: h.chunks, TextBytes: h.text}
	} else {
		c.report.Pack = &engine.PackReport{Name: c.of.Name, File: c.of.Path}
	}
	if err := c.forgetSaid(ctx); err != nil {
		return err
	}
	if err := config.DropFolder(c.opener.Home.ConfigFile(), c.of.Path); err != nil {
		return err
	}
	return c.reload()
}
