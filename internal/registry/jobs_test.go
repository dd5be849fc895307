package registry

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/internal/home"
	"dowse/internal/testanswer"
	"dowse/models"
)

// writer is the name of a small model that writes, trained that of a job on it.
const (
	writer  = testanswer.Writer
	trained = testanswer.Trained
)

// bare is a registry with a home of its own, in which nothing is installed.
func bare(t testing.TB) *Registry {
	t.Helper()
	dir := t.TempDir()
	a := &Registry{Home: home.Home{Data: filepath.Join(dir, "index"), Cache: filepath.Join(dir, "cache")}}
	a.Config.Threads = 2
	return a
}

// installTrained is a registry whose answerer is an adapter on the model writer.
func installTrained(t testing.TB) *Registry {
	t.Helper()
	a := bare(t)
	testanswer.Install(t, func(name, path, adapter string) error {
		return a.AddModel(t.Context(), name, path, adapter, "", nil)
	})
	a.Config.Answerer = trained
	return a
}

// TestJobsAreListed with what they stand on and how they are done.
func TestJobsAreListed(t *testing.T) {
	a := installTrained(t)
	list, err := a.Models()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(m Model) bool { return m.Name == trained })
	if i < 0 || list[i].Role != "answerer" || list[i].Source != "on writer with an adapter, prompt passages, declines from 0.895" || !list[i].InUse {
		t.Errorf("%+v", list)
	}
}

// TestBaseThatIsNeededStays until what stands on it is removed.
func TestBaseThatIsNeededStays(t *testing.T) {
	a := installTrained(t)
	if err := a.RemoveModel(writer); err == nil || !strings.Contains(err.Error(), "is needed by trained; remove that first") {
		t.Errorf("removed: %v", err)
	}
	if err := errors.Join(a.RemoveModel(trained), a.RemoveModel(writer)); err != nil {
		t.Error(err)
	}
	if err := a.RemoveModel(writer); err == nil || !strings.Contains(err.Error(), "is not installed") {
		t.Errorf("removed twice: %v", err)
	}
}

// A model of the catalogue that stands on another one is got after that.
func TestWithBases(t *testing.T) {
	lookup := func(name string) (models.Entry, bool) {
		return models.Entry{Name: name, Base: map[string]string{"job": "base", "other": "base"}[name]}, name != "unknown"
	}
	got := withBases([]string{"a", "job", "unknown", "other"}, lookup)
	if want := []string{"a", "base", "job", "unknown", "base", "other"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
