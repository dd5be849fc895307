package app

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
)

// likes is an answer.Reader that marks some words wherever they stand. One that likes
// nothing cannot be used.
type likes string

var errNoReader = errors.New("there is no reader")

// Mark implements answer.Reader.
func (l likes) Mark(_ context.Context, _ string, passages []string) (*answer.Marks, error) {
	if l == "" {
		return nil, errNoReader
	}
	marks := &answer.Marks{Calibration: answer.Calibration{Margin: 1, SureFrom: 0.9, PerhapsFrom: 0.5}}
	for _, text := range passages {
		p := answer.PassageMarks{None: answer.NoneLogits{Evidence: -3}}
		from := strings.Index(text, string(l))
		for at := range len(text) {
			logit := float32(-9)
			if from >= 0 && at >= from && at < from+len(l) {
				logit = 3
			}
			p.Tokens = append(p.Tokens, answer.Range{Start: at, End: at + 1})
			p.Start, p.End, p.Evidence = append(p.Start, -9), append(p.End, -9), append(p.Evidence, logit)
		}
		marks.Passages = append(marks.Passages, p)
	}
	return marks, nil
}

// grepSentence answers who wrote grep.
const grepSentence likes = "Ken Thompson wrote grep overnight."

func TestAnswererCitesByRank(t *testing.T) {
	a := newAnswerer(grepSentence)
	passages := []engine.Passage{
		{Rank: 1, Path: "/notes/birds.md", Text: "A heron stood in the reeds.\n", LineStart: 3, LineEnd: 3},
		{Rank: 2, Path: "/notes/grep.md", Heading: "Tools", Text: "# Tools\n\nKen Thompson wrote grep overnight.\n", LineStart: 10, LineEnd: 12},
	}
	got, err := a.Answer(t.Context(), engine.AnswerJob{Question: "who wrote grep?", Passages: passages})
	if err != nil {
		t.Fatal(err)
	}
	if got.How != engine.Extracted || got.Declined || len(got.Citations) != 1 || got.Text != string(grepSentence)+" [2]" {
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
	if _, err := newAnswerer(likes("")).Answer(t.Context(), engine.AnswerJob{Question: "who wrote grep?", Passages: passages}); !errors.Is(err, errNoReader) {
		t.Errorf("without a reader: %v", err)
	}
}

// TestIssuesAreCarriedOver: what a checker finds reaches the front ends.
func TestIssuesAreCarriedOver(t *testing.T) {
	said := answer.Answer{Text: "In 1973. [1]", Sentences: []answer.Sentence{{
		Range: answer.Range{Start: 0, End: 12}, Citations: []int{1},
		Issues: []answer.Issue{{Range: answer.Range{Start: 3, End: 7}, Kind: answer.UnsupportedNumber, Elsewhere: 2}},
	}}, Short: &answer.Citation{Number: 1, Text: "nowhere"}}
	a := newAnswer(said, "model")
	want := engine.Unsupported{Range: engine.Range{Start: 3, End: 7}, Kind: "number", Elsewhere: 2}
	if a.How != "model" || len(a.Sentences) != 1 || a.Sentences[0].Unsupported[0] != want || a.Highlights != nil {
		t.Errorf("%+v", a)
	}
}
