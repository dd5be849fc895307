package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ResolveFolder makes a folder that a person named absolute and checks it.
func ResolveFolder(name string) (string, error) {
	resolved, info, err := resolve(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no folder %s; to search for those words, use dowse -q %q", name, name)
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s may not be read; give yourself access to it, or name another folder", name)
	case err != nil:
		return "", fmt.Errorf("%s cannot be read: %w", name, err)
	case !info.IsDir():
		return "", fmt.Errorf("%s is a file; name the folder that it lies in", name)
	}
	return resolved, nil
}

// ResolveFile makes a file that a person named absolute and checks it.
func ResolveFile(name string) (string, error) {
	resolved, info, err := resolve(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %s; name one as FILE or FILE:LINE", name)
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s may not be read; give yourself access to it", name)
	case err != nil:
		return "", fmt.Errorf("%s cannot be read: %w", name, err)
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder; name a file in it", name)
	}
	return resolved, nil
}

// resolve makes what a person named absolute, without links on the way to it.
func resolve(name string) (string, fs.FileInfo, error) {
	path := name
	if name == "~" || strings.HasPrefix(name, "~/") { // quoted, so that the shell left it alone
		if dir, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(dir, name[1:])
		}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", nil, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", nil, err
	}
	info, err := os.Stat(path)
	return path, info, err
}

// ResolveFolders resolves several folders.
func ResolveFolders(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		path, err := ResolveFolder(name)
		if err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, nil
}
