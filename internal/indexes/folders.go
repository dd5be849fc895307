package indexes

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dowse/engine"
	"dowse/indexer"
	"dowse/indexer/paths"
	"dowse/store"
)

// Folders implements engine.FolderKeeper.
func (s *Stack) Folders(ctx context.Context) ([]engine.Folder, error) {
	s.refreshPacks()
	return within(ctx, &s.gate, func(context.Context) ([]engine.Folder, error) { return s.listFolders(s.Progress()) })
}

// ChangeFolder implements engine.FolderKeeper: an index that is only read stays as it is.
func (s *Stack) ChangeFolder(context.Context, engine.FolderChange, func(engine.Event)) (*engine.FolderReport, error) {
	return nil, store.ErrReadOnly
}

// rootsOf is one of the indexes with what it has of its roots.
type rootsOf struct {
	db     *store.DB
	ix     *indexer.Indexer
	model  string
	counts map[string]store.RootCount
	left   map[string]map[string]int
}

// listFolders lists the roots of both indexes by name.
func (s *Stack) listFolders(progress *engine.Progress) (all []engine.Folder, err error) {
	byRoot := map[string]*rootsOf{}
	parts := []*rootsOf{{db: s.DB, ix: s.indexer, model: s.from()}}
	if fi := s.folderIndex.Load(); fi != nil {
		model := fi.name
		if fi.byWords != "" {
			model = ""
		}
		parts = append(parts, &rootsOf{db: fi.db, ix: fi.indexer, model: model})
	}
	var roots []string
	for _, part := range parts {
		own, err := part.ix.Roots()
		if err != nil {
			return nil, err
		}
		left, err := part.ix.Left()
		if err != nil {
			return nil, err
		}
		part.left = left.ByRoot
		err = part.db.View(func(tx *store.Tx) (err error) {
			part.counts, err = tx.RootCounts()
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, root := range own {
			byRoot[root] = part
		}
		roots = append(roots, own...)
	}
	roots = append(roots, s.packPaths()...)
	slices.Sort(roots)
	roots = slices.Compact(roots)
	for _, named := range nameFolders(roots, s.settings.now.Load().places) {
		part := byRoot[named.Path]
		if part == nil {
			f, err := s.packFolder(named)
			if err != nil {
				return nil, err
			}
			all = append(all, f)
			continue
		}
		c := part.counts[named.Path]
		place := s.settings.place(named.Path)
		f := engine.Folder{
			NamedFolder: named, Files: c.Files, Chunks: c.Chunks, TextBytes: c.TextBytes, Bytes: c.Bytes, Model: part.model,
			Named: place.Name != "", Exclude: place.Exclude, Types: place.Types, Skipped: part.left[named.Path],
		}
		if c.Files > 0 {
			f.Newest = time.Unix(0, c.Newest)
		}
		s.judge(&f, part, roots, place.Paused, progress)
		all = append(all, f)
	}
	return all, nil
}

// judge says how the index of a folder stands to its files.
func (s *Stack) judge(f *engine.Folder, part *rootsOf, roots []string, paused bool, progress *engine.Progress) {
	away := s.presence.away(part.ix, f.Path)
	switch {
	case away != nil:
		f.State, f.Why = stateOf(away), away.Error()
		if f.State == engine.Gone {
			f.Elsewhere = s.presence.elsewhere(part.db, f.Path, roots)
		}
	case paused:
		f.State = engine.Paused
	case progress != nil && progress.Phase != engine.Idle && progress.Phase != "":
		f.State = engine.Busy
	case !s.watching.Load():
		f.State = engine.Unwatched
	default:
		f.State = engine.Fresh
		if f.Why = part.ix.Polled(f.Path); f.Why != "" {
			f.State = engine.Polled
		}
	}
}

// searchedAway says of the folders that a request searches and that cannot be read now why.
func (s *Stack) searchedAway(req engine.Request) (told []string) {
	named := s.named()
	in, err := engine.FindFolders(req.In, named)
	q, wrong := engine.Parse(req.Query, time.Now())
	if err != nil || wrong != nil || q.Resolve(named) != nil {
		return nil
	}
	touches := func(root string, among []string) bool {
		return len(among) == 0 || slices.ContainsFunc(among, func(dir string) bool { return paths.Within(root, dir) || paths.Within(dir, root) })
	}
	var roots []string
	for _, n := range named {
		roots = append(roots, n.Path)
	}
	for _, n := range named {
		if !touches(n.Path, in) || !touches(n.Path, q.Folders) || paths.WithinAny(n.Path, q.NotFolders) {
			continue
		}
		if s.isPack(n.Path) {
			if f, err := s.packFolder(n); err == nil && f.Away() {
				told = append(told, f.AwayText())
			}
			continue
		}
		ix, db := s.indexer, s.DB
		if fi := s.folderIndex.Load(); fi != nil && inside(n.Path, s.shownByFolders.get()) {
			ix, db = fi.indexer, fi.db
		}
		if away := s.presence.away(ix, n.Path); away != nil {
			f := engine.Folder{NamedFolder: n, State: stateOf(away), Why: away.Error()}
			if f.State == engine.Gone {
				f.Elsewhere = s.presence.elsewhere(db, n.Path, roots)
			}
			told = append(told, f.AwayText())
		}
	}
	for _, dir := range in {
		if !slices.ContainsFunc(roots, func(root string) bool { return paths.Within(root, dir) || paths.Within(dir, root) }) {
			told = append(told, fmt.Sprintf("%s is in none of the folders that are indexed; dowse folders lists them", dir))
		}
	}
	return told
}
