package ignore

import (
	"path/filepath"
	"slices"
)

// Verdict is what the rules say about an entry.
type Verdict uint8

const (
	// Neutral means that no rule speaks against the entry.
	Neutral Verdict = iota
	// Ignored means that the entry is left out; a directory is not entered.
	Ignored
	// Kept means that a "!" rule of .ignore or .dowseignore asks for the entry,
	// even where it is hidden.
	Kept
)

// Matcher holds the rules in force in one directory. It does not change and may
// be used by several goroutines.
type Matcher struct {
	dir     string // absolute
	gitOnly bool   // read .gitignore and info/exclude alone, to be compared with git
	// path leads from the outermost directory whose rules were read to dir, with
	// a slash at its end; empty for that directory itself. Rules match against
	// its tails.
	path     string
	sources  sources
	problems []error
}

// sources are the rules in force, one chain each.
type sources struct {
	dowse, plain *ruleSet // .dowseignore and .ignore
	git          *ruleSet // .gitignore, up to the top of the repository
	exclude      *ruleSet // info/exclude of the repository, then core.excludesFile
}

// New returns the Matcher of the folder root, an absolute path without symbolic
// links. Rules of its parents hold as the package comment says.
func New(root string) *Matcher { return newMatcher(root, false) }

func newMatcher(root string, gitOnly bool) *Matcher {
	dirs := withParents(filepath.Clean(root))
	top := repositoryTop(dirs)
	m := &Matcher{dir: dirs[0], gitOnly: gitOnly}
	m.load(top == 0)
	problems := m.problems
	for i, dir := range dirs[1:] {
		m = m.child(filepath.Base(dir), i+1 >= top)
		problems = append(problems, m.problems...)
	}
	m.problems = problems
	return m
}

// repositoryTop returns the index of the innermost directory that is the top of
// a repository, or of the last one when there is none: without a repository no
// .gitignore of a parent counts.
func repositoryTop(dirs []string) int {
	for i := len(dirs) - 1; i >= 0; i-- {
		if repositoryDir(dirs[i]) != "" {
			return i
		}
	}
	return len(dirs) - 1
}

// withParents returns dir and all its parents, the outermost first.
func withParents(dir string) []string {
	dirs := []string{dir}
	for parent := filepath.Dir(dir); parent != dir; parent = filepath.Dir(dir) {
		dirs = append(dirs, parent)
		dir = parent
	}
	slices.Reverse(dirs)
	return dirs
}

// Child returns the Matcher of the sub-directory name. It reads the rule files
// there; what cannot be read is listed by Problems.
func (m *Matcher) Child(name string) *Matcher { return m.child(name, true) }

func (m *Matcher) child(name string, git bool) *Matcher {
	c := &Matcher{
		dir:     filepath.Join(m.dir, name),
		gitOnly: m.gitOnly,
		path:    m.path + name + "/",
		sources: m.sources,
	}
	c.load(git)
	return c
}

// load reads the rule files of the directory; git says whether .gitignore
// counts.
func (m *Matcher) load(git bool) {
	s, base := &m.sources, len(m.path)
	if !m.gitOnly {
		s.dowse = s.dowse.with(m.read(filepath.Join(m.dir, dowseFile)), base)
		s.plain = s.plain.with(m.read(filepath.Join(m.dir, plainFile)), base)
	}
	if !git {
		return
	}
	if common := repositoryDir(m.dir); common != "" {
		s.git = nil // a repository knows no rules from above
		s.exclude = (*ruleSet)(nil).with(personal(m.dir, common), base).with(m.read(filepath.Join(common, "info", "exclude")), base)
	}
	s.git = s.git.with(m.read(filepath.Join(m.dir, gitFile)), base)
}

// Check returns what the rules make of an entry of the directory. A symbolic link
// is not a directory.
func (m *Matcher) Check(name string, isDir bool) Verdict {
	if name == ".git" {
		return Ignored
	}
	r, asked := m.decide(name, isDir)
	switch {
	case r != nil && r.negated:
		return asked
	case r != nil, !m.gitOnly && isDir && isMarked(filepath.Join(m.dir, name)):
		return Ignored
	}
	return Neutral
}

// decide returns the rule that decides about an entry, nil where none does, and
// what it means if it is a "!" rule.
func (m *Matcher) decide(name string, isDir bool) (r *rule, asked Verdict) {
	s, path := &m.sources, m.path+name
	for _, own := range [...]*ruleSet{s.dowse, s.plain} {
		if r := own.find(path, name, isDir); r != nil {
			return r, Kept
		}
	}
	for _, chain := range [...]*ruleSet{s.git, s.exclude} {
		if r := chain.find(path, name, isDir); r != nil {
			if !r.negated {
				return r, Neutral
			}
			break
		}
	}
	if m.gitOnly {
		return nil, Neutral
	}
	return defaults().find(path, name, isDir), Neutral
}

// Rule returns the line of the rule by which Check answers Ignored and the file
// that it stands in, "" for one of dowse's own. Where no line says so, both are "".
func (m *Matcher) Rule(name string, isDir bool) (line, file string) {
	if r, _ := m.decide(name, isDir); r != nil && !r.negated {
		return r.text, r.file
	}
	return "", ""
}

// Problems returns what went wrong while the rule files of this directory were
// read, each an ErrRules or a FolderError. Check takes a rule file that cannot be read for an empty
// one; a caller that must not index left out files has to leave out the directory.
func (m *Matcher) Problems() []error { return slices.Clone(m.problems) }

// IsRuleFile reports whether a file of this name holds rules, so that a change
// of it changes what is ignored.
func IsRuleFile(name string) bool {
	return name == gitFile || name == plainFile || name == dowseFile
}
