package tui

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"dowse/engine"

	"github.com/charmbracelet/x/ansi"
)

// hostile is the tests' own list of what must never reach a terminal, written
// from the Unicode properties and not from the sanitiser's ranges.
func hostile(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

func TestSanitize(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "plain text ~", "plain text ~"},
		{"letters", "grüße 日本語", "grüße 日本語"},
		{"escape sequence", "a\x1b[31mred", "a␛[31mred"},
		{"title sequence", "\x1b]0;x\x07", "␛]0;x␇"},
		{"C1 control", "a\u009b2J", "a�2J"},
		{"raw C1 byte", "a\x9b2J", "a�2J"},
		{"delete", "a\x7f", "a␡"},
		{"line end in a name", "a\nb\rc", "a␊b␍c"},
		{"bidirectional override", "a\u202egpj", "a�gpj"},
		{"isolate and mark", "\u2066a\u2069\u200f", "�a��"},
		{"invalid UTF-8", "a\xff\xc3(", "a��("},
		{"tab stops", "a\tbc\t日\td", "a   bc  日  d"},
		{"byte order mark", "\ufeffa", "a"},
		{"emoji sequence", "👩\u200d💻 ❤\ufe0f", "👩💻 ❤"},
		{"joiner of a script", "क\u094d\u200dष", "क\u094d\u200dष"},
		{"combining", "e\u0301", "e\u0301"},
		{"tower of marks", "e" + strings.Repeat("\u0301", 50), "e" + strings.Repeat("\u0301", maxMarks)},
		{"hidden tags", "a\U000e0041\U000e0042", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := sanitize(c.in); got != c.want {
				t.Errorf("sanitize(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestFlattenMarkedMovesHits(t *testing.T) {
	in := "\n  the\t\x1bcache\n\n of  caches \u200b"
	hits := hitsOf(in, []string{"cache"})
	m := flattenMarked(in, hits)
	if want := "the ␛cache of caches "; m.text != want {
		t.Fatalf("text %q, want %q", m.text, want)
	}
	for _, h := range m.hits {
		if got := m.text[h.Start:h.End]; got != "cache" {
			t.Errorf("hit %v is %q", h, got)
		}
	}
	if len(m.hits) != 2 {
		t.Errorf("%d hits, want 2", len(m.hits))
	}
}

// FuzzSanitize checks for any bytes that nothing hostile comes out, that the
// width is what drawing it piece by piece takes, that a second pass changes
// nothing, and that hits stay inside, ascending and on rune borders.
func FuzzSanitize(f *testing.F) {
	for _, text := range notes() {
		f.Add(text, 3, 9)
	}
	for _, seed := range []string{"", "\x1b[2J", "\u202e\u200d\u0301", "\xf0\x9f", "👩\u200d👩\u200d👧", "\u0085\u2028", "a\tb"} {
		f.Add(seed, 0, 1)
	}
	f.Fuzz(func(t *testing.T, in string, start, end int) {
		for _, m := range []marked{
			sanitizeMarked(in, []engine.Range{{Start: start, End: end}, {Start: end, End: end + 2}}),
			flattenMarked(in, []engine.Range{{Start: start, End: end}}),
		} {
			if i := strings.IndexFunc(m.text, hostile); i >= 0 || !utf8.ValidString(m.text) {
				t.Fatalf("%q became %q, unsafe at %d", in, m.text, i)
			}
			if again := sanitize(m.text); again != m.text {
				t.Fatalf("not stable: %q, then %q", m.text, again)
			}
			at := 0
			for _, h := range m.hits {
				if h.Start < at || h.End <= h.Start || h.End > len(m.text) || !utf8.ValidString(m.text[h.Start:h.End]) {
					t.Fatalf("hits %v of %q", m.hits, m.text)
				}
				at = h.End
			}
		}
		checkWrap(t, sanitize(in), 1+abs(start)%50)
	})
}

// checkWrap checks that wrapped lines are ascending, lose nothing but the
// blanks at breaks, and fit.
func checkWrap(t *testing.T, text string, w int) {
	lines, more := wrap(text, w, 1<<20)
	if more {
		t.Fatalf("text is left over after all lines of %q", text)
	}
	at := 0
	for _, l := range lines {
		if l.start < at || l.end < l.start || l.end > len(text) || strings.Trim(text[at:l.start], " ") != "" {
			t.Fatalf("line %v after byte %d of %q", l, at, text)
		}
		line := text[l.start:l.end]
		if cells := ansi.StringWidth(line); cells > max(w, 2) && utf8.RuneCountInString(line) > 1 {
			t.Fatalf("line %q takes %d cells of %d", line, cells, w)
		}
		at = l.end
	}
	if strings.Trim(text[at:], " ") != "" {
		t.Fatalf("%q lost its end %q", text, text[at:])
	}
}

func abs(n int) int { return max(n, -n, 0) }
