package snapshot

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

// Filter decides which files a query may return.
type Filter struct {
	folders         []string // of the request
	inside, outside []string // folders that the query names
	paths, notPaths []pathPattern
	exts, notExts   []string // with the dot
	after, before   int64    // unix ns, half open
	facts           []factFilter
	Mask            Mask                      // of the index
	Entries         map[uint32]*store.Entries // of files that have some; nil where they are not asked
}

// NewFilter compiles the filters of a query and the folders of a request.
func NewFilter(q *engine.Query, folders []string) *Filter {
	f := &Filter{folders: composed(folders), inside: composed(q.Folders), outside: composed(q.NotFolders), after: math.MinInt64, before: math.MaxInt64}
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
		f.after = UnixNano(q.After)
	}
	if !q.Before.IsZero() {
		f.before = UnixNano(q.Before)
	}
	return f
}

// UnixNano is t in unix nanoseconds, or the nearest number there is: they
// reach from 1677 to 2262 only, and people type 1500 and 9999.
func UnixNano(t time.Time) int64 {
	switch {
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}

// Empty reports whether every file passes.
func (f *Filter) Empty() bool {
	return len(f.folders)+len(f.inside)+len(f.outside) == 0 && len(f.paths) == 0 && len(f.notPaths) == 0 &&
		!f.Mask.set && len(f.Mask.other) == 0 && len(f.exts) == 0 && len(f.notExts) == 0 && len(f.facts) == 0 &&
		f.after == math.MinInt64 && f.before == math.MaxInt64
}

// Admits reports whether a file without entries passes.
func (f *Filter) Admits(file store.File) bool {
	for i := range f.facts {
		if !f.facts[i].admits(&file) {
			return false
		}
	}
	return f.admitsTime(TimeOf(&file)) && f.admitsPath(file)
}

// admitsTime reports whether a moment, in unix nanoseconds, lies within the bounds.
func (f *Filter) admitsTime(when int64) bool { return when >= f.after && when < f.before }

// admitsPath reports whether a file passes by where it lies.
func (f *Filter) admitsPath(file store.File) bool {
	if !f.Mask.Admits(file.Path) {
		return false
	}
	if len(f.folders)+len(f.inside)+len(f.outside) > 0 {
		path := unicodenorm.NFC.String(file.Path)
		holds := func(dir string) bool { return Below(path, dir) }
		if len(f.folders) > 0 && !slices.ContainsFunc(f.folders, holds) || len(f.inside) > 0 && !slices.ContainsFunc(f.inside, holds) || slices.ContainsFunc(f.outside, holds) {
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

// Below reports whether path is dir or lies in it.
func Below(path, dir string) bool {
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

// Left is the outcome of the filters of a query: the chunks that may be
// returned, and how many files they belong to. The set may be a snapshot's.
type Left struct {
	Allow  *lexical.Set
	Files  int
	Chunks int
}

// Filter applies the filters on files to a snapshot, in a transaction of its commit.
func (x *Index) Filter(tx *store.Tx, s *Snapshot, f *Filter) (out Left, err error) {
	if f.asksEntries() {
		if f.Entries, err = x.Entries(tx); err != nil {
			return out, err
		}
	}
	return s.filterFiles(tx, f)
}

// filterFiles applies the filters on files, in a transaction of the snapshot's commit.
// Without filters it leaves the live chunks: indexes hold traces of chunks that are gone.
func (s *Snapshot) filterFiles(tx *store.Tx, f *Filter) (Left, error) {
	if f.Empty() {
		return Left{Allow: s.Live, Files: len(s.Files), Chunks: s.Chunks}, nil
	}
	if err := f.find(tx); err != nil {
		return Left{}, err
	}
	out := Left{Allow: lexical.NewSet(s.Size)}
	for _, file := range s.among(f) {
		if n, passes := f.allow(out.Allow, file); passes {
			out.Files++
			out.Chunks += n
		}
	}
	return out, nil
}

// find looks up what the filters ask for in a commit.
func (f *Filter) find(tx *store.Tx) error {
	for i := range f.facts {
		if err := f.facts[i].find(tx); err != nil {
			return err
		}
	}
	return nil
}

// CountFiles counts the files that have a chunk in the set.
func (s *Snapshot) CountFiles(set *lexical.Set) int {
	files := map[*store.File]bool{}
	set.Each(func(chunk uint32) bool {
		if f, _, ok := s.Place(chunk); ok {
			files[f] = true
		}
		return true
	})
	return len(files)
}
