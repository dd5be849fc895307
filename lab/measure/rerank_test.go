package measure_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/config"
	"dowse/lab/bench"
)

// smallBench measures next to nothing.
func smallBench() bench.RerankOptions {
	return bench.RerankOptions{Timed: 1, Candidates: []int{6}, K: []int{2}, Prior: -1}
}

func ignore(string, int, int) {}

// judged is a collection in BEIR layout.
func judged(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	var corpus, queries strings.Builder
	grades := "query-id\tcorpus-id\tscore\n"
	for i := range 20 {
		fmt.Fprintf(&corpus, "{\"_id\": \"d%d\", \"text\": \"router %c resolver %c\"}\n", i, 'a'+i, 'b'+i)
		fmt.Fprintf(&queries, "{\"_id\": \"q%d\", \"text\": \"router %c\"}\n", i, 'b'+i)
		grades += fmt.Sprintf("q%d\td%d\t1\n", i, i)
	}
	if err := os.Mkdir(filepath.Join(folder, "qrels"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"corpus.jsonl": corpus.String(), "queries.jsonl": queries.String(), "qrels/test.tsv": grades} {
		if err := os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestBenchRerank(t *testing.T) {
	a := withReranker(t)
	r, err := a.Rerank(t.Context(), []string{judged(t)}, smallBench(), ignore)
	if err != nil {
		t.Fatal(err)
	}
	if r.Model != tiny || r.ModelLayers != 4 || r.Threads != a.Config.Threads || r.Target != a.Config.Precision || r.Prior != 10 {
		t.Errorf("%+v", r)
	}
	// Ten queries are too few to calibrate, and what is not calibrated is exact.
	if len(r.Pruning) == 0 || r.Pruning[0].Tau.String() != "none" || r.Pruning[0].Odd.Layers != 1 || r.Collections[0].Queries != 20 {
		t.Errorf("pruning %+v of %+v", r.Pruning, r.Collections)
	}
	a.Config.Reranker = config.NoReranker
	if _, err := a.Rerank(t.Context(), []string{t.TempDir()}, smallBench(), ignore); err == nil || !strings.Contains(err.Error(), "no reranker is in use") {
		t.Errorf("without a reranker: %v", err)
	}
	if _, err := a.Rerank(t.Context(), nil, smallBench(), ignore); err == nil || !strings.Contains(err.Error(), "there is nothing to rank") {
		t.Errorf("without a collection: %v", err)
	}
}
