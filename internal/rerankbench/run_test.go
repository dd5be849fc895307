package rerankbench

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"dowse/engine/rerank"
	"dowse/engine/transformer"
)

func TestRun(t *testing.T) {
	opts := tinyOptions(t, tinyCollection(t, "birds", 1, 60, 120), tinyCollection(t, "stars", 2, 40, 60))
	k := newKernel(t)
	run := func() *Report {
		r, err := Run(t.Context(), opts, k, func(string, int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run()
	const settings = 2 * 2 // of candidates and results
	if len(r.Collections) != 2 || r.Collections[0].Queries+r.Collections[1].Queries < 150 {
		t.Fatalf("collections %+v", r.Collections)
	}
	if len(r.Pruning) != settings*len(variants) || len(r.Sweep) != len(r.Pruning) || len(r.Layers) != 2*6 {
		t.Fatalf("%d rows of pruning, %d curves, %d layers", len(r.Pruning), len(r.Sweep), len(r.Layers))
	}
	if len(r.Execution) != 2*len(executionWays(true)) || len(r.Ablation) != 2*len(ablationWays(true, false)) {
		t.Fatalf("%d ways, %d steps", len(r.Execution), len(r.Ablation))
	}
	checkPruning(t, r)
	for _, row := range slices.Concat(r.Execution, r.Ablation) {
		checkWay(t, row)
	}
	checkText(t, r)
	if got, want := untimed(t, run()), untimed(t, r); got != want {
		t.Errorf("two runs differ:\n%s\n%s", got, want)
	}
}

// checkPruning looks at what has to hold of any model.
func checkPruning(t *testing.T, r *Report) {
	t.Helper()
	for i, p := range r.Pruning {
		held := 0
		for _, e := range p.Collections {
			held += e.Queries
		}
		if held != p.Odd.Queries || p.Even.Queries < rerank.MinTraces || p.Timed != 2 || p.Millis <= 0 || p.FullMillis <= 0 {
			t.Errorf("row %d: %+v", i, p)
		}
		if p.Even.Agreement < r.Target || p.Odd.Layers <= 0 || p.Odd.Layers > 1 || p.Odd.Agreement > 1 {
			t.Errorf("row %d: %+v", i, p)
		}
		points := r.Sweep[i].Points
		last := points[len(points)-1]
		if last.Even.Layers != 1 || last.Odd.Layers != 1 || last.Odd.Agreement != 1 {
			t.Errorf("curve %d ends with %+v", i, last)
		}
		chosen := slices.IndexFunc(points, func(c CurvePoint) bool { return c.Chosen })
		if chosen < 0 || points[chosen].Odd != p.Odd || points[chosen].Tau != p.Tau {
			t.Errorf("curve %d, place %d is chosen: %+v, row %+v", i, chosen, points[max(chosen, 0)], p)
		}
	}
	if !slices.ContainsFunc(r.Pruning, func(p PruningRow) bool { return p.Odd.Layers < 1 }) {
		t.Error("nothing is pruned anywhere")
	}
}

// checkWay compares a row's counts with what its way must lead to.
func checkWay(t *testing.T, row WayRow) {
	t.Helper()
	has := func(pool string) bool {
		return slices.ContainsFunc(row.Pools, func(p Pool) bool { return p.Name == pool && p.Peak > 0 })
	}
	resident := strings.HasPrefix(row.Way, "resident") || strings.HasPrefix(row.Way, "batches") ||
		strings.HasPrefix(row.Way, "+ pruning") || strings.HasPrefix(row.Way, "+ chunks")
	if streamed := row.LayerBytes > 0; streamed == resident || has(transformer.WindowPool) != streamed || has(transformer.WordsPool) != streamed {
		t.Errorf("%s reads %v bytes of layers; pools %+v", row.Way, row.LayerBytes, row.Pools)
	}
	if moved := row.StateBytes > 0; moved != strings.Contains(row.Way, "in a file") {
		t.Errorf("%s moves %v bytes of states", row.Way, row.StateBytes)
	}
	if pruned := strings.Contains(row.Way, "pruned") || strings.HasPrefix(row.Way, "+"); row.Layers > 1 || row.Layers < 1 && !pruned {
		t.Errorf("%s computes %v of the layers", row.Way, row.Layers)
	}
	if row.Way == "synchronous offload" && row.Stalls != 6 {
		t.Errorf("%v stalls of 6 layers that are read when they are wanted", row.Stalls)
	}
	if row.Queries != 2 || row.Millis <= 0 || row.Peak <= 0 || row.Tokens <= 0 || row.OfFloat >= row.OfInt8 {
		t.Errorf("%+v", row)
	}
}

// checkText looks for every row in what is printed.
func checkText(t *testing.T, r *Report) {
	t.Helper()
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, row := range slices.Concat(r.Execution, r.Ablation) {
		if n := strings.Count(text.String(), "\n"+row.Way+"  "); n < 4 { // two tables, two numbers of candidates
			t.Errorf("%q stands in the tables %d times", row.Way, n)
		}
	}
	if n := strings.Count(text.String(), "chosen"); n != 2*len(r.Sweep)/len(variants) {
		t.Errorf("%d thresholds are chosen in %d curves, of which those of two variants are printed", n, len(r.Sweep))
	}
	for _, want := range []string{"birds", "stars", "cluster gamma", "weights.window", "embed.lru"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in the tables", want)
		}
	}
}

func TestRunWithoutCollections(t *testing.T) {
	opts := tinyOptions(t)
	opts.Seeded, opts.Tokens = true, 20
	r, err := Run(t.Context(), opts, newKernel(t), func(string, int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Pruning)+len(r.Sweep)+len(r.Layers)+len(r.Collections) != 0 {
		t.Errorf("made-up scores are reported: %+v", r.Pruning)
	}
	for i, row := range slices.Concat(r.Execution, r.Ablation) {
		if row.Layers != 1 || strings.Contains(row.Way, "prun") || row.Tokens != float64(20*row.Candidates) {
			t.Errorf("row %d: %+v", i, row)
		}
	}
	if len(r.Execution) != 2*4 || len(r.Ablation) != 2*5 {
		t.Errorf("%d ways, %d steps", len(r.Execution), len(r.Ablation))
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "seeded weights, speed and memory only") || strings.Contains(text.String(), "tau") {
		t.Errorf("printed:\n%s", text.String())
	}
}

func TestRunRefuses(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"--timed wants":      func(o *Options) { o.Timed = 0 },
		"--queries and":      func(o *Options) { o.Queries = -1 },
		"--candidates wants": func(o *Options) { o.Candidates = []int{20, 1} },
		"--k wants":          func(o *Options) { o.K = nil },
		"name no coll":       func(o *Options) { o.Seeded, o.Folders = true, []string{"x"} },
		"corpus.jsonl":       func(o *Options) { o.Folders = []string{t.TempDir()} },
	} {
		opts := tinyOptions(t)
		change(&opts)
		if _, err := Run(t.Context(), opts, newKernel(t), func(string, int, int) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
