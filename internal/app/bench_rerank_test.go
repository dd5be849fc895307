package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/app"
	"dowse/internal/config"
)

// smallBench measures next to nothing.
func smallBench() app.BenchRerankOptions {
	return app.BenchRerankOptions{Timed: 1, Candidates: []int{6}, K: []int{2}, Prior: -1}
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
	a, _ := withReranker(t)
	r, err := a.BenchRerank(t.Context(), []string{judged(t)}, smallBench(), ignore)
	if err != nil {
		t.Fatal(err)
	}
	if r.Model != tiny || r.Seeded || r.ModelLayers != 4 || r.Threads != a.Config.Threads || r.Target != a.Config.Precision || r.Prior != 10 {
		t.Errorf("%+v", r)
	}
	// Ten queries are too few to calibrate, and what is not calibrated is exact.
	if len(r.Pruning) == 0 || r.Pruning[0].Tau.String() != "none" || r.Pruning[0].Odd.Layers != 1 || r.Collections[0].Queries != 20 {
		t.Errorf("pruning %+v of %+v", r.Pruning, r.Collections)
	}
	a.Config.Reranker = config.NoReranker
	if _, err := a.BenchRerank(t.Context(), nil, smallBench(), ignore); err == nil || !strings.Contains(err.Error(), "no reranker is in use") {
		t.Errorf("without a reranker: %v", err)
	}
	opts := smallBench()
	opts.Model = tiny
	if r, err = a.BenchRerank(t.Context(), nil, opts, ignore); err != nil || len(r.Execution) != 4 || len(r.Pruning) != 0 {
		t.Errorf("without a collection: %+v, %v", r, err)
	}
	opts.Shape = "small"
	if _, err := a.BenchRerank(t.Context(), nil, opts, ignore); err == nil || !strings.Contains(err.Error(), "choose one") {
		t.Errorf("a model and a shape: %v", err)
	}
}

// What is given up on the way leaves nothing behind.
func TestBenchRerankCleansUp(t *testing.T) {
	a, _ := withReranker(t)
	folder := filepath.Join(a.Home.Cache, "bench", "shape-small")
	opts := smallBench()
	opts.Shape, opts.Keep, opts.Tokens = "small", true, 10
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := a.BenchRerank(ctx, nil, opts, func(phase string, _, _ int) {
		if phase == "importing them" {
			cancel()
		}
	})
	if err == nil {
		t.Fatal("a cancelled measurement ended well")
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the shape that was not finished is there: %v", err)
	}
	if _, err := a.BenchRerank(t.Context(), nil, opts, ignore); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 2 || left[0].Name() != "config.json" || left[1].Name() != "model.pack" {
		t.Errorf("kept: %v, %v", left, err)
	}
	opts.Keep = false
	phases := map[string]bool{}
	if _, err := a.BenchRerank(t.Context(), nil, opts, func(phase string, _, _ int) { phases[phase] = true }); err != nil {
		t.Fatal(err)
	}
	if phases["importing them"] {
		t.Error("a kept shape was made again")
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the shape is still there: %v", err)
	}
}
