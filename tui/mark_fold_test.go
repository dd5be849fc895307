package tui

import (
	"testing"

	"dowse/engine"

	"golang.org/x/text/unicode/norm"
)

// The preview shows the file as it is written, the passage what was indexed of it.
func TestMarksInOtherSpelling(t *testing.T) {
	for _, c := range []struct{ passage, line, want string }{
		{"Wasserpumpe", "die Was\u00adser\u200bpumpe", "Was\u00adser\u200bpumpe"},
		{norm.NFD.String("Flöße"), "alle FLÖSSE", "FLÖSSE"},
		{"Flöße", norm.NFD.String("alle Flöße"), norm.NFD.String("Flöße")},
		{"한국", norm.NFD.String("한국어를"), norm.NFD.String("한국")},
		{"e-mail", "e by mail", "mail"},
	} {
		p := engine.Passage{Text: c.passage, Highlights: []engine.Range{{Start: 0, End: len(c.passage)}}}
		words := matchedWords(p)
		hit := ""
		start := -1
		for i, r := range c.line + " " {
			switch {
			case !notWord(r) && start < 0:
				start = i
			case notWord(r) && start >= 0:
				for _, h := range wordHits(c.line[start:i], start, words) {
					hit += c.line[h.Start:h.End]
				}
				start = -1
			}
		}
		if hit != c.want {
			t.Errorf("%q in %q: marked %q, want %q", c.passage, c.line, hit, c.want)
		}
	}
}
