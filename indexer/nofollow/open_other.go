//go:build !unix

package nofollow

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

func open(path string) (*os.File, error) {
	if _, err := look(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	opened, err := f.Stat()
	if err == nil {
		var there fs.FileInfo
		if there, err = look(path); err == nil && !os.SameFile(opened, there) {
			err = ErrLink // it was another file a moment ago
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// look looks at each part of a path and returns what stands at its end.
func look(path string) (fs.FileInfo, error) {
	if above := filepath.Dir(path); above != path && above != "." {
		if _, err := look(above); err != nil {
			return nil, err
		}
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, cause(err)
	}
	// A junction or mount point counts as irregular on Windows.
	if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
		return nil, ErrLink
	}
	return info, nil
}

// cause is what the system said, without the path.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
