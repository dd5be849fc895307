package cli

import (
	"strings"
	"testing"

	"dowse/engine"
)

// marks is a painter that shows what it painted.
func marks(_ style, text string) string { return "<" + text + ">" }

// passage makes a passage whose highlights are the words between braces.
func passage(text string) engine.Passage {
	var p engine.Passage
	for {
		before, rest, found := strings.Cut(text, "{")
		p.Text += before
		if !found {
			return p
		}
		word, after, _ := strings.Cut(rest, "}")
		p.Highlights = append(p.Highlights, engine.Range{Start: len(p.Text), End: len(p.Text) + len(word)})
		p.Text += word
		text = after
	}
}

func TestSnippet(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"no hits: the first lines":   {"a\n\nb\nc\nd\n", "a|b|c"},
		"the run with most hits":     {"a {x}\nb\nc\nd {x}\ne {x} {y}\nf\ng\n", "c|d <x>|e <x> <y>"},
		"the first of equal runs":    {"{x} a\nb\nc\nd\n{x} e\n", "<x> a|b|c"},
		"short":                      {"{x}", "<x>"},
		"empty":                      {"", ""},
		"blank lines only":           {"\n \n\t\n", ""},
		"carriage returns":           {"a {x}\r\nb\r\n", "a <x>|b"},
		"escape sequences are shown": {"a \x1b[2J{x}\x07\n", "a ␛[2J<x>␇"},
		"letters of several bytes":   {"café {Zürich}\n", "café <Zürich>"},
	} {
		var got []string
		for _, line := range snippet(passage(test.text), snippetLines) {
			got = append(got, paintHits(marks, line))
		}
		if s := strings.Join(got, "|"); s != test.want {
			t.Errorf("%s: got %q, want %q", name, s, test.want)
		}
	}
}

func TestHighlightOverALineEndIsLeftOut(t *testing.T) {
	p := engine.Passage{Text: "one\ntwo\n", Highlights: []engine.Range{{Start: 1, End: 5}, {Start: 4, End: 7}}}
	lines := snippet(p, snippetLines)
	if len(lines) != 2 || len(lines[0].hits) != 0 || len(lines[1].hits) != 1 {
		t.Errorf("lines %+v", lines)
	}
}

func TestLongLinesAreCut(t *testing.T) {
	text := strings.Repeat("ü", maxLine)
	line := snippetLine{text: text, hits: []engine.Range{{Start: 0, End: 2}, {Start: maxLine, End: maxLine + 2}}}
	got := paintHits(marks, line)
	if !strings.HasPrefix(got, "<ü>ü") || !strings.HasSuffix(got, "ü…") || len(got) > maxLine+8 {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
