package rerankbench

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dowse/engine/rerank"
)

// decoderOptions measure a decoder that is made up.
func decoderOptions(t *testing.T, folders ...string) Options {
	return Options{
		Pack: packed(t, miniDecoder), Model: "mini", Folders: folders, Timed: 2, Candidates: []int{6, 9}, K: []int{2},
		Threads: 2, Target: 0.9, Prior: 0.5, Spill: t.TempDir(),
	}
}

// Whatever the way, a decoder's query ends in the same ranking, with or without
// pruning; and all but sharing the prefix computes it for each candidate.
func TestDecoderWaysAgree(t *testing.T) {
	b := opened(t, decoderOptions(t, tinyCollection(t, "birds", 5, 40, 12)))
	var want *rerank.Result
	ways := slices.Concat(executionWays(false), ablationWays(false, true))
	if last := ways[len(ways)-1]; last.separate || !ways[len(ways)-2].separate || last.name != "+ shared prefix" {
		t.Errorf("the ablation ends with %+v", last)
	}
	for _, w := range ways {
		if w.batch > 0 {
			continue // its result is that of the last batch
		}
		got, _, err := start(t, b, w).ask(t.Context(), b.queries[0], rerank.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = &got
		}
		if !reflect.DeepEqual(got.Ranking, want.Ranking) {
			t.Errorf("%s: %+v, want %+v", w.name, got.Ranking, want.Ranking)
		}
	}
}

// A decoder runs through all tables, with the guards of one.
func TestRunOfADecoder(t *testing.T) {
	opts := decoderOptions(t)
	opts.Seeded, opts.Tokens, opts.Pairs = true, 30, filepath.Join(t.TempDir(), "pairs.jsonl")
	r, err := Run(t.Context(), opts, newKernel(t), func(string, int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Ablation) != 2*6 || len(r.Execution) != 2*4 || r.Prefix != 15 {
		t.Errorf("%d ways, %d steps, a prefix of %d", len(r.Execution), len(r.Ablation), r.Prefix)
	}
	for _, row := range r.Execution {
		if row.Peak <= 0 || row.OfFloat <= 0 || row.OfFloat >= row.OfInt8 {
			t.Errorf("%+v", row)
		}
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "begin with the same 15 tokens") {
		t.Errorf("printed %v:\n%s", err, text.String())
	}
	if n := len(readPairs(t, opts.Pairs)); n != 2 {
		t.Errorf("%d queries are written", n)
	}
	if g := variants[len(variants)-1].options(2, 28, isDecoder(t, opts.Pack)).Guards; g != rerank.DecoderGuards(28) {
		t.Errorf("guards %+v", g)
	}
}

// isDecoder says whether a pack is that of a decoder.
func isDecoder(t *testing.T, path string) bool {
	t.Helper()
	m, p, err := openModel(path, newKernel(t), &Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	return m.shape.Config.Decoder
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
	opts := tinyOptions(t, tinyCollection(t, "birds", 5, 40, 12))
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
