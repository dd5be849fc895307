package app_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/indexes"
	"dowse/internal/testcache"
)

// newApp is a dowse with a home of its own, or the test is skipped: it needs
// the default model.
func newApp(t testing.TB) *app.App {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	t.Setenv("DOWSE_HOME", t.TempDir())
	a, err := app.New()
	if err != nil {
		t.Fatal(err)
	}
	a.Config.Depth = engine.RerankDepth // however fast this machine is
	return a
}

// closeAfter closes a service when the test ends.
func closeAfter(t testing.TB, s engine.Service) {
	t.Helper()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// own makes the app's process the owner and indexes folders.
func own(t testing.TB, a *app.App, folders ...string) *indexes.Owner {
	t.Helper()
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, owner)
	if len(folders) > 0 {
		if _, err := owner.Index(t.Context(), folders, nil); err != nil {
			t.Fatal(err)
		}
	}
	return owner
}

// notes writes files into a new folder.
func notes(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func search(t *testing.T, s engine.Searcher, query string) *engine.Result {
	t.Helper()
	r, err := s.Search(t.Context(), engine.Request{Query: query, K: 10}, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return r
}

// names lists the file names of a result in order.
func names(r *engine.Result) string {
	var out []string
	for _, p := range r.Passages {
		out = append(out, filepath.Base(p.Path))
	}
	return strings.Join(out, " ")
}

func TestFiltersHoldInsideRetrieval(t *testing.T) {
	files := map[string]string{
		"keep/rare.md":  "# Cooking\n\nA stew of lentils and carrots, slowly simmered.\n",
		"keep/other.go": "package main\n\n// fixDNS restarts the resolver of the router.\nfunc fixDNS() {}\n",
	}
	for _, n := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		files["many/"+n+".md"] = "# Router " + n + "\n\nThe DNS resolver of the router failed; the name server did not answer.\n"
	}
	a := newApp(t)
	owner := own(t, a, notes(t, files))
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
		if got := names(search(t, owner, query)); got != want {
			t.Errorf("%s: found %q, want %q", query, got, want)
		}
	}
	if got := len(search(t, owner, "ext:md").Passages); got != 10 {
		t.Errorf("filters alone list %d files, want 10", got)
	}
}

func TestPassagesPointAtTheirLines(t *testing.T) {
	a := newApp(t)
	dir := notes(t, map[string]string{"n.md": "# Bread\n\nFlour and water.\n\n# Bicycle\n\nThe derailleur hanger was bent.\n"})
	owner := own(t, a, dir)
	p := search(t, owner, "derailleur").Passages[0]
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
	a := newApp(t)
	dir := notes(t, map[string]string{"a.md": "The heron stood in the reeds.\n", "b.md": "A kingfisher dived.\n"})
	owner := own(t, a, dir)
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("Something else.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := search(t, owner, "heron").Passages[0]
	if !p.Stale || strings.Contains(p.Text, "heron") {
		t.Errorf("passage %+v shows text that is not there any more", p)
	}
	if err := os.Remove(filepath.Join(dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	if got := names(search(t, owner, "heron")); got != "b.md" {
		t.Errorf("found %q after the file was deleted", got)
	}
}

func TestOthersAskTheOwner(t *testing.T) {
	a := newApp(t)
	dir := notes(t, map[string]string{"a.md": "A heron.\n"})
	owner := own(t, a, dir)
	client, err := a.Open(t.Context(), indexes.Read)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, client)
	mine, theirs := search(t, owner, "heron"), search(t, client, "heron")
	if !theirs.Stats.Warm || mine.Passages[0].Score != theirs.Passages[0].Score {
		t.Errorf("owner %+v, client %+v", mine, theirs)
	}
	more := notes(t, map[string]string{"c.md": "A cormorant.\n"})
	if r, err := client.Index(t.Context(), []string{more}, nil); err != nil || r.Files != 1 {
		t.Errorf("index through the client: %+v, %v", r, err)
	}
	if got := names(search(t, owner, "cormorant")); !strings.HasPrefix(got, "c.md") {
		t.Errorf("found %q", got)
	}
}

func TestUnusableIndexIsReplacedAndNotLost(t *testing.T) {
	for name, damage := range map[string]func(string) error{
		"foreign":   func(p string) error { return os.WriteFile(p, []byte("a letter to my aunt\n"), 0o600) },
		"empty":     func(p string) error { return os.WriteFile(p, nil, 0o600) },
		"truncated": func(p string) error { return os.Truncate(p, 5000) },
	} {
		t.Run(name, func(t *testing.T) {
			a := newApp(t)
			dir := notes(t, map[string]string{"a.md": "A heron.\n"})
			first, err := a.OpenOwner(t.Context(), func() {})
			if err != nil {
				t.Fatal(err)
			}
			_, err = first.Index(t.Context(), []string{dir}, nil)
			if err := errors.Join(err, first.Close(), damage(a.Home.Index())); err != nil {
				t.Fatal(err)
			}
			if name != "empty" {
				if _, err := a.Open(t.Context(), indexes.Read); err == nil || !strings.Contains(err.Error(), "dowse index") {
					t.Errorf("opened for reading: %v", err)
				}
			}
			owner := own(t, a, dir)
			if got := names(search(t, owner, "heron")); got != "a.md" {
				t.Errorf("found %q", got)
			}
			aside, err := filepath.Glob(a.Home.Index() + ".*-*")
			if err != nil || (len(aside) == 1) != (name == "foreign") {
				t.Errorf("a file that is no index is kept, a damaged index is not: %q, %v", aside, err)
			}
		})
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	a := newApp(t)
	if _, err := a.Open(t.Context(), indexes.Read); err == nil || !strings.Contains(err.Error(), "dowse index DIR") {
		t.Errorf("no index: %v", err)
	}
	a.Config.Model = "no-such-model"
	if _, err := a.OpenOwner(context.Background(), func() {}); err == nil || !strings.Contains(err.Error(), "dowse models pull") {
		t.Errorf("no model: %v", err)
	}
	if _, err := app.ResolveFolder("no/such/folder"); err == nil || !strings.Contains(err.Error(), "dowse -q") {
		t.Errorf("no folder: %v", err)
	}
	file := filepath.Join(notes(t, map[string]string{"f.md": "x"}), "f.md")
	if _, err := app.ResolveFolder(file); err == nil || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("a file: %v", err)
	}
	if _, err := os.Stat(filepath.Join(a.Home.Data, "index.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a failed command left an index behind")
	}
}
