package indexes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"dowse/engine"
	"dowse/indexer"
	"dowse/indexer/paths"
	"dowse/internal/config"
	"dowse/store"
)

// ChangeFolder implements engine.FolderKeeper.
func (o *Owner) ChangeFolder(ctx context.Context, change engine.FolderChange, emit func(engine.Event)) (*engine.FolderReport, error) {
	if err := o.changing.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer o.changing.Release(1)
	if change.Action == engine.AddFolder {
		return o.addFolder(ctx, change, emit)
	}
	of, err := o.folderCalled(change.Folder)
	if err != nil {
		return nil, err
	}
	c := &folderChange{Owner: o, s: o.Stack(), FolderChange: change, of: of, report: &engine.FolderReport{Folder: of}}
	isPack := c.s.isPack(of.Path)
	switch change.Action {
	case engine.MoveFolder, engine.PauseFolder, engine.ResumeFolder:
		if isPack {
			return nil, fmt.Errorf("%s is a pack, which does not change; dowse folders remove forgets it, and add takes one from another place", of.Name)
		}
	}
	switch change.Action {
	case engine.RemoveFolder:
		if isPack {
			err = c.removePack(ctx)
			break
		}
		err = c.remove(ctx)
	case engine.RenameFolder:
		err = c.rename()
	case engine.MoveFolder:
		err = c.move(ctx)
	case engine.PauseFolder, engine.ResumeFolder:
		err = c.pause(change.Action == engine.PauseFolder)
	default:
		err = fmt.Errorf("there is no way to %q a folder", change.Action)
	}
	if err != nil {
		return nil, err
	}
	return c.report, nil
}

// folderChange is a change under way.
type folderChange struct {
	*Owner
	engine.FolderChange
	s      *Stack
	of     engine.NamedFolder
	report *engine.FolderReport
}

// folderCalled finds a root by its name or its path.
func (o *Owner) folderCalled(name string) (engine.NamedFolder, error) {
	known := o.Stack().named()
	path := name
	if !filepath.IsAbs(name) {
		var err error
		if path, err = engine.FindFolder(name, known); err != nil {
			return engine.NamedFolder{}, err
		}
	}
	for _, at := range []string{path, resolvedPath(path)} {
		if n := slices.IndexFunc(known, func(f engine.NamedFolder) bool { return f.Path == at }); n >= 0 {
			return known[n], nil
		}
	}
	for _, f := range known {
		if paths.Within(resolvedPath(path), f.Path) {
			rest := filepath.ToSlash(resolvedPath(path)[len(f.Path):])
			return engine.NamedFolder{}, fmt.Errorf("%s lies in %s, which is indexed as a whole; dowse folders add %s --exclude %q leaves it out and erases it", path, f.Name, f.Path, rest+"/")
		}
	}
	return engine.NamedFolder{}, fmt.Errorf("%s is no folder that is indexed; dowse folders lists those", path)
}

// resolvedPath is a path without links on the way to it, as far as it is there.
func resolvedPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// reload takes over what the settings say of folders. A watch that is under way begins again by them.
func (o *Owner) reload() error {
	settings, err := config.Load(o.opener.Home.ConfigFile())
	if err != nil {
		return err
	}
	return o.holdWriters(o.Stack(), func() error {
		o.Stack().settings.set(settings.Places)
		o.Stack().followPacks(context.Background())
		o.migrations.wantFolders(settings.Folders)
		return nil
	})
}

// addFolder indexes a folder by what is said of it.
func (o *Owner) addFolder(ctx context.Context, change engine.FolderChange, emit func(engine.Event)) (*engine.FolderReport, error) {
	path := resolvedPath(change.Folder)
	if info, err := os.Stat(path); err == nil && !info.IsDir() || store.OnServer(change.Folder) {
		return o.addPack(ctx, change)
	}
	known := o.Stack().named()
	for _, f := range known {
		if f.Path != path && paths.Within(path, f.Path) {
			return nil, fmt.Errorf("%s lies in %s, which is indexed already: in:%s/%s searches it", path, f.Name, f.Name, filepath.ToSlash(path[len(f.Path)+1:]))
		}
	}
	place := o.Stack().settings.place(path)
	if change.Name != nil {
		if err := freeName(*change.Name, path, known); err != nil {
			return nil, err
		}
		place.Name = *change.Name
	}
	if change.Exclude != nil {
		place.Exclude = joined(place.Exclude, *change.Exclude)
	}
	if change.Types != nil {
		place.Types = joined(place.Types, *change.Types)
	}
	if err := config.PutPlace(o.opener.Home.ConfigFile(), place); err != nil {
		return nil, err
	}
	if err := o.reload(); err != nil {
		return nil, err
	}
	index, err := o.Index(ctx, []string{path}, emit)
	if err != nil {
		return nil, err
	}
	report := &engine.FolderReport{Folder: engine.NamedFolder{Path: path}, Index: index}
	for _, f := range o.Stack().named() {
		if f.Path == path {
			report.Folder = f
		}
	}
	return report, nil
}

// joined is what was said of a folder, with more, or what takes its place.
func joined(before, more []string) []string {
	if len(more) > 0 && more[0] == "" {
		before, more = nil, more[1:]
	}
	all := slices.Clone(before)
	for _, value := range more {
		if value != "" && !slices.Contains(all, value) {
			all = append(all, value)
		}
	}
	return all
}

// freeName says what is wrong with a new name for a folder; nil where nothing is.
func freeName(name, path string, known []engine.NamedFolder) error {
	if err := config.CheckName(name); err != nil {
		return err
	}
	for _, f := range known {
		if f.Name == name && f.Path != path {
			return fmt.Errorf("%s is called %s already; choose another name", f.Path, name)
		}
	}
	return nil
}

func (c *folderChange) rename() error {
	if err := freeName(c.To, c.of.Path, c.s.named()); err != nil {
		return err
	}
	place := c.s.settings.place(c.of.Path)
	place.Name, c.report.Folder.Name = c.To, c.To
	if err := config.PutPlace(c.opener.Home.ConfigFile(), place); err != nil {
		return err
	}
	return c.reload()
}

func (c *folderChange) pause(paused bool) error {
	place := c.s.settings.place(c.of.Path)
	place.Paused = paused
	if err := config.PutPlace(c.opener.Home.ConfigFile(), place); err != nil {
		return err
	}
	return c.reload()
}

// indexers are those of all indexes that have roots at or below the folder, or files of it.
func (c *folderChange) indexers() (all []*indexer.Indexer, err error) {
	parts := []*rootsOf{{db: c.s.DB, ix: c.s.indexer}}
	if fi := c.s.folderIndex.Load(); fi != nil {
		parts = append(parts, &rootsOf{db: fi.db, ix: fi.indexer})
	}
	for _, part := range parts {
		roots, err := part.ix.Roots()
		if err != nil {
			return nil, err
		}
		held, err := holdings(part.db, c.of.Path)
		if err != nil {
			return nil, err
		}
		if held.files > 0 || slices.ContainsFunc(roots, func(root string) bool { return paths.Within(root, c.of.Path) }) {
			all = append(all, part.ix)
		}
	}
	return all, nil
}

// remove erases a folder: the indexes first, so that what is left after a kill is a folder that is still known, or
// nothing; what the settings say of it last.
func (c *folderChange) remove(ctx context.Context) error {
	err := c.alone(ctx, func() error {
		indexers, err := c.indexers()
		if err != nil {
			return err
		}
		if err := c.showNot(c.of.Path, ""); err != nil { // first, since what an index overwrites is erased by Remove
			return err
		}
		for _, ix := range indexers {
			done, err := ix.Remove(ctx, c.of.Path)
			c.report.Files, c.report.Chunks, c.report.Later = c.report.Files+done.Files, c.report.Chunks+done.Chunks, c.report.Later || done.Left
			if err != nil {
				return err
			}
		}
		return c.inNext(ctx, func(ix *indexer.Indexer) error {
			_, err := ix.Remove(ctx, c.of.Path)
			return err
		})
	})
	if err == nil {
		err = c.forgetSaid(ctx)
	}
	if err == nil {
		err = c.settle(ctx, func(path string) error { return config.DropFolder(path, c.of.Path) })
	}
	return err
}

// move follows a folder to another place.
func (c *folderChange) move(ctx context.Context) error {
	to := resolvedPath(c.To)
	if info, err := os.Stat(to); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no folder; name the one in which the files are now", c.To)
	}
	for _, f := range c.s.named() {
		if f.Path != c.of.Path && (paths.Within(to, f.Path) || paths.Within(f.Path, to)) {
			return fmt.Errorf("%s and %s, which is indexed, lie in each other; dowse folders remove %s erases what is indexed of the old place", to, f.Name, c.of.Name)
		}
	}
	err := c.alone(ctx, func() error {
		indexers, err := c.indexers()
		if err != nil {
			return err
		}
		c.s.settings.move(c.of.Path, to) // what is excluded there is not to be indexed here
		if err := c.showNot(c.of.Path, to); err != nil {
			return err
		}
		for _, ix := range indexers {
			report, err := ix.Move(ctx, c.of.Path, to)
			if err != nil {
				return err
			}
			c.report.Index = report
		}
		return c.inNext(ctx, func(ix *indexer.Indexer) error {
			_, err := ix.Move(ctx, c.of.Path, to)
			return err
		})
	})
	if err != nil {
		return errors.Join(err, c.reload())
	}
	c.report.Folder.Path = to
	return c.settle(ctx, func(path string) error { return config.MoveFolder(path, c.of.Path, to) })
}

// settle changes the settings, and has embedders of folders follow.
func (c *folderChange) settle(ctx context.Context, change func(path string) error) error {
	path := c.opener.Home.ConfigFile()
	if _, err := os.Stat(path); err == nil {
		if err := change(path); err != nil {
			return err
		}
	}
	if err := c.reload(); err != nil {
		return err
	}
	_, err := c.Owner.move(ctx, nil, false) // which also waits for one that drops the folder index
	return err
}

// alone runs do while nothing else writes: a migration to another embedder ends, and is gone on with afterwards.
func (c *folderChange) alone(ctx context.Context, do func() error) error {
	c.migrations.interrupt()
	if err := c.migrating.Acquire(ctx, 1); err != nil {
		return err
	}
	defer func() {
		c.migrating.Release(1)
		select {
		case c.poke <- struct{}{}:
		default:
		}
	}()
	c.s = c.Stack() // one may have taken the place of another
	return c.holdWriters(c.s, do)
}

// showNot notes in the folder index that it shows a folder no more, or in another place.
func (c *folderChange) showNot(folder, to string) error {
	fi := c.s.folderIndex.Load()
	if fi == nil {
		return nil
	}
	var show []string
	for _, shown := range shownBy(fi.db) {
		switch {
		case !paths.Within(shown, folder):
			show = append(show, shown)
		case to != "":
			show = append(show, to+shown[len(folder):])
		}
	}
	roots, err := fi.indexer.Roots()
	if err != nil {
		return err
	}
	m := &folderMove{Owner: c.Owner, s: c.s}
	return m.noteShown(fi, roots, show)
}

// inNext does to the second index of a migration what was done to the first. One that cannot be opened is begun anew.
func (c *folderChange) inNext(ctx context.Context, do func(*indexer.Indexer) error) error {
	if _, err := os.Stat(c.opener.nextPath()); err != nil {
		return nil
	}
	to := c.migrations.target()
	if c.s.needsMigration(to) {
		if m, err := c.openMigration(c.s, to, false); err == nil {
			err = do(m.built)
			if err = errors.Join(err, m.abandon()); err == nil {
				return nil
			}
			if ctx.Err() != nil {
				return err
			}
		}
	}
	return store.Discard(c.opener.nextPath())
}
