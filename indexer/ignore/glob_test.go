package ignore

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// matchSlowly says what match says by trying everything.
func matchSlowly(g glob, s string) bool {
	if len(g) == 0 {
		return s == ""
	}
	switch g[0].kind {
	case star, deep:
		for i := 0; ; i++ {
			if matchSlowly(g[1:], s[i:]) {
				return true
			}
			if i == len(s) || g[0].kind == star && s[i] == '/' {
				return false
			}
		}
	case dirs:
		if matchSlowly(g[1:], s) {
			return true
		}
		for i := range len(s) {
			if s[i] == '/' && matchSlowly(g[1:], s[i+1:]) {
				return true
			}
		}
		return false
	}
	return s != "" && g[0].accepts(s[0]) && matchSlowly(g[1:], s[1:])
}

func TestMatchAgreesWithTryingEverything(t *testing.T) {
	const seed = 5
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	random := func(parts string, n int) string {
		var b strings.Builder
		for range rng.IntN(n) {
			b.WriteByte(parts[rng.IntN(len(parts))])
		}
		return b.String()
	}
	matched := 0
	for range 200000 {
		pattern, path := random("ab*?/*/[a]", 9), random("aab/", 9)
		g := compileGlob(pattern)
		got, want := g.match(path), matchSlowly(g, path)
		if got != want {
			t.Fatalf("%q on %q: %v, want %v", pattern, path, got, want)
		}
		if got {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("only %d of 200000 pairs match", matched)
	}
}

// TestMatchIsPolynomial would take years if every star tried everything.
func TestMatchIsPolynomial(t *testing.T) {
	path := strings.Repeat("a/", 60) + strings.Repeat("a", 200)
	for _, pattern := range []string{strings.Repeat("*a", 30) + "b", strings.Repeat("**/a*", 20) + "b", strings.Repeat("**/", 40) + "b"} {
		if compileGlob(pattern).match(path) {
			t.Errorf("%q matches", pattern)
		}
	}
}

func FuzzParseRules(f *testing.F) {
	for _, seed := range []string{"*.md\n!a\n", "[[:alpha:]", "a/**/b\\ ", "\ufeff#", "[]-a]\r\n", "**", "[a-\\"} {
		f.Add(seed, "a/b.md")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		name := path[strings.LastIndexByte(path, '/')+1:]
		for _, r := range parseRules(text) {
			got := r.match(path, name, true)
			if r.dirOnly && r.match(path, name, false) {
				t.Errorf("%q: a rule for directories matches a file", text)
			}
			if r.kind == globRule && !r.anywhere && len(path) < 12 && len(r.rest) < 12 {
				want := strings.HasPrefix(path, r.prefix) && matchSlowly(r.rest, path[len(r.prefix):])
				if got != want {
					t.Errorf("%q on %q: %v, want %v", text, path, got, want)
				}
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	m := &Matcher{sources: sources{git: (*ruleSet)(nil).with(parseRules("*.log\n/build\n**/gen/*.go\ndocs/**/*.md\nfoo*bar\n"), 0)}}
	for b.Loop() {
		m.Check("some_file_name.txt", false)
	}
}
