package measure_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/leann"
	"dowse/internal/eval"
	"dowse/internal/testenv"
	"dowse/lab/measure"
)

// writeCollection makes a judged collection of short documents about numbers.
func writeCollection(t *testing.T, documents, queries int) string {
	t.Helper()
	var corpus, asked, judged strings.Builder
	judged.WriteString("query-id\tcorpus-id\tscore\n")
	for i := range documents {
		fmt.Fprintf(&corpus, "{\"_id\": \"%d\", \"title\": \"\", \"text\": \"Locker %d holds parcel %d\"}\n", i, i, 7*i)
	}
	for i := range queries {
		n := i * documents / queries
		fmt.Fprintf(&asked, "{\"_id\": \"q%d\", \"text\": \"what is in locker %d\"}\n", i, n)
		fmt.Fprintf(&judged, "q%d\t%d\t1\n", i, n)
	}
	return filepath.Join(testenv.Folder(t, map[string]string{
		"numbers/corpus.jsonl": corpus.String(), "numbers/queries.jsonl": asked.String(), "numbers/qrels/test.tsv": judged.String(),
	}), "numbers")
}

// evaluated measures a folder that has one report.
func evaluated(t *testing.T, a *measure.Runner, dir string, opts measure.EvalOptions) *eval.Report {
	t.Helper()
	reports, err := a.Evaluate(t.Context(), dir, opts, func(string, int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(reports) != 1 {
		t.Fatalf("%d reports", len(reports))
	}
	return reports[0]
}

// TestEvaluationTakesTheWayOfASearch: what is measured recomputes vectors and
// computes layers as a search does, and leaves no traces. The reference does
// without codes.
func TestEvaluationTakesTheWayOfASearch(t *testing.T) {
	a := newApp(t)
	dir := writeCollection(t, leann.MinChunks+10, 4)
	opts := measure.EvalOptions{Stages: []string{"vector", "rerank"}}
	report := evaluated(t, a, dir, opts)
	vector, reranked := report.Stages["vector"], report.Stages["rerank"]
	if vector.Recomputed == 0 || vector.FullLayers != 0 {
		t.Errorf("a ranking by meaning cost %+v", vector.Cost)
	}
	if reranked.Memoized == 0 || reranked.FullLayers == 0 || reranked.ActiveLayers == 0 || reranked.ActiveLayers > reranked.FullLayers {
		t.Errorf("a reranking of what was asked before cost %+v", reranked.Cost)
	}
	if traces, err := filepath.Glob(filepath.Join(a.Home.Cache, "rerank", "*")); err != nil || len(traces) > 0 {
		t.Errorf("the measurement left %q, %v", traces, err)
	}
	opts.Exact = true
	exact := evaluated(t, a, dir, opts)
	if got := exact.Stages["rerank"]; got.Recomputed+got.Memoized != 0 || got.ActiveLayers != got.FullLayers {
		t.Errorf("the reference cost %+v", got.Cost)
	}
}

// TestEvaluationWhileVectorsLack: without a single vector what is asked is found by meaning, as by rough vectors, and the
// best are recomputed.
func TestEvaluationWhileVectorsLack(t *testing.T) {
	a := newApp(t)
	dir := writeCollection(t, 20, 4)
	report := evaluated(t, a, dir, measure.EvalOptions{Stages: []string{"vector"}, Lacking: true})
	if got := report.Stages["vector"]; got.Recomputed == 0 || got.Recomputed > 20 || got.Recall10 == 0 {
		t.Errorf("a ranking by meaning: %+v", got)
	}
	if _, err := a.Evaluate(t.Context(), testenv.Folder(t, map[string]string{"notes/a.md": "a\n", "questions.jsonl": "{\"question\": \"who\", \"path\": \"a.md\"}\n"}),
		measure.EvalOptions{Stages: []string{"vector"}, Lacking: true}, func(string, int, int) {}); err == nil {
		t.Error("a folder of notes is measured without its vectors")
	}
}
