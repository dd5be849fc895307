package ignore

import "strings"

// rule is one line of a rule file.
type rule struct {
	negated  bool   // "!": what matches is not ignored
	dirOnly  bool   // trailing "/": matches directories alone
	anywhere bool   // no other "/": matched against the name, at any depth below
	prefix   string // what stands before the first wildcard
	rest     glob   // from the first wildcard on; nil when there is none
	suffix   string // of an anywhere rule "*suffix", the most common kind
	kind     ruleKind

	text string // the line
	file string // that it stands in; "" for dowse's own
}

type ruleKind uint8

const (
	wholeRule  ruleKind = iota // prefix is the whole pattern
	suffixRule                 // "*" and suffix
	globRule                   // prefix and rest
)

// parseRules reads the text of a rule file.
func parseRules(text string) []rule {
	text = strings.TrimPrefix(text, "\ufeff")
	var rules []rule
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		line = strings.TrimSuffix(line, "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		// git keeps patterns as C strings, which end at a zero byte.
		line, _, _ = strings.Cut(line, "\x00")
		line = trimTrailingSpaces(line)
		if r, ok := parseRule(line); ok {
			r.text = line
			rules = append(rules, r)
		}
	}
	return rules
}

// parseRule reads one line; false when it can never match anything.
func parseRule(p string) (rule, bool) {
	var r rule
	if p, r.negated = strings.CutPrefix(p, "!"); p == "" {
		return r, false
	}
	if p, r.dirOnly = strings.CutSuffix(p, "/"); p == "" {
		return r, false
	}
	r.anywhere = !strings.Contains(p, "/")
	p = strings.TrimPrefix(p, "/")
	if p == "" {
		return r, false
	}
	wild := strings.IndexAny(p, `*?[\`)
	switch {
	case wild < 0:
		r.prefix = p
	case r.anywhere && p[0] == '*' && !strings.ContainsAny(p[1:], `*?[\`):
		r.kind, r.suffix = suffixRule, p[1:]
	default:
		r.kind, r.prefix, r.rest = globRule, p[:wild], compileGlob(p[wild:])
	}
	return r, true
}

// trimTrailingSpaces drops the spaces at the end of a line, except one that a
// backslash quotes.
func trimTrailingSpaces(line string) string {
	end := 0 // behind the last byte that is kept
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

// match reports whether the rule applies to an entry. rel is the entry's path
// from the directory of the rule file, name its last element.
func (r *rule) match(rel, name string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	s := rel
	if r.anywhere {
		s = name
	}
	switch r.kind {
	case wholeRule:
		return s == r.prefix
	case suffixRule:
		return strings.HasSuffix(s, r.suffix)
	}
	return strings.HasPrefix(s, r.prefix) && r.rest.match(s[len(r.prefix):])
}

// ruleSet is a rule file. The sets of nested directories form a chain from the
// innermost outwards.
type ruleSet struct {
	rules []rule
	base  int      // length of the Matcher path of the directory that holds the file
	outer *ruleSet // of the nearest parent that has rules; nil at the end
}

// find returns the rule of the chain that decides about an entry, nil where none
// does: the innermost file with a matching rule decides, and in it the last such
// rule. path is the entry's path in the terms of Matcher.path.
func (s *ruleSet) find(path, name string, isDir bool) *rule {
	for ; s != nil; s = s.outer {
		rel := path[s.base:]
		for i := len(s.rules) - 1; i >= 0; i-- {
			if s.rules[i].match(rel, name, isDir) {
				return &s.rules[i]
			}
		}
	}
	return nil
}

// with puts rules before the chain s; no rules leave it as it is.
func (s *ruleSet) with(rules []rule, base int) *ruleSet {
	if len(rules) == 0 {
		return s
	}
	return &ruleSet{rules: rules, base: base, outer: s}
}
