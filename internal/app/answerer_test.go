package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/lexical"
)

// letters embeds a text as how often it has each of two letters.
type letters struct{ err error }

func (l letters) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	var flat []float32
	for _, t := range texts {
		flat = append(flat, float32(strings.Count(t, "a")), float32(strings.Count(t, "b")))
	}
	return flat, errors.Join(l.err, ctx.Err())
}

func TestSentencesKeepTheirVectors(t *testing.T) {
	got, err := sentenceEmbedder{letters{}}.Embed(t.Context(), []string{"aab", "b"})
	if err != nil || len(got) != 2 || !slices.Equal(got[0], []float32{2, 1}) || !slices.Equal(got[1], []float32{0, 1}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := (sentenceEmbedder{letters{}}).Embed(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("nothing: %v, %v", got, err)
	}
}

func TestAnswererCitesByRank(t *testing.T) {
	a := newAnswerer(lexical.NewAnalyzer(), letters{}, nil)
	passages := []engine.Passage{
		{Rank: 1, Path: "/notes/birds.md", Text: "A heron stood in the reeds.\n", LineStart: 3, LineEnd: 3},
		{Rank: 2, Path: "/notes/grep.md", Heading: "Tools", Text: "# Tools\n\nKen Thompson wrote grep overnight.\n", LineStart: 10, LineEnd: 12},
	}
	got, err := a.Answer(t.Context(), engine.AnswerJob{Question: "who wrote grep?", Passages: passages})
	if err != nil {
		t.Fatal(err)
	}
	if got.How != engine.Extracted || got.Declined || len(got.Citations) == 0 || !strings.Contains(got.Text, "Ken Thompson wrote grep overnight. [2]") {
		t.Fatalf("%+v", got)
	}
	if c := got.Citations[0]; c.N != 2 || c.Path != "/notes/grep.md" || c.LineStart != 12 || c.LineEnd != 12 {
		t.Errorf("citation %+v", c)
	}
	if got.Short != "Ken Thompson" || len(got.Highlights) != 1 || got.Text[got.Highlights[0].Start:got.Highlights[0].End] != "Ken Thompson" {
		t.Errorf("short %q at %v of %q", got.Short, got.Highlights, got.Text)
	}
	if got, err = a.Answer(t.Context(), engine.AnswerJob{Question: "when was the treaty of Utrecht signed?", Passages: passages}); err != nil || !got.Declined {
		t.Errorf("unanswerable: %+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Answer(ctx, engine.AnswerJob{Question: "who wrote grep?", Passages: passages}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	broken := newAnswerer(lexical.NewAnalyzer(), letters{errors.New("the embedder broke")}, nil)
	if _, err := broken.Answer(t.Context(), engine.AnswerJob{Question: "who wrote grep?", Passages: passages}); err == nil || !strings.Contains(err.Error(), "the embedder broke") {
		t.Errorf("broken: %v", err)
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
