package answerbench

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"dowse/engine/answer"
	"dowse/engine/kernel"
	"dowse/engine/lexical"
	"dowse/engine/transformer"
)

// Where the reader that dowse comes with lies, and the model that it stands on.
const (
	readerBase    = "../../models/bundled/dowse-rerank-6/model.pack"
	readerAdapter = "../../models/bundled/dowse-read-6"
)

// bundledReader is an answer.Reader.
type bundledReader struct {
	*transformer.SpanReader
	calibration answer.Calibration
}

// Mark implements answer.Reader.
func (r bundledReader) Mark(ctx context.Context, question string, passages []string) (*answer.Marks, error) {
	read, err := r.Read(ctx, question, passages)
	if err != nil {
		return nil, err
	}
	marks := &answer.Marks{Calibration: r.calibration}
	for _, l := range read {
		m := answer.PassageMarks{
			Start: l.Heads[transformer.SpanStart], End: l.Heads[transformer.SpanEnd], Evidence: l.Heads[transformer.SpanEvidence],
			None: answer.NoneLogits{Start: l.None[transformer.SpanStart], End: l.None[transformer.SpanEnd], Evidence: l.None[transformer.SpanEvidence]},
		}
		for _, t := range l.Tokens {
			m.Tokens = append(m.Tokens, answer.Range(t))
		}
		marks.Passages = append(marks.Passages, m)
	}
	return marks, nil
}

func reader(tb testing.TB) *answer.Extractor {
	tb.Helper()
	var purpose struct {
		MaxTokens  int `json:"max_tokens"`
		Confidence struct {
			Bias, Margin, Shared, Brief, Words float64
			SureFrom                           float64 `json:"sure_from"`
			PerhapsFrom                        float64 `json:"perhaps_from"`
		}
	}
	text, err := os.ReadFile(filepath.Join(readerAdapter, "dowse.json"))
	if err == nil {
		err = json.Unmarshal(text, &purpose)
	}
	if err != nil {
		tb.Fatal(err)
	}
	k, err := kernel.New(kernel.Options{Backend: kernel.Own})
	if err != nil {
		tb.Fatal(err)
	}
	r, err := transformer.OpenSpanReader(readerBase, k, transformer.SpanReaderOptions{Adapter: readerAdapter, MaxTokens: purpose.MaxTokens, Threads: 2})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	e, err := answer.NewExtractor(answer.Options{Analyzer: lexical.NewAnalyzer(), Reader: bundledReader{r, answer.Calibration(purpose.Confidence)}})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

var all = flag.Bool("all", false, "ask the reader all questions that its figures are given for")

// TestReaderOnSquad holds the reader to its figures on questions that nothing was
// trained on: with -all 500 answerable ones and 250 whose article was taken away,
// a fifth of them otherwise.
func TestReaderOnSquad(t *testing.T) {
	c := load(t, "eval", "squad")
	answerable, unanswerable := 100, 50
	if *all {
		answerable, unanswerable = 500, 250
	}
	cases := c.Cases(answerable, unanswerable, evaluationSeed)
	e := reader(t)
	given, err := Run(t.Context(), cases, e, nil, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("given:     %v", given)
	if given.F1 < 0.5 || given.Exact < 0.4 || given.CitationsHold < 0.8 || given.DeclinedAnswerable > 0.14 || given.DeclinedUnanswerable < 0.93 {
		t.Errorf("with given passages: %v", given)
	}
	if *all {
		found, err := Run(t.Context(), cases, e, c.BM25, 5, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("retrieved: %v", found)
		if found.F1 < 0.38 || found.DeclinePrecision < 0.6 || found.DeclineRecall < 0.88 {
			t.Errorf("with retrieved passages: %v", found)
		}
	}
}
