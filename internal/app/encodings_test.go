package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/home"
	"dowse/internal/testapp"
)

// TestEncodingOfAFolder: a file whose letters tell of another encoding is found by its right words
// once the settings name the right one, and the passage is as it was indexed.
func TestEncodingOfAFolder(t *testing.T) {
	dir := testapp.Notes(t, map[string]string{"letters/key.txt": "klucz u Zo\x9cki\n", "birds.md": "A heron stood in the reeds.\n"})
	link := filepath.Join(t.TempDir(), "link")
	testapp.Require(t, os.Symlink(dir, link))
	a := testapp.New(t)
	for _, step := range []struct {
		settings string
		found    bool
	}{
		{"", false},
		{"[extract.encoding]\n'" + filepath.Join(link, "letters") + "' = 'windows-1250'\n", true},
		{"", false},
	} {
		testapp.Require(t, os.WriteFile(a.Home.ConfigFile(), []byte(step.settings), 0o600))
		a, err := app.New()
		testapp.Require(t, err)
		owner, err := a.OpenOwner(t.Context(), func() {})
		testapp.Require(t, err)
		_, err = owner.Index(t.Context(), []string{dir}, nil)
		testapp.Require(t, err)
		r, err := owner.Search(t.Context(), engine.Request{Query: "zośki", Mode: engine.Lexical}, func(engine.Event) {})
		testapp.Require(t, err)
		if len(r.Passages) > 0 != step.found {
			t.Errorf("%q: %d passages", step.settings, len(r.Passages))
		}
		for _, p := range r.Passages {
			if p.Path != filepath.Join(dir, "letters", "key.txt") || p.Stale || !strings.Contains(p.Text, "Zośki") {
				t.Errorf("%q: %+v", step.settings, p)
			}
		}
		testapp.Require(t, owner.Close())
	}
}

// TestWrongEncodingIsRefused: the error names the setting and the nearest name.
func TestWrongEncodingIsRefused(t *testing.T) {
	t.Setenv("DOWSE_HOME", t.TempDir())
	h, err := home.Find()
	testapp.Require(t, err)
	for name, want := range map[string]string{"windows1250": `such as "windows-1250"`, "cp852": `such as "IBM852"`, "utf-8": "want an old encoding"} {
		testapp.Require(t, os.WriteFile(h.ConfigFile(), []byte("[extract.encoding]\n'/mnt/letters' = '"+name+"'\n"), 0o600))
		if _, err := app.New(); err == nil || !strings.Contains(err.Error(), h.ConfigFile()+`: extract.encoding."/mnt/letters" = "`+name+`": `) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
