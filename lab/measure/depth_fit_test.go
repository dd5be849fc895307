package measure

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	"dowse/engine/rerank"
	"dowse/internal/eval"
)

// triedDepths are the numbers of candidates that are compared.
var triedDepths = []int{1, 8, 12, 16, 20, 30, 40}

// TestFitDepth prints what it is worth to read more candidates, nothing pruned:
//
//	DOWSE_TEST_FIT_CACHE=CACHE go test ./lab/measure -run TestFitDepth -v -timeout 0 \
//	    -prune DIR -prune-traces TRACES -prune-depth 40
//
// One candidate is the ranking without a reranker.
func TestFitDepth(t *testing.T) {
	if *pruneOn == "" {
		t.Skip("measures only when told on what: -prune DIR")
	}
	t.Setenv("XDG_CACHE_HOME", fitCache(t))
	judged := gatherTraces(t, true)
	for _, depth := range triedDepths {
		var mean eval.Scores
		for _, name := range slices.Sorted(maps.Keys(judged)) {
			scores := worthOfDepth(judged[name], depth)
			t.Logf("%2d candidates, %-10s %3d questions: nDCG@10 %.4f, MRR@10 %.4f", depth, name, len(judged[name]), scores.NDCG10, scores.MRR10)
			mean.NDCG10 += scores.NDCG10 / float64(len(judged))
			mean.MRR10 += scores.MRR10 / float64(len(judged))
		}
		t.Logf("%2d candidates, the mean of %d: nDCG@10 %.4f, MRR@10 %.4f", depth, len(judged), mean.NDCG10, mean.MRR10)
	}
}

// worthOfDepth is the mean worth of rankings whose first candidates were read to the
// end. The others follow in their order.
func worthOfDepth(list []judgedTrace, depth int) (mean eval.Scores) {
	for i := range list {
		j := &list[i]
		got := eval.Score(j.documents(j.readTo(depth), 10), j.Grades)
		mean.NDCG10 += got.NDCG10 / float64(len(list))
		mean.MRR10 += got.MRR10 / float64(len(list))
	}
	return mean
}

// readTo is the ranking where only the first candidates are read.
func (j *judgedTrace) readTo(depth int) []rerank.Candidate {
	last := j.trace.Margins[(j.trace.Layers-1)*j.trace.Candidates:]
	ranking := make([]rerank.Candidate, j.trace.Candidates)
	for id := range ranking {
		ranking[id] = rerank.Candidate{ID: id, Score: last[id]}
	}
	slices.SortStableFunc(ranking[:min(depth, len(ranking))], func(a, b rerank.Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return ranking
}
