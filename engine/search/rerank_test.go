package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

// backwards is a reranker that likes what came last.
type backwards struct {
	job   engine.RerankJob
	depth int // candidates that there is time for; 0 means RerankDepth
	near  int // of them; 0 means all
	ready int // how often it was told to open
	err   error
}

func (b *backwards) Ready(context.Context) { b.ready++ }

func (b *backwards) Near(scores []float64) int { return min(cmp.Or(b.near, len(scores)), len(scores)) }

func (b *backwards) Depth() int { return cmp.Or(b.depth, engine.RerankDepth) }

func (b *backwards) Rerank(ctx context.Context, job engine.RerankJob) (*engine.Reranking, error) {
	b.job = job
	if b.err != nil {
		return nil, b.err
	}
	n := len(job.Passages)
	done := &engine.Reranking{Scores: make([]float64, n), Stats: engine.RerankStats{Candidates: n, Layers: 2, ActiveLayers: n + 1, FullLayers: 2 * n}}
	for i := range n {
		done.Order = append(done.Order, n-1-i)
		done.Scores[i] = float64(i)
	}
	all := make([]int, n)
	scores := make([]float32, n)
	for i := range n {
		all[i], scores[i] = i, float32(i)
	}
	job.Observe(engine.RerankLayer{Layer: 0, Layers: 2, Active: all, Scores: scores, Selected: []int{1}, Dropped: []int{0, 2}})
	job.Observe(engine.RerankLayer{Layer: 1, Layers: 2, Active: all[3:], Scores: scores[3:]})
	return done, ctx.Err()
}

// reranked searches a world of many chunks with a reranker over n candidates.
func reranked(t *testing.T, r engine.Reranker, n int) (*world, []file) {
	w, files := grown(t, 70)
	w.opts.Reranker, w.opts.RerankDepth = r, n
	return w, files
}

func chunksOf(r *engine.Result) (ids []uint32) {
	for _, p := range r.Passages {
		ids = append(ids, p.ChunkID)
	}
	return ids
}

func TestRerankedOrder(t *testing.T) {
	fake := &backwards{}
	w, _ := reranked(t, fake, 12)
	plain := w.search(engine.Request{Query: "word7 word9", K: 20, Mode: engine.Hybrid})
	var layers []*engine.RerankLayer
	r, err := w.Search(t.Context(), engine.Request{Query: "word7 word9", K: 10, RerankMillis: 50}, func(e engine.Event) {
		if e.Layer != nil {
			layers = append(layers, e.Layer)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	want := chunksOf(plain)[:12]
	slices.Reverse(want)
	if got := chunksOf(r); !slices.Equal(got, want[:10]) {
		t.Errorf("chunks %v, want %v", got, want)
	}
	// The second candidate was selected, the first and third dropped.
	order := slices.Concat(want[10:11], want[:9], want[9:10], want[11:])
	if len(layers) != 2 || layers[0].Candidates != 12 || !slices.Equal(layers[0].Chunks, order) || !slices.Equal(layers[1].Chunks, order) {
		t.Errorf("layers %+v, want the order %v", layers, order)
	}
	if len(fake.job.Passages) != 12 || len(fake.job.Prior) != 12 || fake.job.K != 6 || time.Until(fake.job.Deadline) > 50*time.Millisecond {
		t.Errorf("asked %+v", fake.job)
	}
	if s := r.Stats.Rerank; s == nil || s.Candidates != 12 || s.Problem != "" {
		t.Errorf("stats %+v", s)
	}
	all := w.search(engine.Request{Query: "word7 word9", K: 12, Mode: engine.Reranked})
	more := w.search(engine.Request{Query: "word7 word9", K: 11, Mode: engine.Reranked})
	if len(all.Passages) != 12 || len(more.Passages) != 11 {
		t.Errorf("%d and %d passages", len(all.Passages), len(more.Passages))
	}
	if !slices.IsSortedFunc(all.Passages, func(a, b engine.Passage) int { return int(b.Score - a.Score) }) {
		t.Error("scores do not descend")
	}
}

// TestRerankedFilesAreReadOnce: a passage is made of the text that was reranked,
// and is what it would be without.
func TestRerankedFilesAreReadOnce(t *testing.T) {
	w, _ := reranked(t, &backwards{}, 12)
	request := engine.Request{Query: "word7 word9", K: 12, Mode: engine.Hybrid}
	w.disk.reads = 0
	plain := w.search(request)
	once := w.disk.reads
	if once == 0 {
		t.Fatal("nothing was read")
	}
	request.Mode = engine.Reranked
	w.disk.reads = 0
	r := w.search(request)
	if w.disk.reads != once {
		t.Errorf("%d files are read, %d without the reranker", w.disk.reads, once)
	}
	want := map[uint32]engine.Passage{}
	for _, p := range plain.Passages {
		want[p.ChunkID] = p
	}
	for _, p := range r.Passages {
		q := want[p.ChunkID]
		if p.Text != q.Text || p.Heading != q.Heading || p.LineStart != q.LineStart || p.LineEnd != q.LineEnd || p.Path != q.Path || p.Stale {
			t.Errorf("passage %+v, want %+v", p, q)
		}
	}
}

// TestRerankReadsWhatThereIsTimeFor: as many candidates as the reranker says, unless
// the settings name a number; an answer is made from no fewer than usual.
func TestRerankReadsWhatThereIsTimeFor(t *testing.T) {
	for _, c := range []struct {
		timeFor, set int
		answer       bool
		want         int
	}{
		{8, 0, false, 8}, {8, 0, true, engine.RerankDepth}, {40, 0, true, 40}, {40, 12, false, 12}, {40, 12, true, 12},
	} {
		fake := &backwards{depth: c.timeFor}
		w, _ := reranked(t, fake, c.set)
		w.search(engine.Request{Query: "word7 word9", Answer: c.answer})
		if got := len(fake.job.Passages); got != c.want {
			t.Errorf("time for %d, set %d, answer %v: %d candidates, want %d", c.timeFor, c.set, c.answer, got, c.want)
		}
	}
}

// TestRerankStopsAtItsDepth: results beyond the depth follow in hybrid's order,
// and what changed is judged by what stands there now, which is what is shown.
func TestRerankStopsAtItsDepth(t *testing.T) {
	fake := &backwards{}
	w, files := reranked(t, fake, 12)
	plain := w.search(engine.Request{Query: "word7 word9", K: 30, Mode: engine.Hybrid})
	changed := plain.Passages[3]
	for _, f := range files {
		if f.path == changed.Path {
			w.disk.write(f.path, strings.ReplaceAll(f.text, "word", "cord"))
		}
	}
	r := w.search(engine.Request{Query: "word7 word9", K: 30})
	n := len(fake.job.Passages)
	if n != 12 || fake.job.K != 6 {
		t.Errorf("%d passages were reranked for the best %d", n, fake.job.K)
	}
	for i, p := range r.Passages {
		if p.RerankScore != 0 && i >= n {
			t.Errorf("rank %d was reranked, of %d", i, n)
		}
		if p.Path == changed.Path && p.RerankScore != 0 && !p.Stale {
			t.Errorf("%+v is not said to have changed", p)
		}
	}
	judged := strings.Join(fake.job.Passages, "\n")
	if !strings.Contains(judged, "cord") || strings.Contains(judged, strings.TrimSpace(changed.Text)) {
		t.Errorf("what changed was judged by a text that is gone:\n%s", judged)
	}
	want := chunksOf(plain)[12:]
	if got := chunksOf(r)[12:]; !slices.Equal(got, want) {
		t.Errorf("behind the reranked: %v, want %v", got, want)
	}
	scores := make([]float64, len(r.Passages))
	for i, p := range r.Passages {
		scores[i] = -p.Score
	}
	if !slices.IsSorted(scores) {
		t.Errorf("scores do not descend: %v", scores)
	}
	w.disk.remove(changed.Path)
	w.search(engine.Request{Query: "word7 word9", K: 30})
	if n := len(fake.job.Passages); n >= 12 || n < 8 {
		t.Errorf("%d passages were reranked, though a file of the 12 best is gone", n)
	}
}

func TestRerankerFails(t *testing.T) {
	w, _ := reranked(t, &backwards{err: errors.New("the pack vanished")}, 12)
	plain := w.search(engine.Request{Query: "word7 word9", Mode: engine.Hybrid})
	var told []string
	r, err := w.Search(t.Context(), engine.Request{Query: "word7 word9"}, func(e engine.Event) {
		if e.Problem != "" {
			told = append(told, e.Problem)
		}
	})
	if err != nil || !slices.Equal(chunksOf(r), chunksOf(plain)) {
		t.Fatalf("%v, %v", r, err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "the pack vanished") || r.Stats.Rerank.Problem != told[0] {
		t.Errorf("told %q, stats %+v", told, r.Stats.Rerank)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w.opts.Reranker = cancels{cancel}
	if _, err := w.Search(ctx, engine.Request{Query: "word7 word9"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// cancels is interrupted.
type cancels struct{ cancel func() }

func (cancels) Ready(context.Context) {}

func (cancels) Near(scores []float64) int { return len(scores) }

func (cancels) Depth() int { return engine.RerankDepth }

func (c cancels) Rerank(ctx context.Context, _ engine.RerankJob) (*engine.Reranking, error) {
	c.cancel()
	return nil, ctx.Err()
}

func TestWhenToRerank(t *testing.T) {
	fake := &backwards{}
	w, _ := reranked(t, fake, 12)
	for _, req := range []engine.Request{{Mode: engine.Hybrid}, {Mode: engine.Vector}, {Mode: engine.Lexical}, {Estimate: true}} {
		req.Query, fake.job = "word7", engine.RerankJob{}
		r := w.search(req)
		if r.Stats.Rerank != nil || fake.job.Passages != nil {
			t.Errorf("%+v was reranked", req)
		}
		if r.Stats.Estimated != req.Estimate {
			t.Errorf("%+v says estimated: %v", req, r.Stats.Estimated)
		}
	}
	if r := w.search(engine.Request{Query: "ext:md"}); r.Stats.Rerank != nil {
		t.Error("a query of filters alone was reranked")
	}
	w.opts.Reranker = nil
	if _, err := w.Search(t.Context(), engine.Request{Query: "word7", Mode: engine.Reranked}, nil); !errors.Is(err, engine.ErrQuery) {
		t.Errorf("without a reranker: %v", err)
	}
}

// Candidates that are too far behind the first to win are not read, but for an answer, which reads more.
func TestOnlyNearCandidatesAreReranked(t *testing.T) {
	r := &backwards{near: 9}
	w, _ := reranked(t, r, 0)
	w.search(engine.Request{Query: "word7 word9", K: 10})
	if len(r.job.Passages) != 9 || r.job.K != RerankWanted(9) || r.ready != 1 {
		t.Errorf("%d passages are read for the best %d, opened %d times", len(r.job.Passages), r.job.K, r.ready)
	}
	for name, c := range map[string]struct {
		depth int // of the settings
		req   engine.Request
		want  int
	}{
		"a search": {0, engine.Request{}, 9}, "as the settings say": {12, engine.Request{}, 9}, "an answer": {0, engine.Request{Answer: true}, engine.RerankDepth},
		"an answer as the settings say": {12, engine.Request{Answer: true}, 12},
	} {
		e := &Engine{opts: Options{Models: Models{Reranker: r, RerankDepth: c.depth}}}
		if got, _ := e.toRerank(c.req, make([]candidate, 40)); got != c.want {
			t.Errorf("%s: %d are read, want %d", name, got, c.want)
		}
	}
	if w.search(engine.Request{Query: "word7 word9", Mode: engine.Hybrid}); r.ready != 1 {
		t.Error("a search that does not rerank opens the reranker")
	}
}

// Where few candidates are near the first, their order stays, and they are read only for whether a first that lacks a
// word of the query is on the topic; but for calibration and answers, and where there are no others.
func TestFewNearCandidatesStayInOrder(t *testing.T) {
	r := &backwards{near: rerankFrom - 1}
	w, _ := reranked(t, r, 12)
	tells := map[string]float64{"word7 word9": 2, "word7": 2, "word7 nobody": 2, "word7 word8": 0}
	for query, from := range tells {
		w.opts.RelevantFrom = from
		want := w.search(engine.Request{Query: query, K: 10, Mode: engine.Hybrid})
		r.job = engine.RerankJob{}
		got := w.search(engine.Request{Query: query, K: 10})
		first := want.Passages[0]
		holds := !slices.ContainsFunc(strings.Fields(query), func(word string) bool { return !slices.Contains(strings.Fields(first.Text), word) })
		t.Logf("%q: the first holds all words: %v; %d are read", query, holds, len(r.job.Passages))
		if read := len(r.job.Passages) > 0; read != (from > 0 && !holds) {
			t.Errorf("%q: the first holds all words: %v, and %d are read", query, holds, len(r.job.Passages))
		} else if !read && !slices.Equal(chunksOf(got), chunksOf(want)) {
			t.Errorf("%q: %v is not the order without the reranker, %v", query, chunksOf(got), chunksOf(want))
		}
	}
	for name, c := range map[string]struct {
		near, ranked int
		req          engine.Request
		settled      bool
	}{
		"few are near": {6, 40, engine.Request{}, true}, "seven": {7, 40, engine.Request{}, false}, "there are no others": {6, 6, engine.Request{}, false},
		"an answer": {6, 40, engine.Request{Answer: true}, false}, "calibration": {6, 40, engine.Request{Trace: true}, false},
	} {
		r.near = c.near
		if _, settled := w.toRerank(c.req, make([]candidate, c.ranked)); settled != c.settled {
			t.Errorf("%s: settled is %v", name, settled)
		}
	}
}
