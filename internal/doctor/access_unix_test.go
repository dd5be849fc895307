//go:build unix

package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/internal/app"
	"dowse/internal/testapp"
)

// TestDoctorTellsWhoElseMayReadTheIndex opens folders of dowse to others.
func TestDoctorTellsWhoElseMayReadTheIndex(t *testing.T) {
	t.Setenv("DOWSE_HOME", t.TempDir())
	a, err := app.New()
	testapp.Require(t, err)
	access := func() Finding {
		t.Helper()
		findings := Examine(t.Context(), a)
		i := slices.IndexFunc(findings, func(f Finding) bool { return f.Topic == "access" })
		if i < 0 {
			t.Fatalf("findings %+v", findings)
		}
		return findings[i]
	}
	if f := access(); f.Level != Fine {
		t.Errorf("nothing is there: %+v", f)
	}
	answers := filepath.Join(a.Home.Data, "answers")
	testapp.Require(t, os.MkdirAll(answers, 0o700))
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
		testapp.Require(t, os.Chmod(c.dir, c.mode))
		if f := access(); f.Level != Warning || !strings.Contains(f.Detail, c.says) {
			t.Errorf("%+v, want it to say %q", f, c.says)
		}
		testapp.Require(t, os.Chmod(c.dir, 0o700))
		if f := access(); f.Level != Fine {
			t.Errorf("%+v", f)
		}
	}
}
