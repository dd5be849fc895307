package local

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"dowse/engine/answer"
	"dowse/engine/lexical"
	"dowse/lab/collection"
)

// tiny returns a collection of two articles.
func tiny() *squadCollection {
	documents := []collection.Document{
		{ID: "Boats#0", Title: "Boats", Text: "The boat was built by Anna in 1990."},
		{ID: "Boats#1", Title: "Boats", Text: "A boat floats on water."},
		{ID: "Mills#0", Title: "Mills", Text: "The mill was built by Boris in 1991."},
		{ID: "Mills#1", Title: "Mills", Text: "Flour comes from a mill that was built well."},
	}
	return &squadCollection{
		Documents: documents,
		Questions: []question{
			{Text: "Who built the boat?", Answers: []string{"Anna"}, Gold: 0},
			{Text: "Who built the mill?", Answers: []string{"Boris"}, Gold: 2},
			{Text: "Who sank the boat?", Impossible: true, Gold: 0},
		},
		ranking: collection.NewBM25(documents, lexical.NewAnalyzer()),
	}
}

func TestSquadCases(t *testing.T) {
	c := tiny()
	cases := c.Cases(1, 1, 1)
	if len(cases) != 2 || !cases[0].Answerable || cases[1].Answerable || cases[0].Question == cases[1].Question {
		t.Fatalf("cases %+v", cases)
	}
	for _, k := range cases {
		gold := false
		for i, p := range k.Passages {
			if p.Number != i+1 || k.Without != "" && article(p.Path) == k.Without {
				t.Errorf("%q: passage %+v", k.Question, p)
			}
			gold = gold || p.Path == k.Gold
		}
		if gold != k.Answerable || len(k.Passages) > givenPassages {
			t.Errorf("%q: gold among its %d passages: %v", k.Question, len(k.Passages), gold)
		}
	}
}

// fixed answers from a list.
type fixed map[string]answer.Answer

func (f fixed) Extract(_ context.Context, question string, _ []answer.Passage) (answer.Answer, error) {
	a, ok := f[question]
	if !ok {
		return a, errors.New("no such question")
	}
	return a, nil
}

// TestRun counts answers whose figures are known.
func TestSquadRun(t *testing.T) {
	passages := []answer.Passage{{Number: 1, Path: "A#0", Text: "Anna Keller wrote it."}, {Number: 2, Path: "B#0", Text: "It rained."}}
	cases := []squadCase{
		{Question: "exact", Answers: []string{"Anna Keller", "Keller"}, Answerable: true, Gold: "A#0", Passages: passages},
		{Question: "half", Answers: []string{"Anna Keller"}, Answerable: true, Gold: "A#0", Passages: passages},
		{Question: "declined", Answers: []string{"Anna"}, Answerable: true, Gold: "A#0", Passages: passages},
		{Question: "invented", Passages: passages},
		{Question: "none", Passages: passages},
	}
	said := fixed{
		"exact":    {Text: "Anna Keller wrote it. [1]", Short: &answer.Citation{Text: "the Keller"}, Citations: []answer.Citation{{N: 1, Path: "A#0"}}},
		"half":     {Text: "Anna rained [2, 1]", Citations: []answer.Citation{{N: 2, Path: "B#0"}}},
		"declined": {Declined: true},
		"invented": {Text: "Peter"},
		"none":     {Declined: true},
	}
	r, err := runSquad(t.Context(), cases, said, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := squadReport{
		Answerable: 3, Unanswerable: 2, F1: (1 + 0.5) / 3, Exact: 1.0 / 3, AnsweredF1: 0.75, Holds: 1.0 / 3, CitationHolds: 1.0 / 3,
		CitationsRight: 0.5, CitationsHold: 0.5, DeclinedAnswerable: 1.0 / 3, DeclinedUnanswerable: 0.5,
		DeclinePrecision: 0.5, DeclineRecall: 0.5, UncitedAnswers: 1.0 / 3,
	}
	if r != want {
		t.Errorf("got  %+v\nwant %+v", r, want)
	}
	if _, err := runSquad(t.Context(), []squadCase{{Question: "unknown"}}, said, nil, 0); err == nil {
		t.Error("an error was lost")
	}
	failing := func(context.Context, string, string, int) ([]answer.Passage, error) {
		return nil, errors.New("index gone")
	}
	if _, err := runSquad(t.Context(), cases, said, failing, 3); err == nil || !strings.Contains(err.Error(), "index gone") {
		t.Errorf("error of retrieval: %v", err)
	}
}

func TestSquadScore(t *testing.T) {
	for _, c := range []struct {
		prediction string
		answers    []string
		f1, exact  float64
	}{
		{"The Broncos!", []string{"Panthers", "broncos"}, 1, 1},
		{"Denver Broncos", []string{"Broncos"}, 2.0 / 3, 0},
		{"", []string{"x"}, 0, 0},
		{"x", nil, 0, 0},
	} {
		f1, exact := score(c.prediction, c.answers)
		if math.Abs(f1-c.f1) > 1e-12 || exact != c.exact {
			t.Errorf("%q: %g, %g; want %g, %g", c.prediction, f1, exact, c.f1, c.exact)
		}
	}
}

func TestSquadSaysWhatIsMissing(t *testing.T) {
	if _, err := load(t.TempDir(), lexical.NewAnalyzer()); err == nil {
		t.Error("an empty folder is no collection")
	}
}

func TestSquadF1(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"The Walt Disney Company", "walt disney company.", 1},
		{"an U.S. dollar", "US dollar", 1},
		{"in 1990", "1990", 2.0 / 3},
		{"x y y", "y y z", 2.0 * 2 / 6},
		{"", "the", 1},
		{"", "x", 0},
		{"x", "y", 0},
	} {
		if got := f1Of(normalize(c.a), normalize(c.b)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%q, %q: %g, want %g", c.a, c.b, got, c.want)
		}
	}
}
