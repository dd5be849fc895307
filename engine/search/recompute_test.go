package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

// manyChunks are enough to be settled.
const manyChunks = leann.MinChunks/10*10 + 200

// grown is a world of many small chunks, ten to a file, and the files. Each
// chunk has words of its own, so that no two have the same vector by chance.
func grown(t testing.TB, seed uint64) (*world, []file) {
	t.Helper()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	w := newWorld(t)
	var files []file
	for chunks := 0; chunks < manyChunks; chunks += 10 {
		var text strings.Builder
		for i := range 10 {
			fmt.Fprintf(&text, "chunk%d", chunks+i)
			for range 3 + rng.IntN(5) {
				fmt.Fprintf(&text, " word%d", rng.IntN(300))
			}
			text.WriteString("\n\n")
		}
		files = append(files, file{fmt.Sprintf("%s/f%03d.md", root, chunks/10), text.String(), on(1, 1)})
	}
	w.index(files...)
	return w, files
}

// settledErrors is the error model of a settled world.
var settledErrors = leann.ErrorModel{Slope: 1, Deviation: 0.1, Margin: 1}

// settle gives all chunks codes, and sets what searches recompute.
func (w *world) settle(recompute int) {
	w.t.Helper()
	err := w.db.Update(func(tx *store.Tx) error {
		done, err := w.opts.Vectors.Quantize(w.t.Context(), layout.VectorIndex{Tx: tx}, leann.QuantizeOptions{CodeBytes: 4})
		if err == nil && done.Chunks == 0 {
			err = errors.New("nothing was settled")
		}
		return errors.Join(err, layout.PutErrors(tx, settledErrors))
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.opts.Recompute = recompute
	w.memo = leann.NewMemo(w.opts.Memo, dim, nil)
}

// outdated collects what the engine reports as changed.
type outdated struct {
	mu    sync.Mutex
	paths []string
}

func (o *outdated) add(path string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.paths = append(o.paths, path)
}

// take returns the paths reported since the last take, each once.
func (o *outdated) take() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	slices.Sort(o.paths)
	paths := slices.Compact(o.paths)
	o.paths = nil
	return paths
}

// TestSettledSearchEqualsStored is T-L1 through the whole engine: with all
// vectors recomputed a search gives what it gave while they were stored, in
// every mode and with filters, and reads no file that it need not.
func TestSettledSearchEqualsStored(t *testing.T) {
	w, _ := grown(t, 61)
	var requests []engine.Request
	for _, mode := range []engine.Mode{engine.Vector, engine.Hybrid, engine.RRF} {
		for _, query := range []string{"word7 word19", "chunk33", "word1 path:f0*", "word250 -word3", "nothing known"} {
			requests = append(requests, engine.Request{Query: query, Mode: mode, K: 40})
		}
	}
	var before []*engine.Result
	for _, req := range requests {
		r := w.search(req)
		if r.Stats.Recomputed+r.Stats.Memoized != 0 {
			t.Fatalf("%+v recomputed %d vectors though all are stored", req, r.Stats.Recomputed)
		}
		before = append(before, r)
	}
	w.settle(2 * manyChunks)
	for i, req := range requests {
		documents := w.embedder.documents.Load()
		r := w.search(req)
		if !slices.EqualFunc(r.Passages, before[i].Passages, equalPassages) {
			t.Errorf("%+v:\n got %+v\nwant %+v", req, r.Passages, before[i].Passages)
		}
		if r.Stats.Recomputed != r.Stats.Chunks || int64(r.Stats.Recomputed) != w.embedder.documents.Load()-documents {
			t.Errorf("%+v: %d of %d chunks recomputed, %d texts embedded", req, r.Stats.Recomputed, r.Stats.Chunks, w.embedder.documents.Load()-documents)
		}
	}
}

func equalPassages(a, b engine.Passage) bool {
	return a.ChunkID == b.ChunkID && a.Score == b.Score && a.VectorScore == b.VectorScore && a.VectorRank == b.VectorRank && a.Text == b.Text
}

// TestRecomputedStats: what is recomputed and what was known add up, in the
// stats and in the stages, and an equal search recomputes nothing.
func TestRecomputedStats(t *testing.T) {
	w, _ := grown(t, 62)
	w.opts.Memo = 1 << 20
	w.settle(48)
	req := engine.Request{Query: "word7 word8", Mode: engine.Vector}
	first := w.search(req)
	if first.Stats.Recomputed != 48 || first.Stats.Memoized != 0 || w.memo.Len() != 48 {
		t.Errorf("first: %+v, %d in the memo", first.Stats, w.memo.Len())
	}
	texts, recompute := stage(first, "texts"), stage(first, "recompute")
	if texts.In != 48 || texts.Out != 48 || texts.Bytes == 0 || recompute.In != 48 || recompute.Out != 48 {
		t.Errorf("stages %+v and %+v", texts, recompute)
	}
	reads := w.disk.reads
	again := w.search(req)
	if again.Stats.Recomputed != 0 || again.Stats.Memoized != 48 || stage(again, "recompute").Out != 0 {
		t.Errorf("again: %+v", again.Stats)
	}
	if !slices.EqualFunc(first.Passages, again.Passages, equalPassages) {
		t.Errorf("first %+v, again %+v", first.Passages, again.Passages)
	}
	if extra := w.disk.reads - reads; extra > len(again.Passages) {
		t.Errorf("%d files were read for %d passages", extra, len(again.Passages))
	}
	other := w.search(engine.Request{Query: "word7 word9", Mode: engine.Vector})
	if s := other.Stats; s.Recomputed+s.Memoized != 48 || s.Recomputed == 0 || s.Memoized == 0 {
		t.Errorf("a similar search: %+v", s)
	}
	w.opts.Recompute = 0 // until the best are found
	counts := map[int]bool{}
	for i := range 20 {
		s := w.search(engine.Request{Query: fmt.Sprintf("word%d word%d", i, 3*i), Mode: engine.Vector}).Stats
		n := s.Recomputed + s.Memoized
		if n < leann.Wanted || n > leann.MaxRecompute {
			t.Errorf("%d vectors: %+v", n, s)
		}
		counts[n] = true
	}
	if len(counts) < 2 {
		t.Errorf("all queries recompute as many: %v", counts)
	}
}

// stage returns a stage of a search by name.
func stage(r *engine.Result, name string) engine.StageStats {
	for _, s := range r.Stats.Stages {
		if s.Name == name {
			return s
		}
	}
	return engine.StageStats{}
}

// TestMemoIsOnTheLedger: recomputed vectors are counted, and bounded.
func TestMemoIsOnTheLedger(t *testing.T) {
	w, _ := grown(t, 63)
	w.settle(64)
	w.opts.Memo = 10_000
	w.Engine = New(w.opts)
	for i := range 20 {
		w.search(engine.Request{Query: fmt.Sprintf("word%d word%d", i, i+50), Mode: engine.Vector})
	}
	st, err := w.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if held := st.Memory[memoPool].Bytes; held < 5000 || held > 10_000 {
		t.Errorf("the memo holds %d bytes of 10000", held)
	}
}

// TestChangedFileIsNotScored is T-L7: a chunk that does not stand in its file
// any more has no vector. It is not ranked by what it was, and its file is
// reported.
func TestChangedFileIsNotScored(t *testing.T) {
	for name, change := range map[string]func(w *world, f file){
		"changed":   func(w *world, f file) { w.disk.write(f.path, strings.Replace(f.text, "chunk330", "chunk999", 1)) },
		"shortened": func(w *world, f file) { w.disk.write(f.path, "") },
		"deleted":   func(w *world, f file) { w.disk.remove(f.path) },
	} {
		w, files := grown(t, 64)
		var told outdated
		w.outdatedBy(told.add)
		w.settle(2 * manyChunks)
		f := files[33]
		query, _, _ := strings.Cut(f.text, "\n")
		req := engine.Request{Query: query, Mode: engine.Vector, K: 5}
		if r := w.search(req); r.Passages[0].Path != f.path || r.Passages[0].LineStart != 1 || told.take() != nil {
			t.Fatalf("%s: %q finds %+v", name, query, r.Passages[0])
		}
		change(w, f)
		r := w.search(req)
		for _, p := range r.Passages {
			if p.Path == f.path && (name != "changed" || p.LineStart == 1) {
				t.Errorf("%s: %+v was ranked by the text it had", name, p)
			}
		}
		if paths := told.take(); !slices.Equal(paths, []string{f.path}) {
			t.Errorf("%s: %q were reported", name, paths)
		}
		gone := 10
		if name == "changed" {
			gone = 1
		}
		if s := r.Stats; s.Recomputed != manyChunks-gone || s.Memoized != 0 || len(r.Passages) != 5 {
			t.Errorf("%s: %+v", name, s)
		}
		w.outdatedBy(nil) // nobody has to listen
		w.search(req)
	}
}

// TestMemoizedIsDeclaredStale: where the vector of a changed chunk is still in
// the memo, the passage says that its text is another one.
func TestMemoizedIsDeclaredStale(t *testing.T) {
	w, files := grown(t, 67)
	w.opts.Memo = 1 << 20
	w.settle(64)
	f := files[33]
	query, _, _ := strings.Cut(f.text, "\n")
	req := engine.Request{Query: query, Mode: engine.Vector, K: 5}
	if p := w.search(req).Passages[0]; p.Path != f.path || p.Stale {
		t.Fatalf("%q finds %+v", query, p)
	}
	w.disk.write(f.path, strings.Replace(f.text, "chunk330", "chunk999", 1))
	for _, p := range w.search(req).Passages {
		if p.Path == f.path && p.LineStart == 1 && !p.Stale {
			t.Errorf("%+v is ranked by the text it had, and does not say so", p)
		}
	}
}

// TestRerankedRecomputesTheNear: before a reranker reads, the vectors of passages that may be near the best are computed
// again, a few at a time: for the first line of a file fewer than for a word that nobody has.
func TestRerankedRecomputesTheNear(t *testing.T) {
	w, files := grown(t, 73)
	w.settle(0)
	w.opts.Reranker = &backwards{}
	asked := map[int]int{}
	for i := 3; i < 100; i += 9 {
		line, _, _ := strings.Cut(files[i].text, "\n")
		n := w.search(engine.Request{Query: line, Mode: engine.Reranked}).Stats.Recomputed
		if asked[n]++; n < rerankedBatch || n > rerankedRecompute {
			t.Errorf("%q: %d vectors are computed again", line, n)
		}
	}
	if asked[rerankedBatch] == 0 {
		t.Errorf("vectors computed again for lines of files, and how often: %v", asked)
	}
	if n := w.search(engine.Request{Query: "nobody", Mode: engine.Reranked}).Stats.Recomputed; n != rerankedRecompute {
		t.Errorf("%d vectors are computed again for a word that nobody has", n)
	}
}

// TestCancelWhileRecomputing: a search that is not wanted any more ends with
// ctx.Err(), before the next batch is embedded.
func TestCancelWhileRecomputing(t *testing.T) {
	w, _ := grown(t, 65)
	w.settle(640)
	texts := &cancelling{Texts: w.disk}
	w.readBy(texts)
	for _, after := range []int{1, 7, 100} {
		for _, mode := range []engine.Mode{engine.Vector, engine.Hybrid} {
			var ctx context.Context
			ctx, texts.cancel = context.WithCancel(t.Context())
			texts.left = after
			documents := w.embedder.documents.Load()
			r, err := w.Search(ctx, engine.Request{Query: "word7 word9", Mode: mode}, nil)
			if !errors.Is(err, context.Canceled) || r != nil {
				t.Errorf("%s, cancelled at file %d: %v, %v", mode, after, r, err)
			}
			if n := w.embedder.documents.Load() - documents; n > int64(after*leann.RecomputeBatch) || n >= 640 {
				t.Errorf("%s, cancelled at file %d: %d texts were embedded", mode, after, n)
			}
		}
	}
}

// cancelling cancels a search when it reads a file.
type cancelling struct {
	engine.Texts
	cancel context.CancelFunc
	left   int // files read until then
}

func (c *cancelling) Text(path string) (*engine.Text, error) {
	if c.left--; c.left == 0 {
		c.cancel()
	}
	return c.Texts.Text(path)
}

// TestRecomputeFails: what the embedder says reaches the person.
func TestRecomputeFails(t *testing.T) {
	w, _ := grown(t, 66)
	w.settle(64)
	w.opts.Embedder = failing{w.embedder}
	if _, err := w.Search(t.Context(), engine.Request{Query: "word7"}, nil); !errors.Is(err, errEmbedder) {
		t.Errorf("error %v", err)
	}
}

// failing embeds queries, but no documents.
type failing struct{ *embedder }

func (failing) EmbedDocuments(context.Context, []string) ([]float32, error) { return nil, errEmbedder }

// TestErrorModelOf: what a settled index notes is what searches use, and bytes that
// nobody wrote are refused.
func TestErrorModelOf(t *testing.T) {
	w := newWorld(t)
	expect := func(want leann.ErrorModel, put func(tx *store.Tx) error) {
		t.Helper()
		err := w.db.Update(func(tx *store.Tx) error {
			if err := put(tx); err != nil {
				return err
			}
			m, err := layout.Errors(tx)
			if m != want {
				t.Errorf("%+v, want %+v", m, want)
			}
			return err
		})
		if (err != nil) != (want == leann.ErrorModel{}) {
			t.Errorf("want %+v: %v", want, err)
		}
	}
	expect(layout.DefaultErrors, func(*store.Tx) error { return nil })
	noted := leann.ErrorModel{Intercept: -0.125, Slope: 0.5, Deviation: 0.0625, Margin: 2.5}
	expect(noted, func(tx *store.Tx) error { return layout.PutErrors(tx, noted) })
	for _, value := range [][]byte{{1, 2}, make([]byte, 15), make([]byte, 16), bytes.Repeat([]byte{0xff}, 16)} {
		expect(leann.ErrorModel{}, func(tx *store.Tx) error { return tx.PutMeta("leann.errors", value) })
	}
}
