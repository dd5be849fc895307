package answer_test

import (
	"testing"

	"dowse/engine/answer"
	"dowse/engine/lexical"
	"dowse/internal/testsquad"
)

func extractor(tb testing.TB) *answer.Extractor {
	tb.Helper()
	e, err := answer.NewExtractor(answer.Options{Analyzer: lexical.NewAnalyzer()})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// evaluationSeed draws the questions of eval/squad that figures are given for.
const evaluationSeed = 6

// TestExtractiveOnSquad holds the extractive answer to its figures on
// questions that nothing was fitted to: 500 answerable, 250 whose article was
// taken away.
func TestExtractiveOnSquad(t *testing.T) {
	if testing.Short() {
		t.Skip("asks 1,500 questions")
	}
	c := testsquad.Shared(t, lexical.NewAnalyzer())
	cases := c.Cases(500, 250, evaluationSeed)
	e := extractor(t)
	given, err := testsquad.Run(t.Context(), cases, e, nil, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("given:     %v", given)
	found, err := testsquad.Run(t.Context(), cases, e, c.BM25, 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("retrieved: %v", found)
	if given.F1 < 0.45 || given.Exact < 0.33 || given.CitationsHold < 0.82 || given.DeclinedAnswerable > 0.08 || given.DeclinedUnanswerable < 0.9 {
		t.Errorf("with given passages: %v", given)
	}
	if found.F1 < 0.44 || found.DeclinePrecision < 0.88 || found.DeclineRecall < 0.9 {
		t.Errorf("with retrieved passages: %v", found)
	}
}

func BenchmarkExtract(b *testing.B) {
	c := testsquad.Shared(b, lexical.NewAnalyzer())
	cases := c.Cases(50, 0, evaluationSeed)
	e := extractor(b)
	b.ResetTimer()
	for i := range b.N {
		q := cases[i%len(cases)]
		if _, err := e.Answer(b.Context(), q.Question, q.Passages); err != nil {
			b.Fatal(err)
		}
	}
}
