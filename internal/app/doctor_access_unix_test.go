//go:build unix

package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/internal/app"
)

// TestIndexIsKeptFromOthers opens the index to others, and the next owner takes
// that back.
func TestIndexIsKeptFromOthers(t *testing.T) {
	a := newApp(t)
	require(t, os.MkdirAll(a.Home.Data, 0o700))
	require(t, os.Chmod(a.Home.Data, 0o777))
	own(t, a, notes(t, map[string]string{"a.md": "a heron\n"}))
	for _, dir := range []string{a.Home.Data, filepath.Dir(a.Home.Socket())} {
		info, err := os.Stat(dir)
		require(t, err)
		if mode := info.Mode().Perm(); mode != 0o700 {
			t.Errorf("%s has mode %o", dir, mode)
		}
	}
}

// TestDoctorTellsWhoElseMayReadTheIndex opens folders of dowse to others.
func TestDoctorTellsWhoElseMayReadTheIndex(t *testing.T) {
	t.Setenv("DOWSE_HOME", t.TempDir())
	a, err := app.New()
	require(t, err)
	access := func() app.Finding {
		t.Helper()
		findings := a.Doctor(t.Context())
		i := slices.IndexFunc(findings, func(f app.Finding) bool { return f.Topic == "access" })
		if i < 0 {
			t.Fatalf("findings %+v", findings)
		}
		return findings[i]
	}
	if f := access(); f.Level != app.Fine {
		t.Errorf("nothing is there: %+v", f)
	}
	answers := filepath.Join(a.Home.Data, "answers")
	require(t, os.MkdirAll(answers, 0o700))
	for _, c := range []struct {
		dir  string
		mode os.FileMode
		says string
	}{
		{a.Home.Data, 0o750, "others may read what is in " + a.Home.Data + "; chmod go-rwx"},
		{answers, 0o755, "others may read what is in " + answers},
		{a.Home.Data, 0o777, "others may change what is in " + a.Home.Data},
		{a.Home.Config, 0o775, "others may change what is in " + a.Home.Config + "; chmod go-w"},
	} {
		require(t, os.Chmod(c.dir, c.mode))
		if f := access(); f.Level != app.Warning || !strings.Contains(f.Detail, c.says) {
			t.Errorf("%+v, want it to say %q", f, c.says)
		}
		require(t, os.Chmod(c.dir, 0o700))
		if f := access(); f.Level != app.Fine {
			t.Errorf("%+v", f)
		}
	}
}
