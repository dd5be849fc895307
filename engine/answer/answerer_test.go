package answer_test

import (
	"context"
	"errors"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/internal/testanswer"
)

func TestAnswererCitesByRank(t *testing.T) {
	a := answer.NewExtractor(testanswer.GrepSentence)
	passages := []engine.Passage{
		{Rank: 1, Path: "/notes/birds.md", Text: "A heron stood in the reeds.\n", LineStart: 3, LineEnd: 3},
		{Rank: 2, Path: "/notes/grep.md", Heading: "Tools", Text: "# Tools\n\nKen Thompson wrote grep overnight.\n", LineStart: 10, LineEnd: 12},
	}
	got, err := a.Answer(t.Context(), engine.AnswerJob{Question: "who wrote grep?", Passages: passages})
	if err != nil {
		t.Fatal(err)
	}
	if got.How != engine.Extracted || got.Declined || len(got.Citations) != 1 || got.Text != string(testanswer.GrepSentence)+" [2]" {
		t.Fatalf("%+v", got)
	}
	if c := got.Citations[0]; c.N != 2 || c.Path != "/notes/grep.md" || c.LineStart != 12 || c.LineEnd != 12 {
		t.Errorf("citation %+v", c)
	}
	if got, err = a.Answer(t.Context(), engine.AnswerJob{Question: "who wrote grep?", Passages: passages[:1]}); err != nil || !got.Declined {
		t.Errorf("unanswerable: %+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Answer(ctx, engine.AnswerJob{Question: "who wrote grep?", Passages: passages}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := answer.NewExtractor(testanswer.Likes("")).Answer(t.Context(), engine.AnswerJob{Question: "who wrote grep?", Passages: passages}); !errors.Is(err, testanswer.ErrNoReader) {
		t.Errorf("without a reader: %v", err)
	}
}

// TestIssuesAreCarriedOver: what a checker finds reaches the front ends.
func TestIssuesAreCarriedOver(t *testing.T) {
	said := answer.Answer{Text: "In 1973. [1]", Sentences: []answer.Sentence{{
		Range: answer.Range{Start: 0, End: 12}, Citations: []int{1},
		Unsupported: []answer.Issue{{Range: answer.Range{Start: 3, End: 7}, Kind: engine.UnsupportedNumber, Elsewhere: 2}},
	}}, Short: &answer.Citation{N: 1, Text: "nowhere"}}
	a := answer.Shown(said, "model")
	want := engine.Unsupported{Range: engine.Range{Start: 3, End: 7}, Kind: "number", Elsewhere: 2}
	if a.How != "model" || len(a.Sentences) != 1 || a.Sentences[0].Unsupported[0] != want || a.Highlights != nil {
		t.Errorf("%+v", a)
	}
}
