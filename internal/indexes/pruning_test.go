package indexes

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/rerank"
	"dowse/internal/testcache"
	"dowse/internal/testwait"
	"dowse/models"
)

// newInstallation is an app with the models of a new installation.
func newInstallation(t *testing.T) *Opener {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	a := newOpener(t)
	a.Config.Depth = engine.RerankDepth // however fast this machine is
	return a
}

// openPruned owns the notes, without traces of other tests.
func openPruned(t *testing.T, op *Opener) *Owner {
	t.Helper()
	traces, notes := t.TempDir(), routerNotes(t) // before the owner, who ends before they go
	owner, err := op.openOwner(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := owner.Close(); err != nil {
			t.Error(err)
		}
	})
	owner.Stack().Models.Chosen().Reranker.Folder = traces
	if _, err := owner.Index(t.Context(), []string{notes}, nil); err != nil {
		t.Fatal(err)
	}
	return owner
}

// TestFreshInstallationPrunes: the first search of an installation drops
// candidates, and says of how many layers that spared it.
func TestFreshInstallationPrunes(t *testing.T) {
	owner := openPruned(t, newInstallation(t))
	dropped := 0
	found, err := owner.Search(t.Context(), engine.Request{Query: "why did the power fail on day 3"}, func(e engine.Event) {
		if e.Layer != nil {
			dropped += len(e.Layer.Dropped)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	s := found.Stats.Rerank
	if s == nil || s.Model != models.DefaultReranker || s.Candidates != engine.RerankDepth || s.Problem != "" {
		t.Fatalf("stats %+v", s)
	}
	if s.ActiveLayers >= s.FullLayers || dropped == 0 {
		t.Errorf("the first search computes %d of %d layers and drops %d candidates", s.ActiveLayers, s.FullLayers, dropped)
	}
}

// routerNotes is a folder of short notes, one of them on what is asked.
func routerNotes(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	notes := map[string]string{"cellar.md": "# Router in the cellar\n\nThe router in the cellar failed because the damp got into its power supply.\n"}
	for i := range 30 {
		notes[fmt.Sprintf("n%d.md", i)] = fmt.Sprintf("# Day %d\n\nChanged channel %d on the router upstairs, then walked to market %d for apples.\n", i, i, i*7)
	}
	for name, text := range notes {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestOwnerTracesBetweenSearches: what the owner reranks with pruning it computes
// in full when nobody searches.
func TestOwnerTracesBetweenSearches(t *testing.T) {
	op := newInstallation(t)
	owner := openPruned(t, op)
	owner.idle.Load().Pace(1, time.Millisecond)
	if _, err := owner.Search(t.Context(), engine.Request{Query: "channel of the router upstairs"}, nil); err != nil {
		t.Fatal(err)
	}
	model, done, err := owner.Stack().Models.Chosen().Reranker.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = done() }() // before the owner ends
	tuning := model.Tuning
	key := tuning.Key(engine.RerankDepth, engine.DefaultK)
	var traces []rerank.Trace
	testwait.Until(t, "the trace of the search", func() bool {
		traces, err = tuning.Traces(key)
		return err != nil || len(traces) > 0
	})
	if err != nil || len(traces) != 1 || traces[0].Candidates != engine.RerankDepth || traces[0].Layers != 6 {
		t.Errorf("traces %+v, %v", traces, err)
	}
}

// TestWhoOnlyReadsTracesNothing between searches.
func TestWhoOnlyReadsTracesNothing(t *testing.T) {
	op := newInstallation(t)
	owner, err := op.openOwner(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if owner.idle.Load() == nil {
		t.Error("the owner would trace nothing")
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	reader, err := op.OpenStack(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if reader.idle != nil {
		t.Error("a process that owns nothing would trace")
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
}
