package transformer_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/memory"
)

// TestEmbedderRests: working memory of an idle embedder goes and comes again with the same bits, also under users that
// work meanwhile; one that worked lately keeps it.
func TestEmbedderRests(t *testing.T) {
	ledger := &memory.Ledger{}
	e := openWith(t, 2, kernel.Options{}, ledger)
	texts := sentences(rand.New(rand.NewPCG(43, 0)), 12)
	held := func() (n int64) {
		for _, p := range ledger.Snapshot() {
			if p.Name == kernel.ScratchPool {
				n = p.Bytes
			}
		}
		return n
	}
	want, err := e.EmbedDocuments(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.EmbedQuery(t.Context(), "heron"); err != nil {
		t.Fatal(err)
	}
	before := held()
	if rested, err := e.Rest(time.Now().Add(-time.Hour)); rested || err != nil || held() != before || before == 0 {
		t.Errorf("used lately: rested %t, %v, holds %d of %d bytes", rested, err, held(), before)
	}
	for _, want := range []bool{true, false} {
		if rested, err := e.Rest(time.Now()); rested != want || err != nil || held() != 0 {
			t.Errorf("rested %t, want %t; %v, holds %d of %d bytes", rested, want, err, held(), before)
		}
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			got, err := e.EmbedDocuments(t.Context(), texts)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("after a rest the vectors differ, %v", err)
			}
		})
	}
	ended := make(chan struct{})
	go func() { group.Wait(); close(ended) }()
	for {
		select {
		case <-ended:
			return
		default:
		}
		if _, err := e.Rest(time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}
