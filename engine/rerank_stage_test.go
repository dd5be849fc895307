package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// backwards is a reranker that likes what came last.
type backwards struct {
	job RerankJob
	err error
}

func (b *backwards) Rerank(ctx context.Context, job RerankJob) (*Reranking, error) {
	b.job = job
	if b.err != nil {
		return nil, b.err
	}
	n := len(job.Passages)
	done := &Reranking{Scores: make([]float64, n), Stats: RerankStats{Candidates: n, Layers: 2, ActiveLayers: n + 1, FullLayers: 2 * n}}
	for i := range n {
		done.Order = append(done.Order, n-1-i)
		done.Scores[i] = float64(i)
	}
	job.Observe(RerankLayer{Layer: 0, Layers: 2})
	return done, ctx.Err()
}

// reranked searches a world of many chunks with a reranker over n candidates.
func reranked(t *testing.T, r Reranker, n int) (*world, []file) {
	w, files := grown(t, 70)
	w.opts.Reranker, w.opts.RerankDepth = r, n
	return w, files
}

func chunksOf(r *Result) (ids []uint32) {
	for _, p := range r.Passages {
		ids = append(ids, p.ChunkID)
	}
	return ids
}

func TestRerankedOrder(t *testing.T) {
	fake := &backwards{}
	w, _ := reranked(t, fake, 12)
	plain := w.search(Request{Query: "word7 word9", K: 20, Mode: Hybrid})
	layers := 0
	r, err := w.Search(t.Context(), Request{Query: "word7 word9", K: 10, RerankMillis: 50}, func(e Event) {
		if e.Layer != nil {
			layers++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	want := chunksOf(plain)[:12]
	slices.Reverse(want)
	if got := chunksOf(r); !slices.Equal(got, want[:10]) || layers != 1 {
		t.Errorf("chunks %v, want %v, %d layers", got, want, layers)
	}
	if len(fake.job.Passages) != 12 || len(fake.job.Prior) != 12 || fake.job.K != 10 || time.Until(fake.job.Deadline) > 50*time.Millisecond {
		t.Errorf("asked %+v", fake.job)
	}
	if s := r.Stats.Rerank; s == nil || s.Candidates != 12 || s.Problem != "" {
		t.Errorf("stats %+v", s)
	}
	all := w.search(Request{Query: "word7 word9", K: 12, Mode: Reranked})
	more := w.search(Request{Query: "word7 word9", K: 11, Mode: Reranked})
	if len(all.Passages) != 12 || len(more.Passages) != 11 {
		t.Errorf("%d and %d passages", len(all.Passages), len(more.Passages))
	}
	if !slices.IsSortedFunc(all.Passages, func(a, b Passage) int { return int(b.Score - a.Score) }) {
		t.Error("scores do not descend")
	}
}

// TestRerankLooksAtWhatIsAskedFor: more results than the usual depth are all
// reranked, and what has no text as indexed follows behind.
func TestRerankLooksAtWhatIsAskedFor(t *testing.T) {
	fake := &backwards{}
	w, files := reranked(t, fake, 5)
	plain := w.search(Request{Query: "word7 word9", K: 30, Mode: Hybrid})
	gone := plain.Passages[3]
	for _, f := range files {
		if f.path == gone.Path {
			w.disk.write(f.path, strings.ReplaceAll(f.text, "word", "cord"))
		}
	}
	r := w.search(Request{Query: "word7 word9", K: 30})
	if len(fake.job.Passages) >= 30 || len(fake.job.Passages) < 20 {
		t.Errorf("%d passages were reranked", len(fake.job.Passages))
	}
	last := 0
	for i, p := range r.Passages {
		if p.RerankScore != 0 {
			last = i
		}
		if p.Path == gone.Path && p.RerankScore != 0 {
			t.Errorf("%+v was judged by a text that is gone", p)
		}
	}
	if want := len(fake.job.Passages) - 2; last < want { // the score of one is 0
		t.Errorf("the last reranked passage stands at %d, want %d", last, want)
	}
	scores := make([]float64, len(r.Passages))
	for i, p := range r.Passages {
		scores[i] = -p.Score
	}
	if !slices.IsSorted(scores) {
		t.Errorf("scores do not descend: %v", scores)
	}
}

func TestRerankerFails(t *testing.T) {
	w, _ := reranked(t, &backwards{err: errors.New("the pack vanished")}, 12)
	plain := w.search(Request{Query: "word7 word9", Mode: Hybrid})
	var told []string
	r, err := w.Search(t.Context(), Request{Query: "word7 word9"}, func(e Event) {
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
	if _, err := w.Search(ctx, Request{Query: "word7 word9"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// cancels is interrupted.
type cancels struct{ cancel func() }

func (c cancels) Rerank(ctx context.Context, _ RerankJob) (*Reranking, error) {
	c.cancel()
	return nil, ctx.Err()
}

func TestWhenToRerank(t *testing.T) {
	fake := &backwards{}
	w, _ := reranked(t, fake, 12)
	for _, req := range []Request{{Mode: Hybrid}, {Mode: Vector}, {Mode: Lexical}, {Estimate: true}} {
		req.Query, fake.job = "word7", RerankJob{}
		if r := w.search(req); r.Stats.Rerank != nil || fake.job.Passages != nil {
			t.Errorf("%+v was reranked", req)
		}
	}
	if r := w.search(Request{Query: "ext:md"}); r.Stats.Rerank != nil {
		t.Error("a query of filters alone was reranked")
	}
	w.opts.Reranker = nil
	if _, err := w.Search(t.Context(), Request{Query: "word7", Mode: Reranked}, nil); !errors.Is(err, ErrQuery) {
		t.Errorf("without a reranker: %v", err)
	}
}
