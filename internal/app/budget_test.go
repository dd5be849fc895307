package app

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/search"
	"dowse/internal/indexes"
	"dowse/internal/testcache"
	"dowse/store"
)

// TestLedgerKeepsToTheBudget through indexing, searching, reranking and answering with
// the models that come along: whatever the setting, all pools together never hold more.
func TestLedgerKeepsToTheBudget(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	notes, err := filepath.Abs("../../testdata/notes")
	if err != nil {
		t.Fatal(err)
	}
	peaks := map[int64]int64{}
	for _, megabytes := range []int64{64, 1024} {
		t.Run(fmt.Sprintf("%dMB", megabytes), func(t *testing.T) {
			t.Setenv("DOWSE_HOME", t.TempDir())
			a, err := New()
			if err != nil {
				t.Fatal(err)
			}
			a.Config.Memory, a.Config.Threads = megabytes*1e6, 2
			ledger := &memory.Ledger{}
			s := openWritable(t, a, ledger)
			if _, err := s.Index(t.Context(), []string{notes}, nil); err != nil {
				t.Fatal(err)
			}
			for _, q := range []string{"what did i use against mildew", "what caused the dns outage"} {
				r, err := s.Search(t.Context(), engine.Request{Query: q, K: engine.AnswerPassages, Mode: engine.Reranked, Answer: true}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if p := r.Stats.Rerank; p == nil || p.Problem != "" || r.Answer.Problem != "" || len(r.Answer.Citations) == 0 {
					t.Errorf("%s: reranked %+v, answered %+v", q, p, r.Answer)
				}
			}
			if peaks[megabytes] = ledger.Peak(); ledger.Peak() > a.Config.Memory {
				t.Errorf("held %d bytes of %d: %+v", ledger.Peak(), a.Config.Memory, ledger.Snapshot())
			}
			t.Logf("%d MB: at most %.1f MB", megabytes, float64(ledger.Peak())/1e6)
			if err := s.Models.Rest(time.Now()); err != nil {
				t.Fatal(err)
			}
			for _, p := range ledger.Snapshot() {
				if p.Name == kernel.ScratchPool && p.Bytes > 0 {
					t.Errorf("the embedder at rest holds %d bytes to work with", p.Bytes)
				}
			}
		})
	}
	if peaks[64] >= peaks[1024] {
		t.Errorf("nothing gave way: %v", peaks)
	}
}

// openWritable opens an index that is written to, and counts what it holds.
func openWritable(t *testing.T, a *App, ledger *memory.Ledger) *indexes.Stack {
	t.Helper()
	m, err := a.OpenModels(ledger)
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(a.Home.Index(), store.Options{Fingerprint: indexes.Fingerprint(m.Embedder.Fingerprint())})
	if err != nil {
		t.Fatal(err, m.Close())
	}
	s := a.Assemble(db, m, ledger, false, search.Options{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
