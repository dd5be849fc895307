package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine/leann"
)

// bySorting is the slow twin of every search: all scores, sorted.
func bySorting(v *Vectors, query []float32, k int) []leann.Hit {
	var all []leann.Hit
	for node := range uint32(v.Len()) {
		all = append(all, leann.Hit{Chunk: node, Score: float64(v.Dotter.Dot(query, v.Vector(node)))})
	}
	slices.SortFunc(all, func(a, b leann.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	})
	return all[:min(k, len(all))]
}

func TestTruth(t *testing.T) {
	c := clustered(t, 300, 20)
	for i, query := range c.queries {
		want := bySorting(c.Vectors, query, truthDepth)
		if !slices.Equal(c.truth[i], numbers(want)) {
			t.Errorf("query %d: truth %v, want %v", i, c.truth[i], want)
		}
		if n := c.recalled(i, want); n != truthDepth {
			t.Errorf("query %d: %d recalled of the truth", i, n)
		}
		if n := c.recalled(i, append(want[:1:1], leann.Hit{Chunk: 1 << 20})); n != 1 {
			t.Errorf("query %d: %d recalled, want 1", i, n)
		}
	}
}

func TestOwnIndexOfAll(t *testing.T) {
	c := clustered(t, 2000, 10)
	b := quiet()
	b.probes = slices.Concat(clustered(t, 2000, 40).queries[10:]...)
	rows, err := b.ownIndex(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[:3] {
		if row.BytesPerChunk > 20 {
			t.Errorf("%v bytes a passage for codes of 8: vectors are still there", row.BytesPerChunk)
		}
		before := 0.0
		for i, goal := range goals {
			o := row.Results[i].Best
			if o == nil || o.Recall < goal || o.Recomputes < before || o.Recomputes > float64(c.Len()) {
				t.Fatalf("%s, recall of %.2f: %+v", row.Method, goal, o)
			}
			before = o.Recomputes
		}
	}
	if o := rows[len(rows)-1].Results[0].Best; !b.errors.Sound() || o.Setting.Pull == 0 && o.Setting.Margin != b.errors.Margin || o.Recomputes > leann.MaxRecompute || o.Recall == 0 {
		t.Errorf("as it is set: %+v, errors %+v", o, b.errors)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := quiet().ownIndex(ctx, c); err == nil {
		t.Error("a measurement went on after its end")
	}
}

func TestEvaluateCountsAlikeOnAnyGoroutines(t *testing.T) {
	c := clustered(t, 2000, 15)
	index, store := leann.Index{Dim: c.Dim, Dot: c.Dotter}, newBlocks(c.Vectors)
	if _, err := index.Quantize(t.Context(), store, leann.QuantizeOptions{CodeBytes: 2}); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{4, c.Len()} {
		one, err := quiet().evaluate(t.Context(), c, index, store, setting{Rerank: n, Batch: 2}, 1)
		if err != nil {
			t.Fatal(err)
		}
		three, err := quiet().evaluate(t.Context(), c, index, store, setting{Rerank: n, Batch: 2}, 3)
		if err != nil {
			t.Fatal(err)
		}
		if one.Recall != three.Recall || one.Recomputes != three.Recomputes || math.Round(one.Recomputes) != float64(n) {
			t.Errorf("one goroutine %+v, three %+v", one, three)
		}
		if n == c.Len() && one.Recall != 1 {
			t.Errorf("recall %v with all vectors recomputed", one.Recall)
		}
	}
}

func TestMeterCounts(t *testing.T) {
	c := clustered(t, 10, 1)
	m := &meter{vectors: c.Vectors}
	dst, ok := make([]float32, 3*testDim), make([]bool, 3)
	if err := m.Vectors(t.Context(), []uint32{3, 7, 9}, dst, ok); err != nil || slices.Contains(ok, false) {
		t.Fatal(err, ok)
	}
	if !slices.Equal(dst[2*testDim:], c.Vector(9)) {
		t.Error("another vector was handed out")
	}
	if m.asked != 3 {
		t.Errorf("asked %d", m.asked)
	}
}

// shortNotes returns a folder of short notes of a few topics each.
func shortNotes(t *testing.T, n int) string {
	const seed = 21
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	files := map[string]string{}
	for i := range n {
		topic, text := rng.IntN(12), ""
		for s := range 3 {
			text += "Note"
			for range 5 + s {
				text += fmt.Sprintf(" word%d", topic*9+rng.IntN(18))
			}
			text += ". "
		}
		files[fmt.Sprintf("%d/%03d.md", topic, i)] = text + "\n"
	}
	return tree(t, files)
}

func TestIndex(t *testing.T) {
	embedded := 0
	model := words{&embedded}
	opts := IndexOptions{
		Folders: []string{shortNotes(t, 260)}, Chunks: 250, Queries: 30, CodeBytes: 6,
		Corpus: CorpusOptions{Workers: 2, Count: func(s string) int { return len(strings.Fields(s)) }}, Cache: t.TempDir(),
	}
	run := func() *IndexReport {
		r, err := Index(t.Context(), opts, model, plainDot{}, silent)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run()
	if r.Chunks != 250 || r.Queries != 30 || len(r.Methods) != 4 {
		t.Fatalf("%d passages, %d queries, %d methods", r.Chunks, r.Queries, len(r.Methods))
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Methods {
		for _, result := range row.Results {
			if result.Best != nil && result.Best.Recall < result.Goal {
				t.Errorf("%s: recall %.3f, goal %.2f", row.Method, result.Best.Recall, result.Goal)
			}
		}
		if row.BytesPerChunk <= 0 || row.TextShare <= 0 || !strings.Contains(text.String(), row.Method) {
			t.Errorf("%s: %v bytes, %v of the text:\n%s", row.Method, row.BytesPerChunk, row.TextShare, text.String())
		}
	}
	before := embedded
	again := run()
	if n := embedded - before; before != 250+30+maxProbes || n > 0 {
		t.Errorf("%d texts are embedded, %d of them again", before, n)
	}
	if got, want := untimedIndex(t, again), untimedIndex(t, r); got != want {
		t.Errorf("two runs differ:\n%s\n%s", got, want)
	}
}

// untimedIndex returns a report without its times.
func untimedIndex(t *testing.T, r *IndexReport) string {
	t.Helper()
	r.Seconds = 0
	for _, row := range r.Methods {
		for _, result := range row.Results {
			if result.Best != nil {
				result.Best.OwnMicros = 0
			}
		}
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestIndexWantsText(t *testing.T) {
	embedded := 0
	opts := IndexOptions{Folders: []string{shortNotes(t, 5)}, Queries: 3, CodeBytes: 4, Corpus: CorpusOptions{Count: func(string) int { return 1 }}}
	if _, err := Index(t.Context(), opts, words{&embedded}, plainDot{}, silent); err == nil || !strings.Contains(err.Error(), "hold 5 passages") {
		t.Errorf("error %v", err)
	}
}

// What a killed run left whole of the vectors is used, the rest is made again.
func TestCacheOfVectors(t *testing.T) {
	embedded, folder, texts := 0, t.TempDir(), []string{"one heron", "two gulls", "three terns"}
	e := embedder{words{&embedded}.EmbedDocuments, testDim, passageVectors}
	first, err := e.vectors(t.Context(), folder, texts, silent)
	if err != nil || len(first) != 3*testDim {
		t.Fatal(len(first), err)
	}
	path := filepath.Join(folder, passageVectors)
	for _, c := range []struct {
		change func() error
		want   int
	}{
		{func() error { return nil }, 0},
		{func() error { return os.Truncate(path, 2*(16+4*testDim)-1) }, 2},
		{func() error { texts = texts[:2]; return nil }, 0},
		{func() error { return os.Truncate(path, 0) }, 2},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		before := embedded
		again, err := e.vectors(t.Context(), folder, texts, silent)
		if err != nil || !slices.Equal(again, first[:len(texts)*testDim]) {
			t.Errorf("other vectors, %v", err)
		}
		if n := embedded - before; n != c.want {
			t.Errorf("%d texts are embedded, want %d", n, c.want)
		}
	}
}
