package search

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/store"
)

// fileFilter decides which files a query may return.
type fileFilter struct {
	folders         []string
	paths, notPaths []pathPattern
	exts, notExts   []string // with the dot
	after, before   int64    // unix ns, half open
}

// newFileFilter compiles the filters of a query and the folders of a request.
func newFileFilter(q *engine.Query, folders []string) *fileFilter {
	f := &fileFilter{folders: folders, after: math.MinInt64, before: math.MaxInt64}
	for _, p := range q.Paths {
		f.paths = append(f.paths, newPathPattern(p))
	}
	for _, p := range q.NotPaths {
		f.notPaths = append(f.notPaths, newPathPattern(p))
	}
	for _, ext := range q.Exts {
		f.exts = append(f.exts, "."+ext)
	}
	for _, ext := range q.NotExts {
		f.notExts = append(f.notExts, "."+ext)
	}
	if !q.After.IsZero() {
		f.after = unixNano(q.After)
	}
	if !q.Before.IsZero() {
		f.before = unixNano(q.Before)
	}
	return f
}

// unixNano is t in unix nanoseconds, or the nearest number there is: they
// reach from 1677 to 2262 only, and people type 1500 and 9999.
func unixNano(t time.Time) int64 {
	switch {
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}

// empty says that every file passes.
func (f *fileFilter) empty() bool {
	return len(f.folders) == 0 && len(f.paths) == 0 && len(f.notPaths) == 0 &&
		len(f.exts) == 0 && len(f.notExts) == 0 && f.after == math.MinInt64 && f.before == math.MaxInt64
}

// admits says whether a file passes.
func (f *fileFilter) admits(file store.File) bool {
	if file.ModTime < f.after || file.ModTime >= f.before {
		return false
	}
	if len(f.folders) > 0 && !slices.ContainsFunc(f.folders, func(dir string) bool { return below(file.Path, dir) }) {
		return false
	}
	if len(f.exts) > 0 || len(f.notExts) > 0 {
		name := strings.ToLower(filepath.Base(file.Path))
		ends := func(ext string) bool { return strings.HasSuffix(name, ext) } // tar.gz is one too
		if len(f.exts) > 0 && !slices.ContainsFunc(f.exts, ends) || slices.ContainsFunc(f.notExts, ends) {
			return false
		}
	}
	for _, p := range f.paths {
		if !p.matches(file) {
			return false
		}
	}
	return !slices.ContainsFunc(f.notPaths, func(p pathPattern) bool { return p.matches(file) })
}

// below says whether path is dir or lies in it.
func below(path, dir string) bool {
	if path == dir {
		return true
	}
	return strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// pathPattern is the value of a path: filter, lower case. Without * and ? it
// matches a path that contains it. With them it is a pattern for the path
// relative to the indexed folder, the whole path, or the file's name; * runs
// across separators, as a person who types path:*draft* means it.
type pathPattern struct {
	text string
	glob bool
}

func newPathPattern(value string) pathPattern {
	return pathPattern{text: strings.ToLower(value), glob: strings.ContainsAny(value, "*?")}
}

func (p pathPattern) matches(file store.File) bool {
	path := strings.ToLower(file.Path)
	if !p.glob {
		return strings.Contains(path, p.text)
	}
	relative := strings.TrimPrefix(strings.TrimPrefix(path, strings.ToLower(file.Root)), "/")
	return globMatch(p.text, relative) || globMatch(p.text, path) || globMatch(p.text, filepath.Base(path))
}

// globMatch matches the whole of s against a pattern in which * stands for
// any run of characters and ? for one character. It takes
// len(pattern)*len(s) steps at most: only the last star is ever tried again,
// because an earlier one that takes more leaves less for all that follows.
func globMatch(pattern, s string) bool {
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(s) {
		_, size := utf8.DecodeRuneInString(s[j:])
		switch {
		case i < len(pattern) && pattern[i] == '*':
			star, mark = i, j
			i++
		case i < len(pattern) && pattern[i] == '?':
			i++
			j += size
		case i < len(pattern) && strings.HasPrefix(pattern[i:], s[j:j+size]):
			i += size
			j += size
		case star >= 0: // let the last star take one more character
			_, size = utf8.DecodeRuneInString(s[mark:])
			mark += size
			i, j = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[i:], "*") == ""
}

// filtered is the outcome of the filters of a query: the chunks that may be
// returned, and how many files they belong to. The set may be a snapshot's.
type filtered struct {
	allow  *lexical.Set
	files  int
	chunks int
}

// filterFiles applies the filters that need only the file table. Without any,
// what is left is what lives: indexes hold traces of chunks that are gone.
func (s *snapshot) filterFiles(f *fileFilter) filtered {
	if f.empty() {
		return filtered{allow: s.live, files: len(s.files), chunks: s.chunks}
	}
	out := filtered{allow: lexical.NewSet(s.size)}
	for _, file := range s.files {
		if f.admits(*file) {
			for _, run := range file.IDs {
				out.allow.AddRange(run.First, run.N)
			}
			out.files++
			out.chunks += int(file.Chunks)
		}
	}
	return out
}

// countFiles counts the files that have a chunk in the set.
func (s *snapshot) countFiles(set *lexical.Set) int {
	files := map[*store.File]bool{}
	set.Each(func(chunk uint32) bool {
		if f, _, ok := s.place(chunk); ok {
			files[f] = true
		}
		return true
	})
	return len(files)
}
