package bench

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dowse/engine/rerank"
	"dowse/models/pack"
)

func TestRerank(t *testing.T) {
	opts := rerankOptions(t, tinyCollection(t, "birds", 1, 60, 80), tinyCollection(t, "stars", 2, 40, 45))
	k := newKernel(t)
	run := func() *RerankReport {
		r, err := Rerank(t.Context(), opts, k, silent)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run()
	if len(r.Collections) != 2 || r.Collections[0].Queries+r.Collections[1].Queries < 104 {
		t.Fatalf("collections %+v", r.Collections)
	}
	const settings = 2 * 2 // of candidates and results, in two modes each
	if len(r.Pruning) != 2*settings || len(r.Layers) != 2*6 || len(r.Execution) != 2*len(rerankWays) {
		t.Fatalf("%d rows of pruning, %d layers, %d ways", len(r.Pruning), len(r.Layers), len(r.Execution))
	}
	checkPruning(t, r)
	for _, row := range r.Execution {
		checkWay(t, row)
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"birds", "stars", "cluster gamma", "streamed, states in a file", "pruning, target 0.9"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	if got, want := untimedRerank(t, run()), untimedRerank(t, r); got != want {
		t.Errorf("two runs differ:\n%s\n%s", got, want)
	}
}

// checkPruning looks at what has to hold of any model.
func checkPruning(t *testing.T, r *RerankReport) {
	t.Helper()
	for i, p := range r.Pruning {
		held := 0
		for _, e := range p.Collections {
			held += e.Queries
		}
		if held != p.Odd.Queries || p.Even.Queries < rerank.MinTraces || p.Timed != 2 || p.Millis <= 0 || p.FullMillis <= 0 {
			t.Errorf("row %d: %+v", i, p)
		}
		if p.Even.Agreement < r.Target || p.Odd.Layers <= 0 || p.Odd.Layers > 1+1e-9 || p.Odd.Agreement > 1+1e-9 || p.Mode != []string{"set", "order"}[i%2] {
			t.Errorf("row %d: %+v", i, p)
		}
	}
	if !slices.ContainsFunc(r.Pruning, func(p PruningRow) bool { return p.Odd.Layers < 1 }) {
		t.Error("nothing is pruned anywhere")
	}
}

// checkWay compares a row's counts with what its way must lead to.
func checkWay(t *testing.T, row WayRow) {
	t.Helper()
	if streamed := row.LayerBytes > 0; streamed != strings.Contains(row.Way, "streamed") || streamed != (row.WordBytes > 0) {
		t.Errorf("%s reads %v bytes of layers and %v of words", row.Way, row.LayerBytes, row.WordBytes)
	}
	if moved := row.StateBytes > 0; moved != strings.Contains(row.Way, "in a file") {
		t.Errorf("%s moves %v bytes of states", row.Way, row.StateBytes)
	}
	if first := row.Way == residentName; row.Queries != 2 || row.Millis <= 0 || row.Peak <= 0 || row.Tokens <= 0 || first && row.Ratio != 1 {
		t.Errorf("%+v", row)
	}
}

func TestRerankWithoutCollections(t *testing.T) {
	opts := rerankOptions(t)
	opts.Tokens, opts.Pairs = 20, filepath.Join(t.TempDir(), "pairs.jsonl")
	r, err := Rerank(t.Context(), opts, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Pruning)+len(r.Layers)+len(r.Collections) != 0 || len(r.Execution) != 2*len(rerankWays) {
		t.Errorf("scores of tokens that mean nothing are reported: %+v", r)
	}
	for i, row := range r.Execution {
		if row.Tokens != float64(20*row.Candidates) {
			t.Errorf("row %d: %+v", i, row)
		}
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "tokens that were made up") || strings.Contains(text.String(), "tau") {
		t.Errorf("printed %v:\n%s", err, text.String())
	}
	if n := len(readPairs(t, opts.Pairs)); n != 2 {
		t.Errorf("%d queries are written", n)
	}
}

func TestRerankRefuses(t *testing.T) {
	usual, k := rerankOptions(t), newKernel(t)
	for want, change := range map[string]func(*RerankOptions){
		"--timed wants":      func(o *RerankOptions) { o.Timed = 0 },
		"--queries and":      func(o *RerankOptions) { o.Queries = -1 },
		"--candidates wants": func(o *RerankOptions) { o.Candidates = []int{20, 1} },
		"--k wants":          func(o *RerankOptions) { o.K = nil },
		"corpus.jsonl":       func(o *RerankOptions) { o.Folders = []string{t.TempDir()} },
	} {
		opts := usual
		change(&opts)
		if _, err := Rerank(t.Context(), opts, k, silent); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Whatever the way, a query ends in the same ranking with the same scores.
func TestWaysAgree(t *testing.T) {
	b := opened(t, rerankOptions(t, tinyCollection(t, "birds", 5, 40, 12)))
	var want rerank.Result
	for i, w := range rerankWays {
		got, err := start(t, b, w).pass(t.Context(), b.queries[0], inFull(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = got
		}
		if !reflect.DeepEqual(got.Ranking, want.Ranking) || got.ActiveLayers != len(b.queries[0].pairs)*6 {
			t.Errorf("%s: %+v, want %+v", w.name, got, want)
		}
	}
}

// A trace of the first candidates is what a pass over them alone leaves.
func TestFirstOfIsTheTraceOfFewer(t *testing.T) {
	b := opened(t, rerankOptions(t, tinyCollection(t, "birds", 7, 40, 10)))
	r := start(t, b, rerankWay{name: residentName})
	whole, err := b.record(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	const n = 5
	for i := range b.queries {
		b.queries[i] = b.queries[i].first(n)
	}
	fewer, err := b.record(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		if got := firstOf(whole[i].trace, n); !reflect.DeepEqual(got, fewer[i].trace) {
			t.Errorf("query %d: %v, want %v", i, got, fewer[i].trace)
		}
	}
}

// What a replay tells of a threshold is what happens when the model runs.
func TestReplayIsWhatHappens(t *testing.T) {
	b := opened(t, rerankOptions(t, tinyCollection(t, "birds", 8, 60, 30)))
	r := start(t, b, rerankWay{name: residentName})
	traces, err := b.record(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []rerank.Mode{rerank.Set, rerank.Order} {
		opts := orderly(pack.Config{})
		opts.K, opts.Mode, opts.Tau = 3, mode, 0.05
		left := 0
		for i, q := range b.queries {
			live, err := r.pass(t.Context(), q, opts, nil)
			if err != nil {
				t.Fatal(err)
			}
			effect, err := replay(traces[i:i+1], opts)
			if err != nil {
				t.Fatal(err)
			}
			want, err := r.pass(t.Context(), q, inFull(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := rerank.Agreement(mode, want.Ranking[:3], live.Top); got != effect.Agreement || live.Cost() != effect.Layers {
				t.Errorf("%v, query %d: agreement %v and %v of the layers, replayed %+v", mode, i, got, live.Cost(), effect)
			}
			left += live.FullLayers - live.ActiveLayers
		}
		if left == 0 {
			t.Errorf("%v: nothing is pruned", mode)
		}
	}
}

func TestHalves(t *testing.T) {
	var list []tracedQuery
	for i := range 11 {
		list = append(list, tracedQuery{i % 3, rerank.Trace{Candidates: i + 1, Layers: 2, Margins: make([]float32, 2*(i+1))}})
	}
	even, odd := halves(list, 6, 3)
	sizes := func(part []tracedQuery) (n []int) {
		for _, t := range part {
			n = append(n, t.trace.Candidates)
		}
		return n
	}
	if got := sizes(even); !slices.Equal(got, []int{5, 6, 6, 6}) { // places 4, 6, 8, 10
		t.Errorf("even places: %v", got)
	}
	if got := sizes(odd); !slices.Equal(got, []int{4, 6, 6, 6}) { // places 3, 5, 7, 9
		t.Errorf("odd places: %v", got)
	}
}

// Queries that are timed are none of those that thresholds are chosen by.
func TestTimedQueriesAreHeldOut(t *testing.T) {
	for n := 1; n < 40; n++ {
		b := &reranking{queries: make([]candidates, n)}
		for i := range b.queries {
			b.queries[i].collection = i
		}
		for b.opts.Timed = 1; b.opts.Timed < 25; b.opts.Timed++ {
			seen := map[int]bool{}
			for _, q := range b.timed(1) {
				if q.collection%2 == 0 && n > 1 || seen[q.collection] {
					t.Fatalf("%d of %d queries: place %d", b.opts.Timed, n, q.collection)
				}
				seen[q.collection] = true
			}
			if want := max(1, min(b.opts.Timed, n/2)); len(seen) != want {
				t.Fatalf("%d of %d queries: %d, want %d", b.opts.Timed, n, len(seen), want)
			}
		}
	}
}

func TestCandidates(t *testing.T) {
	opts := rerankOptions(t, tinyCollection(t, "birds", 3, 50, 40), tinyCollection(t, "stars", 4, 50, 6))
	opts.Queries = 20
	b := opened(t, opts)
	taken := map[int]int{}
	for i, q := range b.queries {
		taken[q.collection]++
		if len(q.pairs) < 2 || len(q.pairs) > 14 || len(q.prior) != len(q.pairs) || q.prior[0] != 1 || len(q.passages) != len(q.pairs) {
			t.Errorf("query %d: %d candidates, priors %v", i, len(q.pairs), q.prior)
		}
		if !slices.IsSortedFunc(q.prior, func(x, y float64) int { return cmp.Compare(y, x) }) {
			t.Errorf("query %d: priors %v", i, q.prior)
		}
	}
	if taken[0] < 6 || taken[0] > 10 || taken[1] < 3 || taken[1] > 6 {
		t.Errorf("queries by collection: %v", taken)
	}
}

// readPairs reads what writePairs wrote.
func readPairs(t *testing.T, path string) (rows []pairsRow) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var row pairsRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// What is written is what is timed: the same tokens, and the texts they are of.
func TestWritePairs(t *testing.T) {
	opts := rerankOptions(t, tinyCollection(t, "birds", 5, 40, 12))
	opts.Pairs = filepath.Join(t.TempDir(), "pairs.jsonl")
	b := opened(t, opts)
	rows, timed := readPairs(t, opts.Pairs), b.timed(14)
	if len(rows) != len(timed) {
		t.Fatalf("%d of %d queries", len(rows), len(timed))
	}
	for i, q := range timed {
		row := rows[i]
		if row.Query != q.text || row.Query == "" || !slices.Equal(row.Passages, q.passages) || len(row.IDs) != len(q.pairs) || len(row.Types) != len(q.pairs) {
			t.Fatalf("query %d: %+v", i, row)
		}
		for j, p := range q.pairs {
			if !slices.Equal(row.IDs[j], p.IDs) || len(row.Types[j]) != len(p.Types) || row.Types[j][len(p.Types)-1] != 1 {
				t.Errorf("query %d, pair %d: %v %v", i, j, row.IDs[j], row.Types[j])
			}
		}
	}
}

func TestMadeUp(t *testing.T) {
	count := map[int32]int{}
	for _, q := range madeUp(3, 7, 50, 1000) {
		if len(q.pairs) != 7 || q.prior != nil {
			t.Fatalf("%d candidates, priors %v", len(q.pairs), q.prior)
		}
		for _, p := range q.pairs {
			if len(p.IDs) != 50 {
				t.Errorf("%d tokens", len(p.IDs))
			}
			for _, id := range p.IDs {
				if id < firstWord || id >= 1000 {
					t.Errorf("token %d", id)
				}
				count[id]++
			}
		}
	}
	if first := count[firstWord]; first < 20 || len(count) < 200 {
		t.Errorf("%d different words, the first one %d times", len(count), first)
	}
}

func TestThresholdJSON(t *testing.T) {
	data, err := json.Marshal([]Threshold{0.25, Threshold(math.Inf(1))})
	if err != nil || string(data) != "[0.25,null]" {
		t.Errorf("%s, %v", data, err)
	}
}
