package answer

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"dowse/engine/lexical"
)

// tinyExamples are questions of two groups with a pattern to learn.
func tinyExamples() []Example {
	var examples []Example
	for i, c := range [][3]string{
		{"Anna", "boat", "1990"}, {"Boris", "house", "1991"}, {"Clara", "bridge", "1992"}, {"David", "tower", "1993"},
		{"Emma", "church", "1994"}, {"Frank", "mill", "1995"}, {"Greta", "tunnel", "1996"}, {"Henry", "castle", "1997"},
	} {
		text := "The weather was bad. The " + c[1] + " was built by " + c[0] + " in " + c[2] + ". Everybody was glad."
		passages := []Passage{{Number: 1, Text: text}, {Number: 2, Text: "Nothing of the kind is known here."}}
		group := string(rune('a' + i%2))
		examples = append(examples,
			Example{Question: "Who built the " + c[1] + "?", Passages: passages, Answers: []string{c[0]}, Gold: 1, Group: group},
			Example{Question: "When was the " + c[1] + " built?", Passages: passages, Answers: []string{c[2]}, Gold: 1, Group: group},
			Example{Question: "Who painted the " + c[0] + " of gold?", Passages: passages[1:], Group: group})
	}
	return examples
}

func fitTiny(t *testing.T) (*Model, *FitReport) {
	t.Helper()
	m, report, err := Fit(tinyExamples(), FitOptions{
		Analyzer: lexical.NewAnalyzer(), Texts: []string{"the weather was bad", "a boat was built", "nothing"},
		Epochs: 5, Rate: 0.1, Folds: 2, Seed: 1,
		Threshold: func([]float64, []bool) float64 { return 0.5 },
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, report
}

// TestFitLearns fits to a pattern and looks at what is held out.
func TestFitLearns(t *testing.T) {
	examples := tinyExamples()
	m, report := fitTiny(t)
	for i, a := range report.Answers {
		switch e := examples[i]; {
		case a.Declined != (e.Gold == 0):
			t.Errorf("%s: declined %v with support %.3f", e.Question, a.Declined, a.Support)
		case e.Gold > 0 && (a.Short == nil || a.Short.Text != e.Answers[0]):
			t.Errorf("%s: %+v", e.Question, a.Short)
		}
	}
	again, _ := fitTiny(t)
	if !reflect.DeepEqual(m, again) {
		t.Error("two fits differ")
	}
}

func TestModelFile(t *testing.T) {
	m, _ := fitTiny(t)
	packed, err := m.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadModel(packed)
	if err != nil || !reflect.DeepEqual(m, read) {
		t.Fatalf("what was read differs: %v", err)
	}
	for end := 0; end < len(packed); end += 1 + len(packed)/50 {
		if _, err := ReadModel(packed[:end]); err == nil || !strings.Contains(err.Error(), "answer model") {
			t.Errorf("%d of %d bytes: error %v", end, len(packed), err)
		}
	}
	if _, err := ReadModel(bytes.Replace(packed, []byte("answer 1"), []byte("answer 2"), 1)); err == nil {
		t.Error("another version was read")
	}
	if _, err := DefaultModel(); err != nil {
		t.Error(err)
	}
}

func TestF1(t *testing.T) {
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
		if got := F1(Normalize(c.a), Normalize(c.b)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%q, %q: %g, want %g", c.a, c.b, got, c.want)
		}
	}
}

// TestQuestionKinds reads questions.
func TestQuestionKinds(t *testing.T) {
	for text, want := range map[string]struct {
		kind  kind
		focus string
	}{
		"Who wrote it?":                       {asksWho, ""},
		"In what year was it built?":          {asksYear, "year"},
		"What company owns ABC?":              {asksWhat, "compani"},
		"What is the name of the river?":      {asksWhatIs, ""},
		"What was the largest city in Kenya?": {asksPlace, "citi"},
		"How many people live there?":         {asksHowMany, ""},
		"how do I undo a commit":              {asksToDo, ""},
		"How did they win?":                   {asksHow, ""},
		"What percentage of it is water?":     {asksShare, "percentag"},
		"Which river is longest?":             {asksPlace, "river"},
		"Does it run on Linux?":               {asksWhether, ""},
		"git rebase":                          {asksOther, ""},
		"":                                    {asksOther, ""},
		"Since when has it rained?":           {asksWhen, ""},
		"What did he say?":                    {asksWhatDo, ""},
		"what":                                {asksWhat, ""},
		"Why?":                                {asksWhy, ""},
	} {
		q := parseQuestion(text, lexical.NewAnalyzer(), func(string) float64 { return 1 })
		if q.kind != want.kind || q.focus != want.focus {
			t.Errorf("%q: kind %d, focus %q; want %d, %q", text, q.kind, q.focus, want.kind, want.focus)
		}
	}
}
