package engine

import (
	"fmt"
	"strings"
	"testing"
)

// drawPieces writes an answer with <highlights>, {citations} and !doubts!.
func drawPieces(a Answer) string {
	var b strings.Builder
	for _, p := range a.Pieces() {
		switch {
		case p.Citation > 0:
			fmt.Fprintf(&b, "{%s=%d}", p.Text, p.Citation)
		case p.Highlight:
			b.WriteString("<" + p.Text + ">")
		case p.Doubt:
			b.WriteString("!" + p.Text + "!")
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestPieces(t *testing.T) {
	cites := func(numbers ...int) (list []AnswerCitation) {
		for _, n := range numbers {
			list = append(list, AnswerCitation{N: n})
		}
		return list
	}
	doubts := func(list ...Unsupported) []AnswerSentence { return []AnswerSentence{{Unsupported: list}} }
	for _, tt := range []struct {
		a    Answer
		want string
	}{
		{Answer{}, ""},
		{Answer{Text: DeclinedText, Declined: true}, DeclinedText},
		{Answer{Text: "Ken wrote grep. [2]", Citations: cites(2), Highlights: []Range{{0, 3}}}, "<Ken> wrote grep. {[2]=2}"},
		{Answer{Text: "It rains. [1, 3] argv[5] [9]", Citations: cites(1, 3)}, "It rains. {[1]=1}{[3]=3} argv[5] [9]"},
		{Answer{Text: "In 1973. [1]", Citations: cites(1), Sentences: doubts(Unsupported{Range: Range{3, 7}})}, "In !1973!!(?)!. {[1]=1}"},
		{Answer{Text: "In 1973.", Sentences: doubts(Unsupported{Range: Range{3, 7}, Elsewhere: 4})}, "In !1973!!(? [4])!."},
		{
			Answer{Text: "In 1973 [9]", Sentences: doubts(Unsupported{Range: Range{0, 11}}, Unsupported{Range: Range{3, 7}}, Unsupported{Range: Range{8, 11}})},
			"!In !!1973!!(?)!! !![9]!!(?)!",
		},
	} {
		if got := drawPieces(tt.a); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.a.Text, got, tt.want)
		}
		drafted := tt.a
		drafted.Drafted = []Range{{0, 2}, {5, len(tt.a.Text) - 2}}
		unmarked := strings.NewReplacer("><", "", "!", "") // more pieces, of the same text
		if got := drawPieces(drafted); unmarked.Replace(got) != unmarked.Replace(tt.want) {
			t.Errorf("%q: drafts change what is shown: %s, want %s", tt.a.Text, got, tt.want)
		}
		if tt.a.Doubtful() != strings.Contains(tt.want, "!") {
			t.Errorf("%q: doubtful %v", tt.a.Text, tt.a.Doubtful())
		}
	}
}

// TestDraftedPieces: what was drafted is marked beside the other marks, and a
// citation is drafted if all of it was.
func TestDraftedPieces(t *testing.T) {
	a := Answer{
		Text: "Ken wrote grep [1, 2] in 1973. [2]", Citations: []AnswerCitation{{N: 1}, {N: 2}}, Highlights: []Range{{0, 3}},
		Drafted: []Range{{2, 9}, {14, 21}, {25, 32}},
	}
	var got []string
	for _, p := range a.Pieces() {
		if p.Drafted {
			got = append(got, fmt.Sprintf("%s %v %d", p.Text, p.Highlight, p.Citation))
		}
	}
	want := []string{"n true 0", " wrote false 0", "  false 0", "[1] false 1", "[2] false 2", "1973.  false 0"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}
