package search

import (
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	unicodenorm "golang.org/x/text/unicode/norm"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/internal/fold"
	"dowse/store"
)

// fileFilter decides which files a query may return.
type fileFilter struct {
	folders         []string
	paths, notPaths []pathPattern
	exts, notExts   []string // with the dot
	after, before   int64    // unix ns, half open
	facts           []factFilter
	mask            mask                      // of the index
	entries         map[uint32]*store.Entries // of files that have some; nil where they are not asked
}

// newFileFilter compiles the filters of a query and the folders of a request.
func newFileFilter(q *engine.Query, folders []string) *fileFilter {
	f := &fileFilter{folders: composed(folders), after: math.MinInt64, before: math.MaxInt64}
	for _, p := range q.Paths {
		f.paths = append(f.paths, newPathPattern(p))
	}
	for _, p := range q.NotPaths {
		f.notPaths = append(f.notPaths, newPathPattern(p))
	}
	for _, ext := range q.Exts {
		f.exts = append(f.exts, "."+fold.String(ext))
	}
	for _, ext := range q.NotExts {
		f.notExts = append(f.notExts, "."+fold.String(ext))
	}
	for _, of := range q.Facts {
		f.facts = append(f.facts, newFactFilter(of))
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

// empty reports whether every file passes.
func (f *fileFilter) empty() bool {
	return len(f.folders) == 0 && len(f.paths) == 0 && len(f.notPaths) == 0 &&
		!f.mask.set && len(f.mask.other) == 0 && len(f.exts) == 0 && len(f.notExts) == 0 && len(f.facts) == 0 &&
		f.after == math.MinInt64 && f.before == math.MaxInt64
}

// admits reports whether a file without entries passes.
func (f *fileFilter) admits(file store.File) bool {
	for i := range f.facts {
		if !f.facts[i].admits(&file) {
			return false
		}
	}
	return f.admitsTime(timeOf(&file)) && f.admitsPath(file)
}

// admitsTime reports whether a moment, in unix nanoseconds, lies within the bounds.
func (f *fileFilter) admitsTime(when int64) bool { return when >= f.after && when < f.before }

// admitsPath reports whether a file passes by where it lies.
func (f *fileFilter) admitsPath(file store.File) bool {
	if !f.mask.admits(file.Path) {
		return false
	}
	if len(f.folders) > 0 {
		path := unicodenorm.NFC.String(file.Path)
		if !slices.ContainsFunc(f.folders, func(dir string) bool { return below(path, dir) }) {
			return false
		}
	}
	if len(f.exts) > 0 || len(f.notExts) > 0 {
		name := fold.String(filepath.Base(file.Path))
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

// composed are paths in one of the two forms that Unicode has for letters with accents: a
// system may show a name in the other one than the disk has.
func composed(paths []string) []string {
	all := make([]string, len(paths))
	for i, path := range paths {
		all[i] = unicodenorm.NFC.String(path)
	}
	return all
}

// below reports whether path is dir or lies in it.
func below(path, dir string) bool {
	if path == dir {
		return true
	}
	return strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// pathPattern is the value of a path: filter, folded. Without * and ? it
// matches a path that contains it. With them it is a pattern for the path
// relative to the indexed folder, the whole path, or the file's name; * runs
// across separators, as a person who types path:*draft* means it.
type pathPattern struct {
	text string
	glob *regexp.Regexp // nil without * and ?
}

func newPathPattern(value string) pathPattern {
	p := pathPattern{text: fold.String(value)}
	if strings.ContainsAny(value, "*?") {
		p.glob = globExpression(p.text)
	}
	return p
}

func (p pathPattern) matches(file store.File) bool {
	path := fold.String(file.Path)
	if p.glob == nil {
		return strings.Contains(path, p.text)
	}
	relative := strings.TrimPrefix(strings.TrimPrefix(path, fold.String(file.Root)), "/")
	return p.glob.MatchString(relative) || p.glob.MatchString(path) || p.glob.MatchString(filepath.Base(path))
}

// globExpression matches the whole of a text against a pattern of valid UTF-8 in which *
// stands for any run of characters and ? for one. Its time is linear in the text.
func globExpression(pattern string) *regexp.Regexp {
	quoted := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile(`(?s)\A` + quoted + `\z`)
}

// filtered is the outcome of the filters of a query: the chunks that may be
// returned, and how many files they belong to. The set may be a snapshot's.
type filtered struct {
	allow  *lexical.Set
	files  int
	chunks int
}

// filterFiles applies the filters on files to a snapshot, in a transaction of its commit.
func (x *index) filterFiles(tx *store.Tx, s *snapshot, f *fileFilter) (out filtered, err error) {
	if f.asksEntries() {
		if f.entries, err = x.entriesOf(tx); err != nil {
			return out, err
		}
	}
	return s.filterFiles(tx, f)
}

// filterFiles applies the filters on files, in a transaction of the snapshot's commit.
// Without any, what is left is what lives: indexes hold traces of chunks that are gone.
func (s *snapshot) filterFiles(tx *store.Tx, f *fileFilter) (filtered, error) {
	if f.empty() {
		return filtered{allow: s.live, files: len(s.files), chunks: s.chunks}, nil
	}
	if err := f.find(tx); err != nil {
		return filtered{}, err
	}
	out := filtered{allow: lexical.NewSet(s.size)}
	for _, file := range s.among(f) {
		if n, passes := f.allow(out.allow, file); passes {
			out.files++
			out.chunks += n
		}
	}
	return out, nil
}

// find looks up what the filters ask for in a commit.
func (f *fileFilter) find(tx *store.Tx) error {
	for i := range f.facts {
		if err := f.facts[i].find(tx); err != nil {
			return err
		}
	}
	return nil
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
