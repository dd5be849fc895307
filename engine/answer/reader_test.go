package answer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// marker is a Reader that takes each word for a token and likes the given words.
type marker struct {
	likes  map[string]float32 // words of a passage, and the evidence logit of each
	short  string             // where the short answer begins and ends
	none   float32            // of evidence, in every passage
	asked  []string
	as     string // the question
	failed error
	fewer  bool // one result too few
}

// indifferent is the logit of what a marker does not like.
const indifferent = -5

// Mark implements Reader.
func (m *marker) Mark(_ context.Context, question string, passages []string) (*Marks, error) {
	if m.failed != nil {
		return nil, m.failed
	}
	m.asked, m.as = passages, question
	marks := &Marks{Calibration: Calibration{Margin: 1, SureFrom: 0.8, PerhapsFrom: 0.3}}
	for _, text := range passages {
		marks.Passages = append(marks.Passages, m.passage(text))
	}
	if m.fewer {
		marks.Passages = marks.Passages[1:]
	}
	return marks, nil
}

func (m *marker) passage(text string) PassageMarks {
	p := PassageMarks{None: NoneLogits{Start: 0, End: 0, Evidence: m.none}}
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexAny(text[at:], " \n."); i >= 0 {
			end = at + i
		}
		if end > at {
			p.Tokens = append(p.Tokens, Range{Start: at, End: end})
			p.Start, p.End, p.Evidence = append(p.Start, indifferent), append(p.End, indifferent), append(p.Evidence, indifferent)
		}
		at = end + 1
	}
	for words, logit := range m.likes {
		for i, t := range p.Tokens {
			if from := strings.Index(text, words); from >= 0 && t.Start >= from && t.End <= from+len(words) {
				p.Evidence[i] = logit
			}
		}
	}
	for i, t := range p.Tokens {
		from := strings.Index(text, m.short)
		if m.short == "" || from < 0 {
			continue
		}
		if t.Start == from {
			p.Start[i] = 4
		}
		if t.End == from+len(m.short) {
			p.End[i] = 4
		}
	}
	return p
}

var oilPassages = []Passage{
	{Number: 1, Path: "/notes/oil-crisis.md", Heading: "Oil", LineStart: 1, Text: "Prices rose. The crisis began in October 1973 when exporters stopped. It ended in March."},
	{Number: 2, Path: "b.md", Text: "Nothing of this is told here. The sea is blue."},
}

// answerOf lets a marker read.
func answerOf(t *testing.T, m *marker, passages ...Passage) Answer {
	t.Helper()
	said, err := NewExtractor(m).Extract(t.Context(), "When did the crisis begin?", passages)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// TestReaderHasOneFormOfAQuestion: capitals and the mark do not reach it.
func TestReaderHasOneFormOfAQuestion(t *testing.T) {
	for _, typed := range []string{"when did version 2.5 begin", "When did version 2.5 begin?", "when did Version 2.5 begin ?!"} {
		m := &marker{}
		if _, err := NewExtractor(m).Quote(t.Context(), Asked{Question: typed}, []Passage{{Number: 1, Text: "It began."}}); err != nil {
			t.Fatal(err)
		}
		if want := "when did version 2.5 begin"; m.as != want {
			t.Errorf("%q is read as %q, want %q", typed, m.as, want)
		}
	}
}

// A piece that is marked is quoted; a span within it is the answer in short. The
// reader sees where a passage stands.
func TestReaderMarksASentence(t *testing.T) {
	m := &marker{likes: map[string]float32{"The crisis began in October 1973 when exporters stopped": 4, "Prices rose": -0.5}, short: "October 1973"}
	said := answerOf(t, m, oilPassages...)
	if want := "The crisis began in October 1973 when exporters stopped. [1]"; said.Text != want || said.Declined || said.Support < 0.9 {
		t.Errorf("%q with support %.3f, want %q", said.Text, said.Support, want)
	}
	if said.Short == nil || said.Short.Text != "October 1973" || said.Short.N != 1 {
		t.Errorf("in short: %+v", said.Short)
	}
	want := []string{"oil crisis > Oil\n" + oilPassages[0].Text, "b\n" + oilPassages[1].Text}
	if !slices.Equal(m.asked, want) {
		t.Errorf("read %q, want %q", m.asked, want)
	}
}

// Further evidence is quoted with the best, neighbours as one stretch, in reading
// order; what is far less likely is left out, and sooner where it is of another file.
func TestReaderMarksSeveralPieces(t *testing.T) {
	one := Passage{Number: 1, Path: "a.md", LineStart: 1, Text: "First this. Second that. Third nothing. Fourth these."}
	two := Passage{Number: 2, Path: "b.md", Text: "Elsewhere more. Not this."}
	m := &marker{likes: map[string]float32{"Second that": 4, "First this": 1, "Fourth these": 3.5, "Elsewhere more": 3.2, "Not this": 2.5}, short: "Second that"}
	said := answerOf(t, m, two, one)
	if want := "First this. Second that. [1] Fourth these. [1] Elsewhere more. [2]"; said.Text != want {
		t.Errorf("%q, want %q", said.Text, want)
	}
	if said.Short != nil {
		t.Errorf("all of a piece is no answer in short: %+v", said.Short)
	}
	if len(said.Citations) != 3 || said.Citations[0].Text != "First this. Second that." {
		t.Errorf("citations %+v", said.Citations)
	}
}

// Each case is what a piece needs to be understood by itself.
func TestReaderCompletesPieces(t *testing.T) {
	for what, c := range map[string]struct{ text, likes, want string }{
		"row": {
			"| When | What |\n|---|---|\n| Bed | Zopiclone |\n| Tea | ~~none~~ Adcal |\n", "| Tea | ~~none~~ Adcal |",
			"When: Tea, What: ~~none~~ Adcal [1]",
		},
		"row without names": {"| Bed | Zopiclone |\n| Tea | Adcal |\n", "| Tea | Adcal |", "Tea, Adcal [1]"},
		"item":              {"## Allergies:\n\n- dust\n- penicillin, a rash\n", "penicillin, a rash", "Allergies: penicillin, a rash [1]"},
		"announced code":    {"Rows.\n\nShow the rows:\n\n```\nselect 1\n```\n", "select 1", "Show the rows:\nselect 1\n[1]"},
		"announcing":        {"Buy:\n\n- milk\n- eggs\n\nMore.", "Buy:", "Buy:\nmilk\neggs [1]"},
		"pronoun":           {"The pump failed. It was the fuse.", "It was the fuse", "The pump failed. It was the fuse. [1]"},
	} {
		said := answerOf(t, &marker{likes: map[string]float32{c.likes: 4}}, Passage{Number: 1, Path: "a.md", Text: c.text})
		if said.Text != c.want {
			t.Errorf("%s: %q, want %q", what, said.Text, c.want)
		}
	}
}

// Headings and links alone are never an answer, however much they are liked.
func TestReaderPassesOverNames(t *testing.T) {
	text := "## The crisis\n\n- [The crisis](crisis.md)\n\nIt began in October."
	said := answerOf(t, &marker{likes: map[string]float32{"The crisis": 9, "[The crisis](crisis": 9, "It began in October": 1}}, Passage{Number: 1, Path: "a.md", Text: text})
	if want := "It began in October. [1]"; said.Text != want {
		t.Errorf("%q, want %q", said.Text, want)
	}
}

// A row that names the columns of those below is never an answer; of the others each has
// a line of its own.
func TestReaderQuotesRowsOfSheets(t *testing.T) {
	text := "Room; Colour; Litres\nRoom: hall; Colour: grey; Litres: 2.5\nRoom: bedroom; Colour: NCS S 1005; Litres: 5"
	likes := map[string]float32{"Room; Colour; Litres": 9, "Room: hall; Colour: grey; Litres: 2.5": 3, "Room: bedroom; Colour: NCS S 1005; Litres: 5": 4}
	said := answerOf(t, &marker{likes: likes}, Passage{Number: 1, Path: "home.xlsx", Text: text})
	if want := "Room: hall; Colour: grey; Litres: 2.5\nRoom: bedroom; Colour: NCS S 1005; Litres: 5 [1]"; said.Text != want {
		t.Errorf("%q, want %q", said.Text, want)
	}
}

// A copy of what was quoted adds nothing.
func TestReaderQuotesCopiesOnce(t *testing.T) {
	copied := Passage{Number: 2, Path: "copy.md", Text: oilPassages[0].Text}
	said := answerOf(t, &marker{likes: map[string]float32{"Prices rose": 4}}, oilPassages[0], copied)
	if want := "Prices rose. [1]"; said.Text != want {
		t.Errorf("%q, want %q", said.Text, want)
	}
}

// How likely an answer is right decides whether it is given as such, as the
// nearest that there is, or not at all.
func TestReaderIsSurePerhapsOrSilent(t *testing.T) {
	for _, c := range []struct {
		none float32
		want Confidence
	}{{1, Sure}, {3.3, Perhaps}, {4.5, None}} { // two passages without evidence: ln 2 more
		said := answerOf(t, &marker{likes: map[string]float32{"Prices rose": 4}, none: c.none}, oilPassages...)
		if said.Confidence != c.want || said.Declined != (c.want == None) || (said.Text == engine.DeclinedText) != (c.want == None) {
			t.Errorf("none %.1f: %q, %s with support %.3f", c.none, said.Text, said.Confidence, said.Support)
		}
	}
	for _, passages := range [][]Passage{nil, {{Number: 1, Text: ""}}, {{Number: 1, Text: " \n"}}} {
		if said := answerOf(t, &marker{none: -9}, passages...); said.Confidence != None {
			t.Errorf("%v: %+v", passages, said)
		}
	}
}

// TestQuoteNeverDeclines: it quotes the nearest, and says how likely that answers.
func TestQuoteNeverDeclines(t *testing.T) {
	sentence := "The crisis began in October 1973 when exporters stopped"
	for logit, want := range map[float32]Confidence{4: Sure, 0: Perhaps, -3: None} {
		e := NewExtractor(&marker{likes: map[string]float32{sentence: logit}})
		quoted, err := e.Quote(t.Context(), Asked{Question: "When did the crisis begin?"}, oilPassages)
		if err != nil || quoted.Confidence != want || quoted.Declined || !strings.HasPrefix(quoted.Text, sentence+". [1]") {
			t.Fatalf("%+v, %v; want %s", quoted, err, want)
		}
		said, err := e.Extract(t.Context(), "When did the crisis begin?", oilPassages)
		if err != nil || said.Confidence != want || said.Declined != (want == None) || said.Support != quoted.Support {
			t.Errorf("answered %+v, %v; want %s", said, err, want)
		}
		given := quoted.Quoted(oilPassages)
		if len(given) == 0 || given[0].Number != 1 || given[0].Path != oilPassages[0].Path || given[0].Heading != "Oil" || given[0].Text != sentence+"." {
			t.Errorf("a model is given %+v", given)
		}
		if empty, err := e.Quote(t.Context(), Asked{Question: "When?"}, []Passage{{Number: 1}}); err != nil || empty.Text != "" || empty.Confidence != None || len(empty.Quoted(nil)) != 0 {
			t.Errorf("of nothing: %+v, %v", empty, err)
		}
	}
}

// TestQuotedKeepsPassagesTogether: several quotations of a passage are one.
func TestQuotedKeepsPassagesTogether(t *testing.T) {
	text := "A. [2]\n- b [2]\ngit x\n[5]\nC [3] said. [2]"
	var a Answer
	a.Text = text
	for _, part := range []struct {
		text   string
		number int
	}{{"A. [2]", 2}, {"- b [2]", 2}, {"git x\n[5]", 5}, {"C [3] said. [2]", 2}} {
		at := strings.Index(text, part.text)
		a.Sentences = append(a.Sentences, Sentence{Range: Range{Start: at, End: at + len(part.text)}, Citations: []int{part.number}})
		a.Citations = append(a.Citations, Citation{N: part.number, Path: "p"})
	}
	got := a.Quoted([]Passage{{Number: 2, Score: 0.5}})
	if len(got) != 2 || got[0].Text != "A.\n- b\nC [3] said." || got[0].Score != 0.5 || got[1].Text != "git x" || got[1].Number != 5 {
		t.Errorf("%+v", got)
	}
}

// What is wrong with a reader is an error.
func TestReaderFails(t *testing.T) {
	broken := errors.New("the weights are gone")
	for _, m := range []*marker{{failed: broken}, {fewer: true}} {
		e := NewExtractor(m)
		if _, err := e.Extract(t.Context(), "When?", oilPassages); err == nil || m.failed != nil && !errors.Is(err, broken) {
			t.Errorf("error %v of %+v", err, m)
		}
	}
}
