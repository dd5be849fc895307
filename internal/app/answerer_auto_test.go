package app

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dowse/internal/config"
	"dowse/models"
)

// TestAutoAsksWhomItCan: by the default settings a model is asked once the one that
// it stands on is installed; what a person chose stays.
func TestAutoAsksWhomItCan(t *testing.T) {
	a := bareApp(t)
	a.Config = config.Default()
	if got := a.answerer(); got != config.Extract {
		t.Errorf("with nothing installed %s answers", got)
	}
	pack := models.PackPath(a.Home.Cache, models.SmallestAnswerer)
	if err := os.MkdirAll(filepath.Dir(pack), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(pack, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]string{config.Auto: models.DefaultAnswerer, config.Extract: config.Extract, "other": "other"} {
		a.Config.Answerer = set
		if got := a.answerer(); got != want {
			t.Errorf("%s: %s answers, want %s", set, got, want)
		}
	}
	if e, known := models.Lookup(models.DefaultAnswerer); !known || !e.Bundled || e.Base != models.SmallestAnswerer {
		t.Errorf("%s comes along as %+v", models.DefaultAnswerer, e)
	}
}

// TestLeanDoesWithout the model that writes, and so does who chose another way.
func TestLeanDoesWithout(t *testing.T) {
	for _, c := range []struct {
		lean, set string
		want      bool
	}{{"", config.Auto, true}, {"0", config.Auto, true}, {"1", config.Auto, false}, {"", config.Extract, false}} {
		t.Setenv(leanVariable, c.lean)
		a := bareApp(t)
		a.Config = config.Default()
		a.Config.Answerer = c.set
		names := withBases(a.wanted(), models.Lookup)
		if got := slices.Contains(names, models.DefaultAnswerer) && slices.Contains(names, models.SmallestAnswerer); got != c.want {
			t.Errorf("lean %q, answer.model = %q: pulls %v", c.lean, c.set, names)
		}
	}
}
