package pattern

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Pattern is a regular expression. Its methods are those of regexp.Regexp; several goroutines may call them.
type Pattern struct{ compiled func() *regexp.Regexp }

// New is a pattern with the syntax of package regexp. Wrong syntax panics at the first use, in tests at once.
func New(syntax string) *Pattern {
	p := &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(syntax) })}
	if tested {
		p.compiled()
	}
	return p
}

var tested = strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// Match is that of regexp.Regexp.
func (p *Pattern) Match(b []byte) bool { return p.compiled().Match(b) }

// MatchString is that of regexp.Regexp.
func (p *Pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

// FindString is that of regexp.Regexp.
func (p *Pattern) FindString(s string) string { return p.compiled().FindString(s) }

// FindStringIndex is that of regexp.Regexp.
func (p *Pattern) FindStringIndex(s string) []int { return p.compiled().FindStringIndex(s) }

// FindStringSubmatch is that of regexp.Regexp.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

// FindStringSubmatchIndex is that of regexp.Regexp.
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return p.compiled().FindStringSubmatchIndex(s)
}

// FindAllStringIndex is that of regexp.Regexp.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is that of regexp.Regexp.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is that of regexp.Regexp.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// FindAllIndex is that of regexp.Regexp.
func (p *Pattern) FindAllIndex(b []byte, n int) [][]int { return p.compiled().FindAllIndex(b, n) }

// ReplaceAllString is that of regexp.Regexp.
func (p *Pattern) ReplaceAllString(s, by string) string { return p.compiled().ReplaceAllString(s, by) }

// ReplaceAllStringFunc is that of regexp.Regexp.
func (p *Pattern) ReplaceAllStringFunc(s string, by func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, by)
}

// Find is that of regexp.Regexp.
func (p *Pattern) Find(b []byte) []byte { return p.compiled().Find(b) }
