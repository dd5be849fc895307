package registry

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/internal/config"
	"dowse/internal/home"
	"dowse/internal/testcache"
	"dowse/models"
)

// TestAutoAsksWhomItCan: by the default settings a model is asked once the one that
// it stands on is installed; what a person chose stays.
func TestAutoAsksWhomItCan(t *testing.T) {
	a := bare(t)
	a.Config = config.Default()
	if got := a.Answerer(); got != config.Extract {
		t.Errorf("with nothing installed %s answers", got)
	}
	pack := models.PackPath(a.Home.Cache, models.SmallestAnswerer)
	if err := os.MkdirAll(filepath.Dir(pack), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(pack, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]string{config.Auto: models.TrainedAnswerer, config.Extract: config.Extract, "other": "other"} {
		a.Config.Answerer = set
		if got := a.Answerer(); got != want {
			t.Errorf("%s: %s answers, want %s", set, got, want)
		}
	}
	if e, known := models.Lookup(models.TrainedAnswerer); !known || !e.Bundled || e.Base != models.SmallestAnswerer {
		t.Errorf("%s comes along as %+v", models.TrainedAnswerer, e)
	}
}

// TestLeanDoesWithout the model that writes, and so does who chose another way.
func TestLeanDoesWithout(t *testing.T) {
	for _, c := range []struct {
		lean, set string
		want      bool
	}{{"", config.Auto, true}, {"0", config.Auto, true}, {"1", config.Auto, false}, {"", config.Extract, false}} {
		t.Setenv(leanVariable, c.lean)
		a := bare(t)
		a.Config = config.Default()
		a.Config.Answerer = c.set
		names := withBases(a.wanted(), models.Lookup)
		if got := slices.Contains(names, models.TrainedAnswerer) && slices.Contains(names, models.SmallestAnswerer); got != c.want {
			t.Errorf("lean %q, answer.model = %q: pulls %v", c.lean, c.set, names)
		}
	}
}

// TestPullDoesWithoutTheJudge: what answers can do without is no reason to fail.
func TestPullDoesWithoutTheJudge(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	t.Setenv("DOWSE_HOME", t.TempDir())
	t.Setenv("PATH", t.TempDir())                 // no pip
	t.Setenv("HF_ENDPOINT", "http://127.0.0.1:1") // and nobody there
	h, err := home.Find()
	if err != nil {
		t.Fatal(err)
	}
	a := &Registry{Home: h, Config: config.Default()}
	var warned []string
	pull := func(names ...string) error {
		return a.Pull(t.Context(), names, "", "", func(models.Progress) {}, func(w string) { warned = append(warned, w) })
	}
	if err := pull(); err != nil || len(warned) != 1 || !strings.Contains(warned[0], models.SmallestAnswerer+" was not obtained (") ||
		!strings.Contains(warned[0], "DOWSE_LEAN=1") {
		t.Errorf("%v; warned %q", err, warned)
	}
	if err := pull(models.SmallestAnswerer); err == nil {
		t.Error("who asked for it by name is not told")
	}
	a.Config.Reranker = "dowse-rerank-30"
	if err := pull(); err == nil {
		t.Error("the reranker stands on it")
	}
}
