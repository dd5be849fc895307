package indexes

import (
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/testcache"
)

// TestSlowMachineReadsFewerCandidates: once some searches have told what a candidate
// takes, as many are reranked as there is time for, also by the next process. An
// answer reads as many as ever.
func TestSlowMachineReadsFewerCandidates(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	t.Setenv("DOWSE_HOME", t.TempDir())
	a := newOpener(t)
	a.Config.Time = time.Second
	candidates := func(owner *Owner, answer bool) int {
		t.Helper()
		found, err := owner.Search(t.Context(), engine.Request{Query: "channel of the router upstairs", Answer: answer}, nil)
		if err != nil || found.Stats.Rerank == nil || found.Stats.Rerank.Problem != "" {
			t.Fatalf("%+v, %v", found, err)
		}
		return found.Stats.Rerank.Candidates
	}
	t.Run("first process", func(t *testing.T) {
		owner, clock := openPruned(t, a), time.Time{}
		owner.Stack().Models.Chosen().Reranker.Now = func() time.Time {
			clock = clock.Add(time.Minute)
			return clock
		}
		for n := range 3 {
			if got := candidates(owner, false); got != engine.RerankDepth {
				t.Errorf("search %d reranks %d candidates, want %d", n+1, got, engine.RerankDepth)
			}
		}
		if got := candidates(owner, false); got >= engine.RerankDepth {
			t.Errorf("a search of minutes reranks %d candidates", got)
		}
		if got := candidates(owner, true); got != engine.RerankDepth {
			t.Errorf("an answer is made from %d candidates, want %d", got, engine.RerankDepth)
		}
	})
	t.Run("next process", func(t *testing.T) {
		if got := candidates(openPruned(t, a), false); got >= engine.RerankDepth {
			t.Errorf("reranks %d candidates", got)
		}
	})
}
