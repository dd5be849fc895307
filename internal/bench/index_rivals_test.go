package bench

import (
	"context"
	"math"
	"testing"

	"dowse/engine/leann"
)

// TestCurvesAreWhatSearchesDo: what one search recorded is what a search with each of the
// settings does by itself.
func TestCurvesAreWhatSearchesDo(t *testing.T) {
	c, b := clustered(t, 1500, 6), quiet()
	index, store := leann.Index{Dim: c.Dim, Dot: c.Dotter}, newBlocks(c.Vectors)
	if err := linkBlocks(t.Context(), index, store, leann.LinkOptions{LinkBytes: 10}, func() {}); err != nil {
		t.Fatal(err)
	}
	graph, err := leann.ReadGraph(store)
	if err != nil {
		t.Fatal(err)
	}
	codes, err := index.TrainCodes(t.Context(), c.Values, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []leann.Params{{Ratio: 1}, {Ratio: 0.2, Beam: 10}, {Ratio: 0.7, Beam: 100}} {
		s := leann.Searcher{Graph: graph, Dot: c.Dotter, Codes: codes}
		l, err := c.byKeeping(t.Context(), "", s, p)
		if err != nil {
			t.Fatal(err)
		}
		for i, keep := range keeps {
			for query := range c.queries {
				own, asked, params := s, order{vectors: c.Vectors}, p
				params.Keep, params.Batch, own.Exact = keep, 1, &asked
				found, err := own.Search(t.Context(), leann.Request{Query: c.queries[query], K: truthDepth, Params: params})
				want := point{len(asked.asked), c.recalled(query, found.Hits)}
				if got := l.curves[query].at(i); err != nil || got != want {
					t.Fatalf("%+v, ef %d, query %d: recorded %+v, searched %+v, %v", p, keep, query, got, want, err)
				}
			}
		}
	}
	if _, err := index.Quantize(t.Context(), store, leann.QuantizeOptions{CodeBytes: 2}); err != nil {
		t.Fatal(err)
	}
	b.graph = graph
	for _, pull := range []float32{0, 0.3} {
		walk := leann.Walk{}
		if pull > 0 {
			walk = leann.Walk{Graph: graph, Pull: pull}
		}
		l, err := c.byNumber(t.Context(), index, store, walk)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{3, 8, 13, 100, 1500} {
			want, err := b.evaluate(t.Context(), c, index, store, setting{Rerank: n, Batch: leann.RecomputeBatch, Pull: pull}, 1)
			asked, recalled := 0, 0
			for _, curve := range l.curves {
				asked, recalled = asked+curve.at(n-1).asked, recalled+curve.at(n-1).recalled
			}
			queries := float64(len(c.queries))
			if got := float64(recalled) / queries / truthDepth; err != nil || math.Abs(got-want.Recall) > 1e-9 || math.Abs(float64(asked)/queries-want.Recomputes) > 1e-9 {
				t.Errorf("%d vectors, pull %.1f: recorded a recall of %v, searched %+v, %v", n, pull, got, want, err)
			}
		}
	}
}

// TestInvertedFile: its lists hold every vector once, and with all of them probed it finds
// all.
func TestInvertedFile(t *testing.T) {
	c := clustered(t, 400, 8)
	f, err := newInvertedFile(t.Context(), c.Vectors)
	if err != nil {
		t.Fatal(err)
	}
	times := make([]int, c.Len())
	for _, list := range f.lists {
		for _, node := range list {
			times[node]++
		}
	}
	for node, n := range times {
		if n != 1 {
			t.Errorf("vector %d is in %d lists", node, n)
		}
	}
	for i, query := range c.queries {
		members, in := f.probes(query, c.truth[i])
		if members[len(members)-1] != c.Len() || len(members) != 20 {
			t.Errorf("%d lists of %d vectors in all", len(members), members[len(members)-1])
		}
		for _, at := range in {
			if at > len(members)/2 {
				t.Errorf("query %d: one of the nearest is in list %d by distance", i, at)
			}
		}
	}
}

func TestRivals(t *testing.T) {
	c := clustered(t, 1200, 8)
	rows, err := quiet().rivals(t.Context(), c)
	if err != nil || len(rows) != 3+2*len(extraBytes) {
		t.Fatal(len(rows), err)
	}
	for _, row := range rows {
		for i, result := range row.Results {
			o := result.Best
			if o == nil || o.Recall < goals[i] || o.Recomputes > float64(c.Len()) || o.Setting.Text == "" {
				t.Errorf("%s, recall of %.2f: %+v", row.Method, goals[i], o)
			}
		}
		if row.BytesPerChunk <= 0 {
			t.Errorf("%s: %v bytes a passage", row.Method, row.BytesPerChunk)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := quiet().rivals(ctx, c); err == nil {
		t.Error("a measurement went on after its end")
	}
}
