package opened

import (
	"os"
	"path/filepath"

	"dowse/internal/atomicfile"
	"dowse/internal/home"
	"dowse/models"
)

// Files are the files of a model, its pack first, as they were when it was
// opened.
type Files struct {
	paths []string
	files []os.FileInfo
}

// FilesOf notes what the files of a model are.
func FilesOf(m models.Installation) (Files, error) {
	f := Files{paths: m.Files()}
	for _, path := range f.paths {
		info, err := os.Stat(path)
		if err != nil {
			return Files{}, err
		}
		f.files = append(f.files, info)
	}
	return f, nil
}

// Changed reports whether another file, or another content, has the name of one
// of them. A file that was removed is no change: what was read of it goes on.
func (f Files) Changed() bool {
	for i, was := range f.files {
		is, err := os.Stat(f.paths[i])
		if err == nil && (!os.SameFile(is, was) || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime())) {
			return true
		}
	}
	return false
}

// Keep writes what was learned of a model, at once or not at all, into a folder
// that only this user may read.
func Keep(path string, data []byte) error {
	if err := home.MakePrivate(filepath.Dir(path)); err != nil {
		return err
	}
	return atomicfile.WriteFile(path, data, 0o600)
}
