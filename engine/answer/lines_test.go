package answer

import (
	"slices"
	"testing"
)

func piecesOf(text string, cut func(string) []Piece) []string {
	var out []string
	for _, p := range cut(text) {
		out = append(out, text[p.Start:p.End])
	}
	return out
}

func TestHardLines(t *testing.T) {
	for what, c := range map[string]struct {
		text string
		want []string
	}{
		"wrapped": {
			"The retry has no limit and the gateway was off for the\nwhole night, so the battery of the first hive was dead\nafter nineteen days.",
			[]string{"The retry has no limit and the gateway was off for the\nwhole night, so the battery of the first hive was dead\nafter nineteen days."},
		},
		"log": {
			"22 Jan 24  service £84\n12.5 turned the flow temperature down from 75 to 60\nFilter: new one",
			[]string{"22 Jan 24  service £84", "12.5 turned the flow temperature down from 75 to 60", "Filter: new one"},
		},
		"entries": {
			"Milk\nBread and butter\nEggs, a dozen of the large brown ones\nto bake with",
			[]string{"Milk", "Bread and butter", "Eggs, a dozen of the large brown ones\nto bake with"},
		},
		"a colon within a sentence": {
			"So every job timed out, was handed out again, and was done by everyone who\nhad it: the acknowledgement came after sending.",
			[]string{"So every job timed out, was handed out again, and was done by everyone who\nhad it: the acknowledgement came after sending."},
		},
		"a chat in lower case": {
			"anna: did you get to the allotment today, the beans want water\nben: yes\nanna: good",
			[]string{"anna: did you get to the allotment today, the beans want water", "ben: yes", "anna: good"},
		},
		"one line": {"Nothing to cut. But this.", []string{"Nothing to cut.", "But this."}},
	} {
		if got := piecesOf(c.text, Split); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

func TestPiecesOfCode(t *testing.T) {
	short := "Run this:\n\n```\ncd web\nnpm install\n```\n"
	if got, want := piecesOf(short, Pieces), []string{"Run this:", "cd web\nnpm install"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	long := "```\na = 1\nif a:\n    b = 2\n\n    c = 3\nd = 4\n```\n"
	if got, want := piecesOf(long, Pieces), []string{"a = 1", "if a:", "    b = 2", "    c = 3", "d = 4"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := piecesOf(long, Split); len(got) != 1 {
		t.Errorf("Split cut code: %q", got)
	}
}
