package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dowse/internal/home"
	"dowse/store"
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
	if name == "" {
		return "", errors.New("no file is named; name one as FILE or FILE:LINE")
	}
	resolved, info, err := resolve(name)
	if path, ok := inPack(name); err != nil && ok {
		return path, nil
	}
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

// inPack makes a path absolute that leads into a file, as those of files in a pack do.
func inPack(name string) (string, bool) {
	path, err := absolute(name)
	if err != nil {
		return "", false
	}
	for above := filepath.Dir(path); above != filepath.Dir(above); above = filepath.Dir(above) {
		if pack, info, err := resolve(above); err == nil {
			return pack + path[len(above):], info.Mode().IsRegular()
		}
	}
	return "", false
}

// ResolveNew makes a file that is to be written absolute, and checks the folder that it is to lie in.
func ResolveNew(name string) (string, error) {
	if OnServer(name) {
		return name, nil
	}
	path, err := absolute(name)
	if err != nil {
		return "", err
	}
	folder, info, err := resolve(filepath.Dir(path))
	switch {
	case err != nil:
		return "", fmt.Errorf("there is no folder %s to write %s to; make it, or name another", filepath.Dir(path), filepath.Base(path))
	case !info.IsDir():
		return "", fmt.Errorf("%s is a file; name a file to write in a folder", folder)
	}
	path = filepath.Join(folder, filepath.Base(path))
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no file that can be replaced; name another", path)
	}
	return path, nil
}

// ResolveIn makes what a person named to search in absolute where it is a folder or a file; a name of an indexed folder
// stays as it is.
func ResolveIn(name string) (string, error) {
	resolved, _, err := resolve(name)
	switch {
	case err == nil:
		return resolved, nil
	case !looksLikePath(name):
		if path, ok := inPack(name); ok {
			return path, nil
		}
		return name, nil // the search knows the names
	case errors.Is(err, fs.ErrNotExist):
		if path, ok := AsPath(name); ok {
			return path, nil // it may be gone, which the search says
		}
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s may not be read; give yourself access to it, or name another folder", name)
	}
	return "", fmt.Errorf("%s cannot be read: %w", name, err)
}

// looksLikePath reports whether a person means a path, and not a name of a folder, which may have a path behind it.
func looksLikePath(name string) bool {
	return filepath.IsAbs(name) || name == "." || name == ".." || home.BeginsWithTilde(name) || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
}

// AsPath returns the absolute path that a person means, who may mean a name of a folder instead: then ok is false.
// What it names need not be there.
func AsPath(name string) (path string, ok bool) {
	if resolved, _, err := resolve(name); err == nil && (looksLikePath(name) || strings.ContainsRune(name, filepath.Separator)) {
		return resolved, true
	}
	if path, ok := inPack(name); ok {
		return path, true
	}
	if !looksLikePath(name) {
		return "", false
	}
	path, err := absolute(name)
	return path, err == nil
}

// absolute is the whole path of what a person named. A ~ in quotes is one that the shell left alone.
func absolute(name string) (string, error) {
	path, err := home.ExpandTilde(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// resolve makes what a person named absolute, without links on the way to it.
func resolve(name string) (string, fs.FileInfo, error) {
	path, err := absolute(name)
	if err != nil {
		return "", nil, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", nil, err
	}
	info, err := os.Stat(path)
	return path, info, err
}

// OnServer reports whether a pack is named by the address of a database.
func OnServer(pack string) bool { return store.OnServer(pack) }

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
