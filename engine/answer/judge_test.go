package answer

import (
	"strings"
	"testing"

	"dowse/engine"
)

// TestGrounds counts an answer's words, without the question's, and the question's words
// around the place that it rests on.
func TestGrounds(t *testing.T) {
	c := newChecker(t, "who wrote the script")
	quoted := Answer{Text: "Anna Keller wrote it. [2]", Support: 0.3}
	for text, want := range map[string]Grounds{
		"Anna Keller wrote the script. [2]":  {Agreement: 1, Asked: 1, Support: 0.3},
		"Anna Keller, in 2019. [1]":          {Agreement: 2.0 / 3, Asked: 1, Support: 0.3},
		"Anna Keller and Xaver Zimmerman":    {Agreement: 0.5, Asked: 1, Support: 0.3},
		"La bibliothèque grenouille":         {Support: 0.3},
		"The script. [2]":                    {Support: 0.3},
		"Peter Zimmerman wrote it, in 2019.": {Asked: 1, Support: 0.3},
		"The resolver. [1]":                  {Support: 0.3},
	} {
		got := c.Grounds(Answer{Text: text}, quoted)
		if got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// TestDecide: a text is the answer where the quotation says most of it too, as sure as
// both are judged; otherwise the quotation is.
func TestDecide(t *testing.T) {
	judge := Judge{Bias: -2, Agreement: 4, Support: 1, SureFrom: 0.8, PerhapsFrom: 0.4, WrittenFrom: 0.5}
	short := &Citation{N: 2, Text: "Anna Keller"}
	for _, c := range []struct {
		name          string
		support       float64
		quoted, said  Confidence
		declined      bool
		agreement     float64
		how           string
		want          Confidence
		withQuotation bool
	}{
		{"agreed", 0.5, Perhaps, Sure, false, 1, "model", Sure, true},
		{"with a number of no passage", 0.5, Perhaps, Perhaps, false, 1, engine.Extracted, Sure, false},
		{"unlike a likely quotation", 0.9, Sure, Sure, false, 0, engine.Extracted, Perhaps, false},
		{"unlike a quotation that is perhaps one", 0.6, Perhaps, Sure, false, 0, engine.Extracted, None, false},
		{"little like a likely quotation", 0.9, Sure, Sure, false, 0.4, engine.Extracted, Sure, false},
		{"mostly like an unlikely one", 0.3, None, Sure, false, 0.75, "model", Perhaps, true},
		{"both unlikely", 0.1, None, Sure, false, 0, engine.Extracted, None, false},
		{"declined", 0.9, Sure, None, true, 0, engine.Extracted, Perhaps, false},
	} {
		quoted := Answer{Text: "Anna Keller wrote it. [2]", Confidence: c.quoted, Support: c.support, Short: short}
		said := Answer{Text: "It was Anna Keller. [2]", Confidence: c.said, Declined: c.declined, Citations: []Citation{{N: 2}}, Sentences: []Sentence{{Range: Range{End: 23}, Citations: []int{2}}}}
		got := judge.Decide(quoted, said, Grounds{Agreement: c.agreement, Support: c.support}, "model")
		if got.How != c.how || got.Confidence != c.want || (got.Quotation != nil) != c.withQuotation {
			t.Errorf("%s: %+v", c.name, got)
		}
		if got.How == "model" && (got.Short != "Anna Keller" || len(got.Highlights) != 1) {
			t.Errorf("%s: in short %q at %v", c.name, got.Short, got.Highlights)
		}
		if got.Problem != "" {
			t.Errorf("%s: %s", c.name, got.Problem)
		}
	}
	alone := judge
	alone.WrittenFrom = 0
	said := Answer{Text: "It was Anna Keller. [2]", Confidence: Sure, Citations: []Citation{{N: 2}}}
	if got := alone.Decide(Answer{Text: "q", Confidence: None}, said, Grounds{Agreement: 1, Support: 0.5}, "model"); got.Text != "q" || got.Confidence != Sure || got.Quotation != nil {
		t.Errorf("a text that only judges: %+v", got)
	}
	stray := judge.Decide(Answer{Text: "q", Confidence: Sure}, Answer{Text: "La bibliothèque.", Confidence: Perhaps}, Grounds{Support: 0.9}, "model")
	if stray.Text != "q" || stray.Problem != "the answer is quoted from the passages: model wrote nothing that they say" {
		t.Errorf("a text of which the passages hold nothing: %+v", stray)
	}
}

// TestLoops: what is said over and over is seen at the third time, and lists and
// plain texts are none.
func TestLoops(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "no no no": false, "!!!": false, strings.Repeat("no ", 20): true, strings.Repeat("!", 60): true,
		"It began. " + strings.Repeat("It was the year of the oil price. ", 3): true,
		strings.Repeat("It was the year of the oil price. ", 2):                false,
		"one two three four five six seven eight nine ten eleven twelve":       false,
		strings.Repeat("the lamp, ", 5):                                        false,
		strings.Repeat("the lamp, ", 6):                                        true,
	} {
		if got := Loops(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
