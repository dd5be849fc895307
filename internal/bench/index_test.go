package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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
	for _, node := range v.nodes() {
		all = append(all, leann.Hit{Chunk: node, Score: float64(v.Dot(query, v.Vector(node)))})
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

// only is the one method that a builder makes.
func only(t *testing.T, c *searched, build func(context.Context, *searched) ([]*method, error)) *method {
	t.Helper()
	methods, err := build(t.Context(), c)
	if err != nil || len(methods) != 1 {
		t.Fatalf("%d methods, %v", len(methods), err)
	}
	return methods[0]
}

// exhaustive checks that a method finds what sorting finds at its dearest setting.
func exhaustive(t *testing.T, c *searched, m *method) {
	t.Helper()
	ladder := m.ladders[len(m.ladders)-1]
	find := m.open()
	for i, query := range c.queries {
		got, err := find(t.Context(), query, ladder[len(ladder)-1], &meter{vectors: c.Vectors})
		if want := bySorting(c.Vectors, query, truthDepth); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s, query %d: got %v, want %v: %v", m.name, i, got, want, err)
		}
	}
}

func TestInvertedFileOfAllLists(t *testing.T) {
	c := clustered(t, 400, 20)
	f, err := newInvertedFile(t.Context(), c.Vectors, silent)
	if err != nil {
		t.Fatal(err)
	}
	var members []uint32
	for _, list := range f.lists {
		members = append(members, list...)
	}
	slices.Sort(members)
	if !slices.Equal(members, c.nodes()) || len(f.lists) != 20 {
		t.Fatalf("%d lists hold %d nodes", len(f.lists), len(members))
	}
	if n := f.bytes(); n < 20*4*testDim+400+20 || n > 20*4*testDim+2*400+20+40 {
		t.Errorf("%d bytes of 20 centroids and 400 gaps", n)
	}
	m := only(t, c, quiet().invertedFile)
	exhaustive(t, c, m)
	// One list of twenty holds most of a query's cluster.
	o, err := quiet().evaluate(t.Context(), c, m, setting{Probes: 2}, 2)
	if err != nil || o.Recall < 0.5 || o.Recomputes > 150 || o.Recomputes < 2 {
		t.Errorf("two lists: %+v, %v", o, err)
	}
}

func TestOwnIndexOfAll(t *testing.T) {
	c := clustered(t, 2000, 10)
	m := only(t, c, quiet().ownIndex)
	if m.bytes > 2000*20 {
		t.Errorf("%v bytes for 2000 codes of 8: vectors are still there", m.bytes)
	}
	exhaustive(t, c, m)
}

func TestGraphsHaveHalfTheLinks(t *testing.T) {
	c := clustered(t, 300, 5)
	full := leann.NewGraph()
	if err := leann.NewBuilder(full, c, hubShape).Insert(t.Context(), c.nodes(), func(int) {}); err != nil {
		t.Fatal(err)
	}
	methods, err := quiet().graphs(t.Context(), c)
	if err != nil || len(methods) != 2 {
		t.Fatalf("%d methods, %v", len(methods), err)
	}
	exhaustive(t, c, methods[0])
	if walk, codes := methods[0].bytes, methods[1].bytes-methods[0].bytes; walk >= 0.9*float64(full.StoredBytes()) || codes < 300*testDim/2 {
		t.Errorf("%g bytes of links, %d before, and %g of codes", walk, full.StoredBytes(), codes)
	}
}

// Every method gets the kind of codebook that dowse's own index has at this size.
func TestRotates(t *testing.T) {
	large := &Vectors{Dim: 1, Values: make([]float32, leann.RotateChunks)}
	small := &Vectors{Dim: 1, Values: make([]float32, leann.RotateChunks-1)}
	if !rotates(large) || rotates(small) {
		t.Error("codes are rotated at another size than dowse's own are")
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

// staged is a method whose settings ask for Keep vectors and find the first
// Rerank of the truth.
func staged(c *searched, ladders ...[]setting) *method {
	return &method{name: "staged", ladders: ladders, open: func() search {
		return func(ctx context.Context, query []float32, s setting, exact leann.Exact) ([]leann.Hit, error) {
			err := exact.Vectors(ctx, make([]uint32, s.Keep), make([]float32, s.Keep*testDim), make([]bool, s.Keep))
			return bySorting(c.Vectors, query, s.Rerank), err
		}
	}}
}

func TestSweepPicksTheCheapest(t *testing.T) {
	c := clustered(t, 100, 6)
	found, err := quiet().sweep(t.Context(), c, staged(c,
		[]setting{{Keep: 1, Rerank: 1}, {Keep: 9, Rerank: 2}, {Keep: 30, Rerank: 3}, {Keep: 2, Rerank: 3, Beam: 1}}, // the last is behind one that is enough
		[]setting{{Keep: 8, Rerank: 2}, {Keep: 20, Rerank: 3}, {Keep: 40, Rerank: 3}},
		[]setting{{Keep: 25, Rerank: 1}, {Keep: 3, Rerank: 3}}, // dearer than what reached all
	))
	if err != nil {
		t.Fatal(err)
	}
	for i := range goals {
		if want := (setting{Keep: 20, Rerank: 3}); found[i] == nil || found[i].Setting != want || found[i].Recomputes != 20 {
			t.Errorf("goal %d: got %+v, want %v", i, found[i], want)
		}
	}
	found, err = quiet().sweep(t.Context(), c, staged(c, []setting{{Keep: 1, Rerank: 2}}))
	if err != nil || !slices.Equal(found, []*outcome{nil, nil}) {
		t.Errorf("recall of two thirds: %v, %v", found, err)
	}
	all := []outcome{{Recall: .5, Recomputes: 1}, {Recall: .9, Recomputes: 9}, {Recall: .7, Recomputes: 4}}
	if best, ok := cheapest(all, .6); !ok || best.Recomputes != 4 {
		t.Errorf("cheapest of .6: %+v", best)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := quiet().sweep(ctx, c, staged(c, []setting{{Rerank: 3}})); err == nil {
		t.Error("a sweep went on after its end")
	}
}

func TestEvaluateCountsAlikeOnAnyGoroutines(t *testing.T) {
	c := clustered(t, 200, 15)
	m := only(t, c, quiet().invertedFile)
	one, err := quiet().evaluate(t.Context(), c, m, setting{Probes: 3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	three, err := quiet().evaluate(t.Context(), c, m, setting{Probes: 3}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if one.Recall != three.Recall || one.Recomputes != three.Recomputes || one.Recomputes == 0 {
		t.Errorf("one goroutine %+v, three %+v", one, three)
	}
}

func TestSettingText(t *testing.T) {
	s := setting{Ratio: 0.3, Keep: 8, Probes: 2}
	if got := s.String(); got != "a=0.3 keep=8 probes=2" {
		t.Errorf("got %q", got)
	}
	if b, err := json.Marshal(s); err != nil || string(b) != `{"a":0.3,"keep":8,"probes":2}` {
		t.Errorf("got %s, %v", b, err)
	}
}

// shortNotes is a folder of short notes of a few topics each.
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
	if r.Chunks != 250 || r.Queries != 30 || len(r.Methods) != 5 {
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
	if n := embedded - before; before != 280 || n > 0 {
		t.Errorf("%d texts are embedded, %d of them again", before, n)
	}
	if got, want := untimedIndex(t, again), untimedIndex(t, r); got != want {
		t.Errorf("two runs differ:\n%s\n%s", got, want)
	}
}

// untimedIndex is a report without its times.
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

// What a killed run left of the vectors is made again.
func TestCacheOfVectors(t *testing.T) {
	embedded, folder, texts := 0, t.TempDir(), []string{"one heron", "two gulls", "three terns"}
	first, err := embed(t.Context(), words{&embedded}, folder, texts, silent)
	if err != nil || len(first) != 3*testDim {
		t.Fatal(len(first), err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.vec"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for _, c := range []struct {
		change func() error
		want   int
	}{
		{func() error { return nil }, 0},
		{func() error { return os.Truncate(files[0], 40) }, 3},
		{func() error { texts = texts[:2]; return nil }, 2},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		before := embedded
		again, err := embed(t.Context(), words{&embedded}, folder, texts, silent)
		if err != nil || !slices.Equal(again, first[:len(texts)*testDim]) {
			t.Errorf("other vectors, %v", err)
		}
		if n := embedded - before; n != c.want {
			t.Errorf("%d texts are embedded, want %d", n, c.want)
		}
	}
}
