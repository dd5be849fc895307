package ignore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The names of rule files.
const (
	dowseFile = ".dowseignore"
	plainFile = ".ignore"
	gitFile   = ".gitignore"
)

// maxRuleFile bounds what is read of a rule file. The largest in public use
// have some ten kilobytes.
const maxRuleFile = 4 << 20

// ErrRules says that a file of rules cannot be read.
var ErrRules = errors.New("ignore rules not read")

// FolderError says that a folder may not be searched: whether files of rules are in it is not known.
type FolderError struct {
	Folder string
	Err    error // what the system said
}

func (e *FolderError) Error() string { return "folder not read: " + e.Folder + ": " + e.Err.Error() }

func (e *FolderError) Unwrap() error { return e.Err }

// read returns the rules of a file; none when it does not exist, and none but a
// problem noted when it cannot be read. A folder that cannot be searched is noted once.
func (m *Matcher) read(path string) []rule {
	text, err := readRuleFile(path)
	var folder *FolderError
	switch {
	case errors.As(err, &folder) && folder.Folder == m.dir:
		if len(m.problems) == 0 {
			m.problems = append(m.problems, folder)
		}
		return nil
	case err != nil:
		if !errors.Is(err, fs.ErrNotExist) {
			m.problems = append(m.problems, fmt.Errorf("%w: %w", ErrRules, err))
		}
		return nil
	}
	rules := parseRules(text)
	for i := range rules {
		rules[i].file = path
	}
	return rules
}

// readRuleFile reads a small regular file. A symbolic link, a directory or a
// pipe of that name is no rule file and reads as not existing.
func readRuleFile(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		if isNotDir(path) {
			return "", fs.ErrNotExist
		}
		if errors.Is(err, fs.ErrPermission) {
			err = &FolderError{filepath.Dir(path), fs.ErrPermission}
		}
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fs.ErrNotExist
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // nothing was written
	text, err := io.ReadAll(io.LimitReader(f, maxRuleFile+1))
	if err != nil {
		return "", err
	}
	if len(text) > maxRuleFile {
		return "", fmt.Errorf("%s: more than %d bytes", path, maxRuleFile)
	}
	return string(text), nil
}

// isNotDir reports whether path cannot exist because its parent is a file.
func isNotDir(path string) bool {
	info, err := os.Lstat(filepath.Dir(path))
	return err == nil && !info.IsDir()
}

// repositoryDir returns the directory that holds info/exclude when dir is the
// top of a git repository, and "" when it is not. In a linked work tree or a
// submodule ".git" is a file that names the place.
func repositoryDir(dir string) string {
	dot := filepath.Join(dir, ".git")
	info, err := os.Stat(dot)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		target, ok := readPointer(dot, "gitdir: ")
		if !ok {
			return ""
		}
		dot = absoluteFrom(dir, target)
	}
	if _, err := os.Lstat(filepath.Join(dot, "HEAD")); err != nil {
		return ""
	}
	if common, ok := readPointer(filepath.Join(dot, "commondir"), ""); ok {
		dot = absoluteFrom(dot, common)
	}
	return dot
}

// readPointer reads a file of one line that names a path behind label.
func readPointer(path, label string) (string, bool) {
	text, err := readRuleFile(path)
	if err != nil {
		return "", false
	}
	target, ok := strings.CutPrefix(strings.TrimRight(text, "\r\n"), label)
	return target, ok && target != ""
}

func absoluteFrom(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
