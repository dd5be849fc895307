package app_test

import (
	"errors"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/rerank/crossencoder"
	enginesearch "dowse/engine/search"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/internal/app"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
	"dowse/models"
	"dowse/models/modeltest"
	"dowse/models/pack"
	"dowse/store"
)

// wide gives an app a reranker whose layers outweigh its working memory.
func wide(t *testing.T) (*app.App, transformer.Model) {
	t.Helper()
	a := testapp.New(t)
	files, err := modeltest.Reranker{LayerHeads: true, Layers: 12, Hidden: 128, Intermediate: 512, Seed: 7}.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	if err := a.AddModel(t.Context(), tiny, folder, "", "", nil); err != nil {
		t.Fatal(err)
	}
	a.Config.Reranker, a.Config.Depth, a.Config.Threads = tiny, 26, 2
	p, err := pack.Open(models.PackPath(a.Home.Cache, tiny))
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.Model{Config: p.Config(), Mapped: p.Size(), Tokenizer: p.TokenizerSize()}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return a, m
}

// budgets are the most bytes with which the model is streamed, and with which
// its hidden states are moved to a file as well.
func budgets(t *testing.T, m transformer.Model, lengths []int) (streamed, offloaded int64) {
	t.Helper()
	for budget := int64(16 << 20); budget > 0; budget -= 4096 {
		p, err := weights.MakePlan(m, transformer.Limits{Budget: budget, Threads: 2}, weights.Work{Lengths: lengths})
		if err != nil {
			break
		}
		if p.Streamed && streamed == 0 {
			streamed = budget
		}
		if p.Offload && offloaded == 0 {
			offloaded = budget
		}
	}
	return streamed, offloaded
}

// withRerankerIn opens an index for reading, with so many bytes for the reranker alone.
func withRerankerIn(t *testing.T, a *app.App, bytes int64) *indexes.Stack {
	t.Helper()
	m, err := a.OpenModels(nil)
	if err != nil {
		t.Fatal(err)
	}
	machine := a.Machine(nil)
	machine.Kernel, machine.Memory = m.Kernel, memory.NewArbiter(bytes)
	m.Chosen().Reranker = crossencoder.New(machine, a.RerankerOptions())
	db, err := store.Open(a.Home.Index(), store.Options{ReadOnly: true, Fingerprint: indexes.Fingerprint(m.Embedder.Fingerprint())})
	if err != nil {
		t.Fatal(errors.Join(err, m.Close()))
	}
	s := a.Assemble(db, m, nil, true, enginesearch.Options{})
	testapp.CloseAfter(t, s)
	return s
}

// TestMemorySetting: a model that is larger than its share of the setting is streamed, with
// the same ranking; one that cannot be is no reason to fail.
func TestMemorySetting(t *testing.T) {
	a, m := wide(t)
	docs := testapp.Notes(t, manyNotes())
	lengths := make([]int, 26)
	for i := range lengths {
		lengths[i] = m.Config.MaxTokens
	}
	streamed, offloaded := budgets(t, m, lengths)
	if streamed == 0 || offloaded == 0 {
		t.Fatalf("streamed with %d bytes, offloaded with %d", streamed, offloaded)
	}
	t.Run("index", func(t *testing.T) { testapp.Own(t, a, docs) })
	var want string
	for _, c := range []struct {
		name   string
		memory int64
		reads  bool
	}{{"default", 0, false}, {"streamed", streamed, true}, {"states in a file", offloaded, offloaded <= streamed}} {
		t.Run(c.name, func(t *testing.T) {
			r := testapp.Search(t, withRerankerIn(t, a, c.memory), "router resolver")
			s := r.Stats.Rerank
			if s == nil || s.Problem != "" || s.BytesRead > 0 != c.reads {
				t.Fatalf("stats %+v", s)
			}
			if want == "" {
				want = testapp.Names(r)
			}
			if testapp.Names(r) != want {
				t.Errorf("found %s, want %s", testapp.Names(r), want)
			}
		})
	}
	t.Run("too little", func(t *testing.T) {
		a.Config.Memory = 1000
		withoutReranker(t, testapp.Own(t, a, docs), "give it more by the setting memory")
	})
}
