package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine"
)

// lengths is a reranker that reads a passage for how long it is, beside its prior, and the
// longest half of them to the end.
type lengths struct{ depth int }

func (lengths) Ready(context.Context) {}

func (lengths) Near(scores []float64) int { return len(scores) }

func (l lengths) Depth() int { return l.depth }

func (l lengths) Rerank(_ context.Context, job engine.RerankJob) (*engine.Reranking, error) {
	n := len(job.Passages)
	done := &engine.Reranking{Scores: make([]float64, n), Partial: make([]bool, n), Stats: engine.RerankStats{Candidates: n, Read: job.K}}
	for i, p := range job.Passages {
		done.Order, done.Scores[i] = append(done.Order, i), job.Prior[i]+float64(len(p))/100
	}
	slices.SortStableFunc(done.Order, func(a, b int) int { return int(1e9 * (done.Scores[b] - done.Scores[a])) })
	for _, i := range done.Order[job.K:] {
		done.Partial[i], done.Scores[i] = true, done.Scores[done.Order[job.K-1]]
	}
	return done, nil
}

// TestScoresFollowFromThePassage: whatever else differs between two requests with one
// query, a passage that was read for both has one score, and where as many candidates are
// read, the request that wants fewer results gets the first ones of the other.
func TestScoresFollowFromThePassage(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed = 71
	random := rand.New(rand.NewPCG(seed, 1))
	for _, codes := range []bool{false, true} {
		w, _ := grown(t, seed)
		w.opts.Memo = 1 << 20
		if codes {
			w.settle(0) // until the best are found
		}
		for range 20 {
			query := fmt.Sprintf("word%d word%d chunk%d", random.IntN(300), random.IntN(300), random.IntN(200))
			scores, longest := map[uint32]float64{}, map[int][]engine.Passage{}
			for range 8 {
				depth, req := []int{2, 7, 20, 40}[random.IntN(4)], engine.Request{Query: query, K: 1 + random.IntN(180)}
				if random.IntN(4) == 0 {
					req.Mode, req.Estimate = engine.Reranked, true
				}
				w.opts.Reranker = lengths{depth}
				r := w.search(req)
				if req.Estimate {
					if r.Stats.Rerank != nil || !r.Stats.Estimated {
						t.Errorf("%+v was reranked: %+v", req, r.Stats)
					}
					continue
				}
				if len(r.Passages) != min(req.K, r.Stats.Chunks) || r.Stats.Rerank.Read != RerankWanted(depth) {
					t.Errorf("%+v: %d passages of %+v", req, len(r.Passages), r.Stats)
				}
				for _, p := range r.Passages {
					if known, ok := scores[p.ChunkID]; p.RerankScore != 0 && ok && known != p.Score {
						t.Errorf("%+v by %d: chunk %d scores %v, and %v before", req, depth, p.ChunkID, p.Score, known)
					} else if p.RerankScore != 0 {
						scores[p.ChunkID] = p.Score
					}
				}
				same := min(len(longest[depth]), len(r.Passages))
				if !slices.EqualFunc(longest[depth][:same], r.Passages[:same], func(a, b engine.Passage) bool {
					return a.ChunkID == b.ChunkID && (a.Score == b.Score || a.RerankScore == 0)
				}) {
					t.Errorf("%+v by %d: %v, and %v before", req, depth, r.Passages, longest[depth])
				}
				if len(r.Passages) > same {
					longest[depth] = r.Passages
				}
			}
		}
	}
}
