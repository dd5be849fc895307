package home

import (
	"path/filepath"
	"testing"
)

func TestExpandTilde(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	for path, want := range map[string]string{
		"~":           dir,
		"~/":          dir,
		"~/a/../b":    filepath.Join(dir, "b"),
		"~anna/notes": "~anna/notes",
		"/~/notes":    "/~/notes",
		"":            "",
	} {
		if got, err := ExpandTilde(path); err != nil || got != want {
			t.Errorf("ExpandTilde(%q) = %q, %v, want %q", path, got, err, want)
		}
	}
	t.Setenv("HOME", "")
	if got, err := ExpandTilde("~/notes"); err == nil {
		t.Errorf("without a home folder ~/notes is %q, want an error", got)
	}
	if got, err := ExpandTilde("notes"); err != nil || got != "notes" {
		t.Errorf("without a home folder notes is %q, %v", got, err)
	}
}
