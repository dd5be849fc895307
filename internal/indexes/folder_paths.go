package indexes

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dowse/indexer/paths"
	"dowse/internal/config"
	"dowse/store"
)

// ownFolders are the folders of the settings that have another embedder than the rest.
func (op *Opener) ownFolders() config.Folders {
	return resolvedFolders(op.Config.Folders.Own(op.Config.Model))
}

// resolvedFolders resolves links, as for roots, and drops folders inside of others.
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

// inside reports whether a path is one of some folders, or lies in one.
func inside(path string, folders []string) bool {
	return paths.WithinAny(path, folders)
}

// rootsWithin returns the roots inside of a folder, or the folder if it lies inside of a root.
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

// missing reports whether nothing stands at a folder, such as on a disk that is not mounted.
func missing(folder string) bool {
	_, err := os.Stat(folder)
	return errors.Is(err, fs.ErrNotExist)
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

// within counts what both indexes have below folders, or below all their roots.
func (s *Stack) within(folders []string) (sum holding, err error) {
	dbs := []*store.DB{s.DB}
	if fi := s.folderIndex.Load(); fi != nil {
		dbs = append(dbs, fi.db)
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
