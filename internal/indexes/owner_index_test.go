package indexes_test

import (
	"os"
	"strings"
	"testing"

	"dowse/engine"
)

// TestChangedSettingsAreTold: who has a process index that began with other settings of reading files hears so.
func TestChangedSettingsAreTold(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("DOWSE_HOME", t.TempDir())
	installSmall(t, chooses(t, newModel))
	a := chooses(t, newModel)
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := owner.Close(); err != nil {
			t.Error(err)
		}
	}()
	dir := birdNotes(t, 2)
	told := func() (n int) {
		_, err := owner.Index(t.Context(), []string{dir}, func(e engine.Event) {
			if strings.Contains(e.Problem, "the settings were changed") {
				n++
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before, err := os.ReadFile(a.Home.ConfigFile())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		settings string
		want     int
	}{
		{string(before), 0},
		{string(before) + "\n[extract]\nsecrets = true\n", 1},
		{"hidden = true\n" + string(before), 1},
		{string(before) + "\n[answer]\nmodel = \"extract\"\n", 0},
	} {
		if err := os.WriteFile(a.Home.ConfigFile(), []byte(c.settings), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := told(); got != c.want {
			t.Errorf("told %d times of %q, want %d", got, c.settings, c.want)
		}
	}
}
