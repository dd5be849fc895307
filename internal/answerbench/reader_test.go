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

// bundledReader is an answer.SpanReader.
type bundledReader struct {
	*transformer.SpanReader
	declineFrom float64
}

// ReadSpans implements answer.SpanReader.
func (r bundledReader) ReadSpans(ctx context.Context, question string, passages []string) (*answer.SpanReading, error) {
	read, err := r.Read(ctx, question, passages)
	if err != nil {
		return nil, err
	}
	found := &answer.SpanReading{DeclineFrom: r.declineFrom}
	for i := range read {
		l := answer.SpanLogits{Start: read[i].Start, End: read[i].End, None: read[i].None}
		for _, t := range read[i].Tokens {
			l.Tokens = append(l.Tokens, answer.Range(t))
		}
		found.Passages = append(found.Passages, l)
	}
	return found, nil
}

func reader(tb testing.TB) *answer.Extractor {
	tb.Helper()
	var purpose struct {
		DeclineFrom float64 `json:"decline_from"`
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
	r, err := transformer.OpenSpanReader(readerBase, k, transformer.SpanReaderOptions{Adapter: readerAdapter, Threads: 2})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	e, err := answer.NewExtractor(answer.Options{Analyzer: lexical.NewAnalyzer(), Reader: bundledReader{r, purpose.DeclineFrom}})
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
	if given.F1 < 0.52 || given.Exact < 0.4 || given.CitationsHold < 0.86 || given.DeclinedAnswerable > 0.14 || given.DeclinedUnanswerable < 0.86 {
		t.Errorf("with given passages: %v", given)
	}
	if *all {
		found, err := Run(t.Context(), cases, e, c.BM25, 5, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("retrieved: %v", found)
		if found.F1 < 0.5 || found.DeclinePrecision < 0.77 || found.DeclineRecall < 0.88 {
			t.Errorf("with retrieved passages: %v", found)
		}
	}
}
