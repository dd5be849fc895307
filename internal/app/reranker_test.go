package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/config"
	"dowse/internal/testapp"
	"dowse/models"
	"dowse/models/modeltest"
)

// tiny is the name of a reranker with random weights.
const tiny = "tiny"

// withReranker is an app that owns some notes, and has the tiny reranker.
func withReranker(t *testing.T) (*app.App, string) {
	t.Helper()
	a := testapp.New(t)
	files, err := modeltest.Reranker{LayerHeads: true, Layers: 4, Seed: 7}.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.AddModel(t.Context(), tiny, folder, "", "", nil); err != nil {
		t.Fatal(err)
	}
	a.Config.Reranker, a.Config.Depth = tiny, 12
	return a, models.PackPath(a.Home.Cache, tiny)
}

func manyNotes() map[string]string {
	files := map[string]string{}
	for _, n := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		files[n+".md"] = "# Router " + n + "\n\nThe resolver " + strings.Repeat(n+" ", 5) + "of the router failed.\n"
	}
	return files
}

func TestSearchReranks(t *testing.T) {
	a, _ := withReranker(t)
	owner := testapp.Own(t, a, testapp.Notes(t, manyNotes()))
	layers := 0
	r, err := owner.Search(t.Context(), engine.Request{Query: "router resolver", K: 5}, func(e engine.Event) {
		if e.Layer != nil {
			layers++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Stats.Rerank
	if s == nil || s.Model != tiny || s.Candidates != 12 || s.Layers != 4 || s.FullLayers != 48 || s.ActiveLayers != 48 || layers != 4 {
		t.Fatalf("stats %+v, %d layers told", s, layers)
	}
	for i, p := range r.Passages[1:] {
		if p.Score > r.Passages[i].Score {
			t.Errorf("scores rise from %v to %v", r.Passages[i].Score, p.Score)
		}
	}
	if testapp.Names(testapp.Search(t, owner, "router resolver")) == testapp.Names(hybrid(t, owner, "router resolver")) {
		t.Error("a reranker with random weights changes nothing")
	}
	cut, err := owner.Search(t.Context(), engine.Request{Query: "router resolver", K: 5, RerankMillis: 1}, nil)
	if err != nil || len(cut.Passages) != 5 {
		t.Errorf("within a millisecond: %v, %v", cut, err)
	}
}

func hybrid(t *testing.T, s engine.Searcher, query string) *engine.Result {
	t.Helper()
	r, err := s.Search(t.Context(), engine.Request{Query: query, K: 10, Mode: engine.Hybrid}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRerankerCanBeTurnedOff(t *testing.T) {
	a, _ := withReranker(t)
	if _, err := a.UseModel(config.NoReranker); err != nil {
		t.Fatal(err)
	}
	again, err := app.New()
	if err != nil {
		t.Fatal(err)
	}
	if again.Config.Reranker != config.NoReranker {
		t.Errorf("settings %+v", again.Config)
	}
	if role, err := a.UseModel(tiny); err != nil || role != models.Reranker {
		t.Fatal(role, err)
	}
	if again, err = app.New(); err != nil || again.Config.Reranker != tiny || again.Config.Model != config.DefaultModel {
		t.Errorf("settings %+v, %v", again.Config, err)
	}
	again.Config.Reranker = config.NoReranker
	owner := testapp.Own(t, again, testapp.Notes(t, manyNotes()))
	if r := testapp.Search(t, owner, "router"); r.Stats.Rerank != nil {
		t.Errorf("stats %+v", r.Stats.Rerank)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := owner.Search(ctx, engine.Request{Query: "router"}, nil); err == nil {
		t.Error("a cancelled search ended well")
	}
}
