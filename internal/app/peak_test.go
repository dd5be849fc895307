package app

import (
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/answer/local"
	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/internal/indexes"
)

// lasting are the pools that stay from one question to the next while there is room:
// the weights of models that are open, what an embedder and an answerer that are open
// compute in, a conversation's keys and values, vectors and answers that are known, and
// what is known of the index, its links too. A
// smaller budget has models close for each other (TestLedgerKeepsToTheBudget).
var lasting = []string{
	weights.ResidentPool, weights.KeptPool, kv.Pool, kernel.ScratchPool, "vectors.memo", "vectors.graph", "search.snapshot", local.PastPool,
}

// held is what a ledger has, in one pool and in all that are to last; and the
// pools of a phase that are not empty.
func held(ledger *memory.Ledger) (scratch, lasts int64, works []memory.Pool) {
	for _, p := range ledger.Snapshot() {
		if p.Name == kernel.ScratchPool {
			scratch = p.Bytes
		}
		if slices.Contains(lasting, p.Name) {
			lasts += p.Bytes
		} else if p.Bytes > 0 {
			works = append(works, p)
		}
	}
	return scratch, lasts, works
}

// TestC2_PeakIsTheLargestOfThePhases: what retrieving, reranking and answering
// work in never adds up. Each gives it back before the next one begins, so that
// the peak is what lasts and the most that one of them works in.
func TestC2_PeakIsTheLargestOfThePhases(t *testing.T) {
	a := exactApp(t)
	a.Config.Threads = 1        // with more, how much they work in at the same time is chance
	works := map[string]int64{} // beside what lasts
	for _, phase := range []struct {
		name string
		ask  engine.Request
	}{
		{"retrieve", engine.Request{K: 3, Mode: engine.Hybrid}},
		{"rerank", engine.Request{K: 3}},
		{"answer", engine.Request{K: 3, Mode: engine.Hybrid, Answer: true}},
		{"all", engine.Request{K: 3, Answer: true}},
	} {
		s, ledger := openWithLedger(t, a)
		s.Models.Chosen().Reranker.Exact = true // as many are read for a ranking alone as for an answer
		phase.ask.Query = exactQuestions[0]
		for range 3 { // the first question opens models in turn, later ones find all of them open
			askInPhases(t, s, ledger, phase.ask)
		}
		_, lasts, _ := held(ledger)
		works[phase.name] = ledger.Peak() - lasts
		t.Logf("%-8s peak %d, of which %d last", phase.name, ledger.Peak(), lasts)
	}
	if most := max(works["retrieve"], works["rerank"], works["answer"]); works["all"] > most || works["rerank"] == 0 {
		t.Errorf("together the phases work in %d bytes, the largest alone in %d: %v", works["all"], most, works)
	}
}

// askInPhases asks, and looks at what each phase leaves to the next.
func askInPhases(t *testing.T, s *indexes.Stack, ledger *memory.Ledger, ask engine.Request) {
	t.Helper()
	ended, retrieving := []string{}, int64(0)
	_, err := s.Search(t.Context(), ask, func(e engine.Event) {
		if e.Stage == nil || !slices.Contains([]string{"fuse", "rerank", "read"}, e.Stage.Name) {
			return
		}
		ended = append(ended, e.Stage.Name)
		scratch, _, works := held(ledger)
		if len(works) > 0 {
			t.Errorf("%s has ended and still works in %+v", e.Stage.Name, works)
		}
		switch e.Stage.Name {
		case "fuse":
			retrieving = scratch
		case "rerank":
			if scratch != retrieving {
				t.Errorf("reranking has ended and left %d bytes of scratch memory where there were %d", scratch, retrieving)
			}
		}
	})
	if _, _, works := held(ledger); err != nil || len(works) > 0 || len(ended) < 2 {
		t.Fatalf("after %v: %+v is left, %v", ended, works, err)
	}
}
