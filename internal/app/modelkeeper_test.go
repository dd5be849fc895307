package app_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/config"
	"dowse/internal/testapp"
	"dowse/models"
)

// TestModelKeeper lists models in the order of their jobs, those in use first, chooses one, and keeps what is in use
// or part of the program.
func TestModelKeeper(t *testing.T) {
	keeper := app.ModelKeeper{App: testapp.New(t)}
	list := func() []engine.Model {
		t.Helper()
		all, err := keeper.Models(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	change := func(action engine.ModelAction, name string) (string, error) {
		return keeper.ChangeModel(t.Context(), action, name, func(engine.ModelPull) {})
	}
	find := func(name string) engine.Model {
		t.Helper()
		all := list()
		i := slices.IndexFunc(all, func(m engine.Model) bool { return m.Name == name })
		if i < 0 {
			t.Fatalf("%s is not listed", name)
		}
		return all[i]
	}
	first := map[engine.ModelJob]engine.Model{}
	for _, m := range list() {
		if before, seen := first[m.Job]; !seen {
			first[m.Job] = m
		} else if m.InUse && !before.InUse {
			t.Errorf("%s is in use, and stands behind %s", m.Name, before.Name)
		}
		if !m.Installed && m.Problem == "" && m.Download == 0 {
			t.Errorf("%+v has nothing to download", m)
		}
	}
	for job, name := range map[engine.ModelJob]string{engine.Embeds: models.DefaultEmbedder, engine.Reads: models.DefaultReader} {
		if m := first[job]; m.Name != name || !m.InUse || !m.Installed {
			t.Errorf("the first %s is %+v, want %s", job, m, name)
		}
	}
	if m := find(config.NoReranker); m.InUse || !m.Part {
		t.Errorf("before: %+v", m)
	}
	said, err := change(engine.UseModel, config.NoReranker)
	if m := find(config.NoReranker); err != nil || !m.InUse || !strings.Contains(said, "off is chosen") {
		t.Errorf("after: %+v, %q, %v", m, said, err)
	}
	if m := find(config.DefaultReranker); m.InUse {
		t.Errorf("two rerankers are in use: %+v", m)
	}
	for name, why := range map[string]string{models.DefaultEmbedder: "part of dowse", "nobody": "not installed"} {
		if _, err := change(engine.RemoveModel, name); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("removing %s: %v, want %q", name, err, why)
		}
	}
	if _, err := change(engine.UseModel, "nobody"); err == nil {
		t.Error("a model that is not there was chosen")
	}
	if _, err := change("paint", "x"); err == nil {
		t.Error("models can be painted")
	}
	path := keeper.App.Home.ConfigFile()
	if err := os.WriteFile(path, []byte("[answer\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := keeper.Models(t.Context()); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("wrong settings: %v", err)
	}
}
