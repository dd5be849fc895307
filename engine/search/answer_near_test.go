package search

import (
	"context"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// denier declines, and says so while it grows.
type denier struct{}

func (denier) Answer(_ context.Context, job engine.AnswerJob) (*engine.Answer, error) {
	a := engine.Answer{Text: engine.DeclinedText, Declined: true, How: "small"}
	job.Observe(a)
	a.Confidence = engine.None
	return &a, nil
}

// TestPassagesOnTheTopicAreNotDenied: where something relevant was found, an answer that
// declines says which passage is the best, and denies nothing; it does so while it grows
// too. Where nothing was found that is relevant, "nothing on this" stands.
func TestPassagesOnTheTopicAreNotDenied(t *testing.T) {
	w := newWorld(t)
	w.index(
		file{path: root + "/wiki/terminal.md", text: "Use Warp as my terminal. Ghostty on the laptop.\n", modified: on(3, 1)},
		file{path: root + "/wiki/garden.md", text: "The pond froze over in January.\n", modified: on(3, 2)},
	)
	w.opts.Answerer = denier{}
	w.opts.RelevantFrom = 0.3
	var shown []string
	ask := func(query string) *engine.Answer {
		t.Helper()
		shown = nil
		r, err := New(w.opts).Search(t.Context(), engine.Request{Query: query, Answer: true}, func(e engine.Event) {
			if e.Answer != nil {
				shown = append(shown, e.Answer.Text)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return r.Answer
	}
	a := ask("which terminal do I use")
	if !a.Declined || a.Confidence != engine.None || a.Text != engine.NearText(1) || strings.Contains(a.Text, "Nothing") {
		t.Errorf("said %+v", a)
	}
	if len(a.Citations) != 1 || a.Citations[0].Path != root+"/wiki/terminal.md" || a.Citations[0].N != 1 || a.Citations[0].LineStart != 1 {
		t.Errorf("cited %+v", a.Citations)
	}
	if len(shown) == 0 || slices.Contains(shown, engine.DeclinedText) {
		t.Errorf("while it grew it said %q", shown)
	}
	w.opts.RelevantFrom = 9
	if a := ask("volcano eruption submarine"); a.Text != engine.DeclinedText || len(a.Citations) != 0 || !a.Declined {
		t.Errorf("of what nothing is there: %+v", a)
	}
	w.opts.RelevantFrom = 0 // nothing tells
	if a := ask("volcano eruption submarine"); a.Text != engine.DeclinedText || len(a.Citations) != 0 || slices.Contains(shown, engine.NearText(1)) {
		t.Errorf("where nothing tells what is relevant: %+v, while it grew %q", a, shown)
	}
	w.opts.RelevantFrom = 0.3
	nearest := engine.Answer{Text: "Use Warp. [1]", Confidence: engine.None, How: engine.Extracted, Citations: []engine.AnswerCitation{{N: 1}}}
	w.opts.Answerer = &teller{says: engine.Answer{Text: engine.UnansweredText, Declined: true, Confidence: engine.None, Quotation: &nearest}}
	if a := ask("which terminal do I use"); a.Text != engine.UnansweredText || a.Quotation == nil {
		t.Errorf("above a quotation of the nearest: %+v", a)
	}
	w.opts.Answerer = &teller{says: engine.Answer{Text: "You use Warp. [1]", Confidence: engine.Sure, Citations: []engine.AnswerCitation{{N: 1}}}}
	if a := ask("which terminal do I use"); a.Text != "You use Warp. [1]" {
		t.Errorf("an answer became %+v", a)
	}
}
