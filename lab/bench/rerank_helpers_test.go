package bench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/rerank"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// newKernel returns kernels that are closed with the test.
func newKernel(t *testing.T) *kernel.Kernel {
	t.Helper()
	k, err := kernel.New(kernel.Options{Backend: kernel.Own})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

// tinyPack returns the pack of a reranker of random weights.
func tinyPack(t *testing.T) string {
	t.Helper()
	files, err := modeltest.Reranker{LayerHeads: true, Layers: 6, Seed: 3}.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "model.pack")
	if err := pack.Import(t.Context(), folder, path, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// tinyCollection returns a folder in BEIR layout: documents of a few words, and
// queries of two of them.
func tinyCollection(t *testing.T, name string, seed uint64, documents, queries int) string {
	t.Helper()
	t.Logf("%s: seed %d", name, seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	words := func(n int) string {
		var list []string
		for range n {
			list = append(list, fmt.Sprintf("w%c%c", 'a'+rune(rng.IntN(6)), 'a'+rune(rng.IntN(4))))
		}
		return strings.Join(list, " ")
	}
	var corpus, asked strings.Builder
	grades := "query-id\tcorpus-id\tscore\n"
	for i := range documents {
		fmt.Fprintf(&corpus, "{\"_id\": \"d%d\", \"title\": \"\", \"text\": %q}\n", i, words(3+rng.IntN(4)))
	}
	for i := range queries {
		fmt.Fprintf(&asked, "{\"_id\": \"q%d\", \"text\": %q}\n", i, words(2))
		grades += fmt.Sprintf("q%d\td%d\t1\n", i, i%documents)
	}
	folder := filepath.Join(t.TempDir(), name)
	err := os.MkdirAll(folder, 0o700)
	if err == nil {
		err = modeltest.Write(folder, map[string][]byte{
			"corpus.jsonl": []byte(corpus.String()), "queries.jsonl": []byte(asked.String()), "qrels/test.tsv": []byte(grades),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// rerankOptions measure little.
func rerankOptions(t *testing.T, folders ...string) RerankOptions {
	return RerankOptions{
		Pack: tinyPack(t), Model: "tiny", Folders: folders, Timed: 2, Candidates: []int{8, 14}, K: []int{1, 3},
		Threads: 2, Target: 0.9, Prior: 0.5, Base: orderly,
	}
}

// orderly are options without guards, which would keep a model of random weights from
// pruning anything.
func orderly(pack.Config) rerank.Options {
	o := rerank.Exact(1)
	o.Mode, o.Literal = rerank.Order, true
	return o
}

// opened returns a measurement whose model and queries are there.
func opened(t *testing.T, opts RerankOptions) *reranking {
	t.Helper()
	b := &reranking{opts: opts, progress: silent}
	if _, _, err := b.open(t.Context(), newKernel(t)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.encoder.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// untimedRerank returns a report as JSON without times and what hangs on them.
func untimedRerank(t *testing.T, r *RerankReport) string {
	t.Helper()
	r.Seconds = 0
	for i := range r.Pruning {
		r.Pruning[i].FullMillis, r.Pruning[i].Millis, r.Pruning[i].Saved = 0, 0, 0
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
