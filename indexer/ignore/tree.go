package ignore

import (
	"maps"
	"path/filepath"
	"sync"

	"dowse/indexer/paths"
)

// Tree checks single paths below one folder and remembers the directories it
// came through. It may be used by several goroutines.
type Tree struct {
	root    string
	gitOnly bool

	mu   sync.Mutex
	dirs map[string]directory // absolute path -> what is known; guarded by mu
}

// directory is a directory on the way to a path.
type directory struct {
	matcher *Matcher // nil when the directory is ignored
	verdict Verdict
}

// NewTree returns a Tree over root, an absolute path without symbolic links.
func NewTree(root string) *Tree {
	return &Tree{root: filepath.Clean(root), dirs: map[string]directory{}}
}

// Check returns what the rules make of path, an absolute path below the root. A
// path in an ignored directory is Ignored; one outside of the root, and the root
// itself, is Neutral.
func (t *Tree) Check(path string, isDir bool) Verdict {
	path = filepath.Clean(path)
	if path == t.root || !paths.Within(path, t.root) {
		return Neutral
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if isDir {
		return t.directory(path).verdict
	}
	parent := t.directory(filepath.Dir(path))
	if parent.matcher == nil {
		return Ignored
	}
	return parent.matcher.Check(filepath.Base(path), false)
}

// directory returns what is known of a directory at or below the root, asking
// its parents first.
func (t *Tree) directory(dir string) directory {
	if d, ok := t.dirs[dir]; ok {
		return d
	}
	var d directory
	if dir == t.root {
		d.matcher = newMatcher(dir, t.gitOnly)
	} else {
		d = t.child(t.directory(filepath.Dir(dir)), filepath.Base(dir))
	}
	t.dirs[dir] = d
	return d
}

func (t *Tree) child(parent directory, name string) directory {
	if parent.matcher == nil {
		return directory{verdict: Ignored}
	}
	v := parent.matcher.Check(name, true)
	if v == Ignored {
		return directory{verdict: v}
	}
	return directory{verdict: v, matcher: parent.matcher.Child(name)}
}

// Rule is Matcher.Rule for path, whose Check is Ignored: of the outermost entry on
// the way to it that is left out.
func (t *Tree) Rule(path string, isDir bool) (line, file string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	path = filepath.Clean(path)
	for path != t.root && paths.Within(path, t.root) {
		parent := t.directory(filepath.Dir(path))
		if parent.matcher != nil {
			return parent.matcher.Rule(filepath.Base(path), isDir)
		}
		path, isDir = filepath.Dir(path), true
	}
	return "", ""
}

// Problem returns why the rules that hold in dir, an absolute path at or below the
// root, are not all known: an ErrRules, a FolderError, or nil.
func (t *Tree) Problem(dir string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for dir = filepath.Clean(dir); paths.Within(dir, t.root); dir = filepath.Dir(dir) {
		if m := t.directory(dir).matcher; m != nil && len(m.problems) > 0 {
			return m.problems[0]
		}
		if dir == t.root {
			break
		}
	}
	return nil
}

// Forget drops what is remembered of dir and of everything below it. It is to be
// called when a rule file in dir changed, or when dir was moved or removed.
func (t *Tree) Forget(dir string) {
	dir = filepath.Clean(dir)
	t.mu.Lock()
	defer t.mu.Unlock()
	if paths.Within(t.root, dir) {
		clear(t.dirs)
		return
	}
	maps.DeleteFunc(t.dirs, func(known string, _ directory) bool { return paths.Within(known, dir) })
}
