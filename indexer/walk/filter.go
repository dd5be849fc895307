package walk

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dowse/indexer/ignore"
	"dowse/indexer/paths"
	"dowse/indexer/skip"
	"dowse/indexer/stamp"
)

// Filter decides about single paths as Walk does. It remembers the rules of the
// directories it came through and may be used by several goroutines.
type Filter struct {
	roots []string
	opts  Options
	trees map[string]*ignore.Tree // of each root
}

// NewFilter returns a Filter for the folders roots.
func NewFilter(roots []string, opts Options) (*Filter, error) {
	resolved, err := ResolveRoots(roots)
	if err != nil {
		return nil, err
	}
	f := &Filter{roots: resolved, opts: opts, trees: map[string]*ignore.Tree{}}
	for _, root := range resolved {
		f.trees[root] = ignore.NewTree(root)
	}
	return f, nil
}

// Check reports whether the file or directory at path is to be indexed; a Skip
// other than nil says why not. It looks at the file system: a path that does not
// exist has vanished. path is absolute and below a resolved folder.
func (f *Filter) Check(path string) (Entry, *Skip) {
	path = filepath.Clean(path)
	info, err := os.Lstat(path)
	if err != nil {
		return Entry{}, failed(path, false, err)
	}
	if info.IsDir() {
		return entryOf(paths.Innermost(path, f.roots), path, info), f.Dir(path)
	}
	if s := f.Dir(filepath.Dir(path)); s != nil {
		return Entry{}, &Skip{Path: path, Reason: s.Reason, Err: s.Err}
	}
	root := paths.Innermost(path, f.roots)
	if s := f.opts.judge(f.trees[root].Check(path, false), path, info.Mode()); s != nil {
		return Entry{}, s
	}
	if info, err = target(path, info); err != nil {
		return Entry{}, failed(path, false, err)
	}
	entry := entryOf(root, path, info)
	entry.Changed, _ = stamp.Of(path, info, time.Time{})
	return entry, f.opts.weigh(path, info)
}

// Dir reports whether a walk would enter the directory at path; a Skip other than
// nil says why not. The directory need not exist.
func (f *Filter) Dir(path string) *Skip {
	path = filepath.Clean(path)
	root := paths.Innermost(path, f.roots)
	if root == "" || f.opts.excepts(path) {
		return &Skip{Path: path, Reason: skip.Ignored, IsDir: true}
	}
	// From the root down: one directory that stays out keeps out all below it.
	for at := len(root); at < len(path); {
		next := strings.IndexByte(path[at+1:], filepath.Separator)
		if at = at + 1 + next; next < 0 {
			at = len(path)
		}
		dir := path[:at]
		if s := f.opts.judge(f.trees[root].Check(dir, true), dir, fs.ModeDir); s != nil {
			return &Skip{Path: path, Reason: s.Reason, IsDir: true}
		}
	}
	if err := f.trees[root].Problem(path); err != nil {
		return unruled(path, err)
	}
	return nil
}

// Rule returns the line of the rule by which the file at path is ignored and the
// file that it stands in, "" for one of dowse's own; both are "" where that is not
// known.
func (f *Filter) Rule(path string) (line, file string) {
	path = filepath.Clean(path)
	tree := f.trees[paths.Innermost(path, f.roots)]
	if tree == nil {
		return "", ""
	}
	return tree.Rule(path, false)
}

// Forget drops what is remembered of dir and everything below it. It is to be
// called when a rule file in dir changed, or dir was moved, removed or made.
func (f *Filter) Forget(dir string) {
	for _, tree := range f.trees {
		tree.Forget(dir)
	}
}
