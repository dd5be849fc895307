package tui

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"dowse/engine"
	"dowse/internal/testwait"
)

// fakeReranker follows a script. Each layer takes a while, in which it looks
// at nothing, and it looks at its context between layers, as a model does.
type fakeReranker struct {
	script  []engine.RerankLayer
	stats   engine.RerankStats
	takes   time.Duration // of each layer
	wait    time.Duration // after the last layer
	deaf    bool          // to its context
	byWords string        // why the search went by words alone
	begun   atomic.Int64  // rerankings
	told    atomic.Int64  // layers, of all rerankings
}

// rerank tells of the layers of the script and then ranks as the last says.
// Candidates that were not found, and passages that are no candidates, are
// left out.
func (r *fakeReranker) rerank(ctx context.Context, found []engine.Passage, stats *engine.Stats, emit func(engine.Event)) ([]engine.Passage, error) {
	r.begun.Add(1)
	for _, layer := range r.script {
		testwait.Moment(r.takes)
		if ctx.Err() != nil && !r.deaf {
			return nil, ctx.Err()
		}
		r.told.Add(1)
		emit(engine.Event{Layer: &layer})
	}
	testwait.Moment(r.wait)
	outcome := r.stats
	stats.Rerank, stats.ByWords = &outcome, r.byWords
	if r.stats.Problem != "" {
		emit(engine.Event{Problem: r.stats.Problem})
		return found, nil
	}
	stats.Stages = slices.Insert(stats.Stages, len(stats.Stages)-1,
		engine.StageStats{Name: "rerank", Millis: 96.4, In: r.stats.FullLayers, Out: r.stats.ActiveLayers})
	var out []engine.Passage
	for _, chunk := range r.script[len(r.script)-1].Chunks {
		for _, p := range found {
			if p.ChunkID == chunk {
				p.Rank, p.Score = len(out)+1, -float64(len(out))
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// orders returns a script whose layers drop nobody and rank as given.
func orders(layers ...[]uint32) *fakeReranker {
	r := &fakeReranker{takes: 100 * time.Millisecond}
	for i, chunks := range layers {
		l := engine.RerankLayer{Layer: i, Layers: len(layers), Candidates: len(chunks), Chunks: chunks}
		for c := range chunks {
			l.Active = append(l.Active, c)
		}
		r.script = append(r.script, l)
	}
	n := len(layers[0])
	r.stats = engine.RerankStats{Model: "small", Candidates: n, Layers: len(layers), ActiveLayers: n * len(layers), FullLayers: n * len(layers)}
	return r
}

// pruning returns a script of 30 candidates and 6 layers with losers that leave
// after the second and third layer, winners after the third and fifth. The
// first five candidates are what the fake finds.
func pruning() *fakeReranker {
	r := &fakeReranker{takes: 100 * time.Millisecond, stats: engine.RerankStats{
		Model: "small-reranker", Candidates: 30, Layers: 6, FullLayers: 180, BytesRead: 12_000_000,
	}}
	active := make([]int, 30)
	for i := range active {
		active[i] = i
	}
	leave := map[int][2][]int{ // layer -> selected, dropped
		1: {nil, span10(20)}, 2: {{0, 3}, {4, 11, 12, 13, 14}}, 4: {{1}, {15, 16, 17}},
	}
	for l := range 6 {
		layer := engine.RerankLayer{Layer: l, Layers: 6, Candidates: 30, Active: slices.Clone(active),
			Selected: leave[l][0], Dropped: leave[l][1], Millis: 16, Chunks: []uint32{3, 1, 2, 5, 4}}
		r.stats.ActiveLayers += len(active)
		r.script = append(r.script, layer)
		active = slices.DeleteFunc(active, func(c int) bool {
			return slices.Contains(layer.Selected, c) || slices.Contains(layer.Dropped, c)
		})
	}
	return r
}

// span10 is first and the nine numbers after it.
func span10(first int) []int {
	out := make([]int, 10)
	for i := range out {
		out[i] = first + i
	}
	return out
}
