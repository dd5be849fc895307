package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/testapp"
)

func TestFiltersHoldInsideRetrieval(t *testing.T) {
	files := map[string]string{
		"keep/rare.md":  "# Cooking\n\nA stew of lentils and carrots, slowly simmered.\n",
		"keep/other.go": "package main\n\n// fixDNS restarts the resolver of the router.\nfunc fixDNS() {}\n",
	}
	for _, n := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		files["many/"+n+".md"] = "# Router " + n + "\n\nThe DNS resolver of the router failed; the name server did not answer.\n"
	}
	a := testapp.New(t)
	owner := testapp.Own(t, a, testapp.Notes(t, files))
	for query, want := range map[string]string{
		"router dns path:rare":                "rare.md",
		"router dns ext:go":                   "other.go",
		"router dns -path:many -ext:go":       "rare.md",
		`"resolver of the router." -failed`:   "other.go",
		`"name server" path:many/c*`:          "c.md",
		`"Name   SERVER did not" path:*/z.m?`: "z.md",
		"router -resolver":                    "rare.md",
		`"server name"`:                       "",
		"dns after:1d before:2000":            "",
	} {
		if got := testapp.Names(testapp.Search(t, owner, query)); got != want {
			t.Errorf("%s: found %q, want %q", query, got, want)
		}
	}
	if got := len(testapp.Search(t, owner, "ext:md").Passages); got != 10 {
		t.Errorf("filters alone list %d files, want 10", got)
	}
}

func TestPassagesPointAtTheirLines(t *testing.T) {
	a := testapp.New(t)
	dir := testapp.Notes(t, map[string]string{"n.md": "# Bread\n\nFlour and water.\n\n# Bicycle\n\nThe derailleur hanger was bent.\n"})
	owner := testapp.Own(t, a, dir)
	p := testapp.Search(t, owner, "derailleur").Passages[0]
	lines := strings.Split("# Bread\n\nFlour and water.\n\n# Bicycle\n\nThe derailleur hanger was bent.\n", "\n")
	if !strings.Contains(strings.Join(lines[p.LineStart-1:p.LineEnd], "\n"), "derailleur") {
		t.Errorf("lines %d-%d do not hold the word", p.LineStart, p.LineEnd)
	}
	if len(p.Highlights) != 1 || p.Text[p.Highlights[0].Start:p.Highlights[0].End] != "derailleur" {
		t.Errorf("highlights %v in %q", p.Highlights, p.Text)
	}
	preview, err := owner.Preview(t.Context(), p, 100, 100)
	if err != nil || preview.LineTotal != 7 || preview.FirstLine != 1 || preview.Lines[6] != lines[6] {
		t.Errorf("preview %+v, %v", preview, err)
	}
	if _, err := owner.Preview(t.Context(), engine.Passage{Path: "/etc/passwd"}, 1, 1); !errors.Is(err, engine.ErrFileGone) {
		t.Errorf("a file outside of the index was shown: %v", err)
	}
}

func TestStalePassagesAreMarked(t *testing.T) {
	a := testapp.New(t)
	dir := testapp.Notes(t, map[string]string{"a.md": "The heron stood in the reeds.\n", "b.md": "A kingfisher dived.\n"})
	owner := testapp.Own(t, a, dir)
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("Something else.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := testapp.Search(t, owner, "heron").Passages[0]
	if !p.Stale || strings.Contains(p.Text, "heron") {
		t.Errorf("passage %+v shows text that is not there any more", p)
	}
	if err := os.Remove(filepath.Join(dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	if got := testapp.Names(testapp.Search(t, owner, "heron")); got != "b.md" {
		t.Errorf("found %q after the file was deleted", got)
	}
}
