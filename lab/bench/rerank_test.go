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
	"strconv"
	"strings"
	"testing"

	"dowse/engine/rerank"
	"dowse/models/pack"
)

func TestRerank(t *testing.T) {
	opts := rerankOptions(t, tinyCollection(t, "birds", 1, 60, 120), tinyCollection(t, "stars", 2, 40, 60))
	k := newKernel(t)
	run := func() *RerankReport {
		r, err := Rerank(t.Context(), opts, k, silent)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run()
	if len(r.Collections) != 2 || r.Collections[0].Queries+r.Collections[1].Queries < 150 {
		t.Fatalf("collections %+v", r.Collections)
	}
	const settings = 2 * 2 // of candidates and results, in two modes each
	if len(r.Pruning) != 2*settings || len(r.Layers) != 2*6 {
		t.Fatalf("%d rows of pruning, %d layers", len(r.Pruning), len(r.Layers))
	}
	checkPruning(t, r)
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"birds: 60 documents", "stars: 40 documents", "cluster gamma", "pruning, target 0.9"} {
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
		if p.Odd.Queries < rerank.MinTraces || p.Even.Queries < rerank.MinTraces || p.Timed != 2 || p.Millis <= 0 || p.FullMillis <= 0 {
			t.Errorf("row %d: %+v", i, p)
		}
		if p.Even.Agreement < r.Target || p.Odd.Layers <= 0 || p.Odd.Layers > 1+1e-9 || p.Odd.Agreement > 1+1e-9 || p.Mode != []string{"set", "order"}[i%2] {
			t.Errorf("row %d: %+v", i, p)
		}
	}
	if !slices.ContainsFunc(r.Pruning, func(p pruningRow) bool { return p.Odd.Layers < 1 }) {
		t.Error("nothing is pruned anywhere")
	}
}

func TestRerankRefuses(t *testing.T) {
	usual, k := rerankOptions(t, t.TempDir()), newKernel(t)
	for want, change := range map[string]func(*RerankOptions){
		"--timed wants":      func(o *RerankOptions) { o.Timed = 0 },
		"--queries and":      func(o *RerankOptions) { o.Queries = -1 },
		"--candidates wants": func(o *RerankOptions) { o.Candidates = []int{20, 1} },
		"--k wants":          func(o *RerankOptions) { o.K = nil },
		"nothing to rank":    func(o *RerankOptions) { o.Folders = nil },
		"corpus.jsonl":       func(*RerankOptions) {},
	} {
		opts := usual
		change(&opts)
		if _, err := Rerank(t.Context(), opts, k, silent); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A trace of the first candidates is what a pass over them alone leaves.
func TestFirstOfIsTheTraceOfFewer(t *testing.T) {
	b := opened(t, rerankOptions(t, tinyCollection(t, "birds", 7, 40, 10)))
	whole, err := b.record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const n = 5
	for i := range b.queries {
		b.queries[i] = b.queries[i].first(n)
	}
	fewer, err := b.record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		if got := firstOf(whole[i], n); !reflect.DeepEqual(got, fewer[i]) {
			t.Errorf("query %d: %v, want %v", i, got, fewer[i])
		}
	}
}

// What a replay tells of a threshold is what happens when the model runs.
func TestReplayIsWhatHappens(t *testing.T) {
	b := opened(t, rerankOptions(t, tinyCollection(t, "birds", 8, 60, 30)))
	traces, err := b.record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []rerank.Mode{rerank.Set, rerank.Order} {
		opts := orderly(pack.Config{})
		opts.K, opts.Mode, opts.Tau = 3, mode, 0.05
		left := 0
		for i, q := range b.queries {
			live, err := b.pass(t.Context(), q, opts, nil)
			if err != nil {
				t.Fatal(err)
			}
			effect, err := replay(traces[i:i+1], opts)
			if err != nil {
				t.Fatal(err)
			}
			want, err := b.pass(t.Context(), q, inFull(), nil)
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
	var list []rerank.Trace
	for i := range 11 {
		list = append(list, rerank.Trace{Candidates: i + 1, Layers: 2, Margins: make([]float32, 2*(i+1))})
	}
	even, odd := halves(list, 6, 3)
	sizes := func(part []rerank.Trace) (n []int) {
		for _, t := range part {
			n = append(n, t.Candidates)
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
			b.queries[i].text = strconv.Itoa(i)
		}
		for b.opts.Timed = 1; b.opts.Timed < 25; b.opts.Timed++ {
			seen := map[int]bool{}
			for _, q := range b.timed(1) {
				place, err := strconv.Atoi(q.text)
				if err != nil || place%2 == 0 && n > 1 || seen[place] {
					t.Fatalf("%d of %d queries: place %d, %v", b.opts.Timed, n, place, err)
				}
				seen[place] = true
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
	for i, q := range b.queries {
		if len(q.pairs) < 2 || len(q.pairs) > 14 || len(q.prior) != len(q.pairs) || q.prior[0] != 1 || len(q.passages) != len(q.pairs) {
			t.Errorf("query %d: %d candidates, priors %v", i, len(q.pairs), q.prior)
		}
		if !slices.IsSortedFunc(q.prior, func(x, y float64) int { return cmp.Compare(y, x) }) {
			t.Errorf("query %d: priors %v", i, q.prior)
		}
	}
	if n := len(b.queries); n < 9 || n > 16 { // at most ten of the one, and all six of the other
		t.Errorf("%d queries", n)
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

func TestThresholdJSON(t *testing.T) {
	data, err := json.Marshal([]threshold{0.25, threshold(math.Inf(1))})
	if err != nil || string(data) != "[0.25,null]" {
		t.Errorf("%s, %v", data, err)
	}
}
