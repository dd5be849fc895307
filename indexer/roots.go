package indexer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dowse/indexer/paths"
	"dowse/store"
)

// errLinked says that a path of the index leads through a symbolic link now.
var errLinked = errors.New("it leads through a symbolic link since it was added; to index what that leads to, name it again, as in dowse index FOLDER")

// lookAt is os.Lstat for paths of the index, none of which led through a link
// when it was found: what a link put in the place of a folder leads to is not
// what was to be indexed.
func lookAt(path string) (os.FileInfo, error) {
	above := filepath.Dir(path)
	resolved, err := filepath.EvalSymlinks(above)
	if err != nil {
		return nil, err
	}
	if resolved != above {
		return nil, errLinked
	}
	return os.Lstat(path)
}

// filesUnder calls fn with each file that the index holds below folders, none of which lies in another.
func filesUnder(tx *store.Tx, folders []string, fn func(store.File)) error {
	for _, folder := range folders {
		err := tx.FilesUnder(folder, func(f store.File) error {
			fn(f)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// errUnmounted says that an empty folder stands where a file system was.
var errUnmounted = errors.New("the disk, or the share, that it lies on is not mounted")

// lookAtRoot returns what stands at a root, which is a folder and no link.
func (ix *Indexer) lookAtRoot(root string) (os.FileInfo, error) {
	info, err := lookAt(root)
	switch {
	case err != nil:
		return nil, err
	case slices.ContainsFunc(ix.unmounted(root), func(at string) bool { return paths.Within(root, at) }):
		return nil, errUnmounted
	case info.Mode()&os.ModeSymlink != 0:
		return nil, errLinked
	case !info.IsDir():
		return nil, errors.New("it is no folder any more")
	}
	return info, nil
}

// ErrAway is wrapped by what Away returns of a folder that is not there, or whose disk is not: it may come back.
var ErrAway = errors.New("is not there")

// Away says, in words that follow the name of a root, why its files cannot be read now; nil where they can. An error
// that is no ErrAway is for a person to end.
func (ix *Indexer) Away(root string) error {
	info, err := ix.lookAtRoot(root)
	if err == nil {
		var dir *os.File
		if dir, err = os.Open(root); err == nil {
			_, err = dir.Readdirnames(1)
			err = errors.Join(dir.Close(), err)
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	switch {
	case err == nil && info != nil:
		return nil
	case errors.Is(err, errUnmounted):
		return fmt.Errorf("%w: %w", ErrAway, err)
	case errors.Is(err, fs.ErrNotExist):
		return ErrAway
	case errors.Is(err, fs.ErrPermission):
		return errors.New("may not be read: give yourself access to it")
	}
	return fmt.Errorf("cannot be read: %w", cause(err))
}

// rootSet notices the roots for which no event comes: a folder that was added
// while the watcher runs, one that came back (a disk that is mounted again),
// and one that was replaced by another of the same name.
type rootSet struct {
	look func(root string) (os.FileInfo, error)
	seen map[string]os.FileInfo // nil: not there when last looked at
}

// arrivals compares the roots with what was there at the last look, and returns
// those that arrived since.
func (s *rootSet) arrivals(roots []string) (arrived []string) {
	seen := make(map[string]os.FileInfo, len(roots))
	for _, root := range roots {
		info, err := s.look(root)
		if err != nil {
			seen[root] = nil
			continue
		}
		seen[root] = info
		if old := s.seen[root]; old == nil || !os.SameFile(old, info) {
			arrived = append(arrived, root)
		}
	}
	s.seen = seen
	return arrived
}

// dropped returns the roots of the last look that are none any more, or are not looked at.
func (s *rootSet) dropped(roots []string) (left []string) {
	for root := range s.seen {
		if !slices.Contains(roots, root) {
			left = append(left, root)
		}
	}
	return left
}

// left notes that a root was removed or renamed, if path is one. A new folder
// in its place may get the same inode, so that look alone could miss it.
func (s *rootSet) left(path string) {
	if _, known := s.seen[path]; known {
		s.seen[path] = nil
	}
}
