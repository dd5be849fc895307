package indexes

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/store"
)

// ownFolders are the folders of the settings that have another embedder than the rest.
func (op *Opener) ownFolders() config.Folders {
	return resolvedFolders(op.Config.Folders.Own(op.Config.Model))
}

// resolvedFolders are folders without links on the way to them, as roots are, each once and
// none inside of another.
func resolvedFolders(f config.Folders) config.Folders {
	out := config.Folders{Model: f.Model}
	for _, path := range f.Paths {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		out.Paths = append(out.Paths, path)
	}
	out.Paths = outermost(out.Paths)
	return out
}

// outermost drops the folders that lie in another one, and sorts the rest.
func outermost(folders []string) (kept []string) {
	folders = slices.Clone(folders)
	slices.Sort(folders)
	folders = slices.Compact(folders)
	for _, f := range folders {
		if !inside(f, slices.DeleteFunc(slices.Clone(folders), func(o string) bool { return o == f })) {
			kept = append(kept, f)
		}
	}
	return kept
}

// rootsWithin are what of some roots lies in a folder: roots inside of it, or the folder
// where it lies inside of a root.
func rootsWithin(folder string, roots []string) (within []string) {
	for _, root := range roots {
		switch {
		case inside(root, []string{folder}):
			within = append(within, root)
		case inside(folder, []string{root}):
			within = append(within, folder)
		}
	}
	return within
}

// holding is what an index has below a folder.
type holding struct {
	files, chunks int
	text          int64 // bytes
}

// holdings counts what an index has below a folder; nothing where there is no index.
func holdings(db *store.DB, folder string) (h holding, err error) {
	if db == nil {
		return h, nil
	}
	err = db.View(func(tx *store.Tx) error {
		return tx.FilesUnder(folder, func(f store.File) error {
			h.files, h.chunks, h.text = h.files+1, h.chunks+int(f.Chunks), h.text+f.TextBytes
			return nil
		})
	})
	return h, err
}

// missing reports whether nothing stands at a folder, such as on a disk that is not mounted.
func missing(folder string) bool {
	_, err := os.Stat(folder)
	return errors.Is(err, fs.ErrNotExist)
}

// folderModels adds to a status which folders have an embedder of their own, or are to have
// one, as want says, and which go back to that of the rest. problem is why none moves.
func (s *Stack) folderModels(st *engine.Status, want config.Folders, problem string) error {
	own, shown := s.own.Load(), s.elsewhere.get()
	roots, err := s.indexer.Roots()
	if err != nil {
		return nil // what is damaged is told elsewhere
	}
	for _, folder := range outermost(slices.Concat(shown, want.Paths)) {
		f := engine.FolderModel{Folder: folder, Model: s.from()}
		here, there, to := s.DB, (*store.DB)(nil), want.Model
		if own != nil {
			there = own.db
		}
		if inside(folder, shown) {
			here, there, f.Model = own.db, s.DB, own.name
			if own.byWords != "" {
				f.Model, f.Problem = "", own.byWords
			}
			if !inside(folder, want.Paths) {
				to = st.Model
			}
		} else if len(rootsWithin(folder, roots)) == 0 {
			continue // it is not indexed
		}
		shows, err := holdings(here, folder)
		if err != nil {
			return err
		}
		hides, err := holdings(there, folder)
		if err != nil {
			return err
		}
		f.Files, f.Chunks = shows.files, shows.chunks
		st.Files, st.Chunks, st.TextBytes = st.Files-hides.files, st.Chunks-hides.chunks, st.TextBytes-hides.text // each counts once
		if to != f.Model && !(own != nil && own.byWords != "" && to == own.name) {
			f.To, f.Done = to, hides.chunks
			if f.Problem == "" {
				f.Problem = problem
			}
		}
		st.Folders = append(st.Folders, f)
	}
	return nil
}

// splitOwn divides folders into those that have, or are to have, an embedder of their own,
// and the others.
func (o *Owner) splitOwn(folders []string) (named, rest []string) {
	want := o.ahead.ownFolders().Paths
	for _, folder := range folders {
		if inside(folder, want) {
			named = append(named, folder)
		} else {
			rest = append(rest, folder)
		}
	}
	return named, rest
}

// hasOwn reports whether a folder has an embedder of its own, or is to have one.
func (o *Owner) hasOwn() bool {
	return o.Stack().own.Load() != nil || len(o.ahead.ownFolders().Paths) > 0
}

// onlyOwn reports whether all folders that are indexed have an embedder of their own.
func (o *Owner) onlyOwn() bool {
	s := o.Stack()
	own := s.own.Load()
	if own == nil {
		return false
	}
	rest, err := s.indexer.Roots()
	roots, wrong := own.indexer.Roots()
	return err == nil && wrong == nil && len(rest) == 0 && len(roots) > 0
}

// indexOwn moves folders to the embedders that they are to have and indexes them there, and
// adds that to the report of all others. folders are all that were to be indexed, none for
// all that are known.
func (o *Owner) indexOwn(ctx context.Context, folders, named []string, before *engine.IndexReport, emit func(engine.Event)) (*engine.IndexReport, error) {
	s := o.Stack()
	stop := func() {}
	if emit != nil {
		stop = s.forward(ctx, emit)
	}
	more, err := o.move(ctx, named, true)
	stop()
	if err != nil {
		if ctx.Err() != nil || len(named) > 0 {
			return nil, err
		}
		o.Publish(engine.Event{Problem: "folders could not be moved to their model: " + err.Error()})
		if emit != nil {
			emit(engine.Event{Problem: "folders could not be moved to their model: " + err.Error()})
		}
	}
	sum := addReports(*more, *before)
	sum.Skipped = maps.Clone(before.Skipped)
	for why, n := range more.Skipped {
		if sum.Skipped == nil {
			sum.Skipped = map[string]int{}
		}
		sum.Skipped[why] += n
	}
	sum.Partial = before.Partial + more.Partial
	held, err := o.Stack().within(folders)
	if err != nil {
		return nil, err
	}
	sum.Files, sum.Chunks, sum.TextBytes = held.files, held.chunks, held.text
	return &sum, nil
}

// within counts what both indexes have below folders, or below all their roots.
func (s *Stack) within(folders []string) (sum holding, err error) {
	dbs := []*store.DB{s.DB}
	if own := s.own.Load(); own != nil {
		dbs = append(dbs, own.db)
	}
	for _, db := range dbs {
		below := outermost(folders)
		if len(folders) == 0 {
			err = db.View(func(tx *store.Tx) (err error) {
				below, err = tx.Roots()
				return err
			})
		}
		for _, folder := range below {
			h, wrong := holdings(db, folder)
			err = errors.Join(err, wrong)
			sum.files, sum.chunks, sum.text = sum.files+h.files, sum.chunks+h.chunks, sum.text+h.text
		}
	}
	return sum, err
}
