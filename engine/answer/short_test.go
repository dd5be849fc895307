package answer

import (
	"strings"
	"testing"

	"dowse/engine/lexical"
)

func TestShort(t *testing.T) {
	c := newChecker(t, "what?")
	for _, o := range []struct{ name, text, words, held string }{
		{"words and their sentence", "Anna Keller. [2] Anna Keller wrote the script in 2019. [2]", "Anna Keller", "Anna Keller"},
		{"growing", "2019. [2] Anna", "2019", "2019"},
		{"over the end of a line", "the disk named Ararat. [2] The repository lies on the disk named Ararat. [2]", "the disk named Ararat", "the disk\nnamed Ararat"},
		{"capitals", "THE SAFE [2]", "THE SAFE", "the safe"},
		{"an abbreviation", "The U.S. [1] The U.S. servers are slower. [1]", "The U.S.", "The U.S."},
		{"code", "`resolvectl flush-caches` [1]", "`resolvectl flush-caches`", "resolvectl flush-caches"},
		{"two passages", "restic. [2][1] Every night at 03:15 a timer runs restic. [2]", "restic", "restic"},
		{"where the rest is from", "12. [2] It keeps 7 daily, 5 weekly and 12 monthly snapshots. [2]", "12", "12"},
		{"a sentence alone", "It keeps 7 daily, 5 weekly and 12 monthly snapshots. [2]", "", ""},
		{"a long beginning of another sentence", "It keeps 7 daily, 5 weekly and 12 monthly snapshots. [2] The disk holds 4 TB. [2]", "", ""},
		{"words of another passage", "Anna Keller. [1] Anna Keller wrote the script. [2]", "", ""},
		{"an unknown passage", "Anna Keller. [7] Anna Keller wrote the script. [7]", "", ""},
		{"no citation", "Anna Keller.", "", ""},
		{"nothing before it", "[2] Anna Keller.", "", ""},
		{"marks alone", "``. [2] Anna Keller.", "", ""},
		{"none at all", "Not in your files. [2]", "", ""},
		{"empty", "", "", ""},
	} {
		a := c.Check(o.text, false)
		s := c.Short(a)
		switch {
		case s == nil:
			if o.words != "" {
				t.Errorf("%s: nothing, want %q", o.name, o.words)
			}
		case s.Text != o.words || !strings.Contains(a.Text, s.Text):
			t.Errorf("%s: %q, want %q", o.name, s.Text, o.words)
		default:
			p := c.passages[s.N-1]
			lines := strings.Join(strings.Split(p.Text, "\n")[s.LineStart-1:s.LineEnd], "\n")
			if !strings.Contains(lines, o.held) || p.Path != s.Path || s.LineEnd-s.LineStart != strings.Count(o.held, "\n") {
				t.Errorf("%s: %+v holds %q, want %q", o.name, s, lines, o.held)
			}
		}
	}
}

// Of several places the one counts that the answer goes on to quote.
func TestShortIsWhereItsSentenceStands(t *testing.T) {
	text := "In 1973 it rained. Oil rose.\n\nThe crisis began in 1973. It ended in 1974.\n"
	c := NewChecker("when?", []Passage{{Number: 1, Path: "/a", Text: text, LineStart: 5}}, lexical.NewAnalyzer())
	for said, line := range map[string]int{
		"1973. [1] The crisis began in 1973. [1]": 7, "1973. [1] In 1973 it rained. [1]": 5, "1973. [1]": 5,
	} {
		if s := c.Short(c.Check(said, true)); s == nil || s.LineStart != line || s.LineEnd != line {
			t.Errorf("%q: %+v, want line %d", said, s, line)
		}
	}
}
