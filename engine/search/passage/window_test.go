package passage

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/engine"
	"dowse/engine/lexical"
)

// finderOf finds the words of a query.
func finderOf(query string) Highlighter {
	c := &Commit{Source: &Source{Analyzer: lexical.NewAnalyzer()}, Languages: lexical.OnlyEnglish}
	return c.Highlighter(engine.Literal(query))
}

// TestWindow: what is read is the stretch that says most, with the line above it all; a text that fits is
// read whole, and one without a match from its beginning.
func TestWindow(t *testing.T) {
	filler := strings.Repeat("nothing of it stands here at all, ", 20)
	for _, c := range []struct{ name, query, text, has, lacks string }{
		{"the match at the end", "rebase commits", "# Git\n" + filler + "how to rebase several commits at once", "# Git\n|rebase several commits", "XX"},
		{"two words before one often", "rebase commits", "rebase rebase rebase " + filler + "rebase commits " + filler, "rebase commits", "XX"},
		{"another form of a word", "rebasing", "# Git\n" + filler + "rebased yesterday " + filler, "# Git\n|rebased yesterday", "XX"},
		{"the first of equals", "rebase", "one rebase " + filler + "other rebase", "one rebase", "other"},
		{"no match", "unicorn", "first words " + filler + "last words", "first words", "last words"},
	} {
		got := finderOf(c.query).Window(c.text, 200)
		for _, has := range strings.Split(c.has, "|") {
			if !strings.Contains(got, has) {
				t.Errorf("%s: %q lacks %q", c.name, got, has)
			}
		}
		if strings.Contains(got, c.lacks) || len(got) > 200 {
			t.Errorf("%s: %q", c.name, got)
		}
		if got := finderOf(c.query).Window(c.text, len(c.text)); got != c.text {
			t.Errorf("%s: a text that fits was cut to %q", c.name, got)
		}
	}
}

// TestWindowOfAnyText: a window is a beginning and a stretch of the text, as long as it may be, less a word or
// a character, and valid where the text is.
func TestWindowOfAnyText(t *testing.T) {
	rng := rand.New(rand.NewPCG(191, 0))
	words := []string{"rebase", "é", "日本語の文章", "\n", "a", strings.Repeat("x", 90), "commit,", "👩‍👩‍👧", "\t"}
	h := finderOf("rebase commit 日本")
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(60) {
			b.WriteString(words[rng.IntN(len(words))])
			if rng.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		text, most := b.String(), 40+rng.IntN(300)
		got := h.Window(text, most)
		head := strings.IndexByte(text, '\n') + 1
		if !strings.HasPrefix(got, text[:head]) || head > most/2 {
			head = 0
		}
		if !utf8.ValidString(got) || !strings.Contains(text, got[head:]) || len(got) > most+utf8.UTFMax || len(got) < min(len(text), most)-4*windowLead-utf8.UTFMax {
			t.Fatalf("of %q at most %d bytes: %q", text, most, got)
		}
	}
}
