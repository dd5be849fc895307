package indexes_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/app"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
	"dowse/store"
)

func TestOthersAskTheOwner(t *testing.T) {
	a := testapp.New(t)
	dir := testapp.Notes(t, map[string]string{"a.md": "A heron.\n"})
	owner := testapp.Own(t, a, dir)
	client, err := a.Open(t.Context(), indexes.Read)
	if err != nil {
		t.Fatal(err)
	}
	testapp.CloseAfter(t, client)
	mine, theirs := testapp.Search(t, owner, "heron"), testapp.Search(t, client, "heron")
	if !theirs.Stats.Warm || mine.Passages[0].Score != theirs.Passages[0].Score {
		t.Errorf("owner %+v, client %+v", mine, theirs)
	}
	more := testapp.Notes(t, map[string]string{"c.md": "A cormorant.\n"})
	if r, err := client.Index(t.Context(), []string{more}, nil); err != nil || r.Files != 1 {
		t.Errorf("index through the client: %+v, %v", r, err)
	}
	if got := testapp.Names(testapp.Search(t, owner, "cormorant")); !strings.HasPrefix(got, "c.md") {
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
			a := testapp.New(t)
			dir := testapp.Notes(t, map[string]string{"a.md": "A heron.\n"})
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
			owner := testapp.Own(t, a, dir)
			if got := testapp.Names(testapp.Search(t, owner, "heron")); got != "a.md" {
				t.Errorf("found %q", got)
			}
			aside, err := filepath.Glob(a.Home.Index() + ".*-*")
			if err != nil || (len(aside) == 1) != (name == "foreign") {
				t.Errorf("a file that is no index is kept, a damaged index is not: %q, %v", aside, err)
			}
		})
	}
}

// TestOpenWaitsForOneThatEnds: an owner that ends serves nobody any more and still has the store. Who comes then is told,
// and gets the index when it is free.
func TestOpenWaitsForOneThatEnds(t *testing.T) {
	a := testapp.New(t)
	dir := testapp.Notes(t, map[string]string{"a.md": "A heron.\n"})
	first, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	_, err = first.Index(t.Context(), []string{dir}, nil)
	if err := errors.Join(err, first.Close()); err != nil {
		t.Fatal(err)
	}
	ending, err := store.Open(a.Home.Index(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan string, 1)
	a.Tell = func(sentence string) {
		told <- sentence
		if err := ending.Close(); err != nil {
			t.Error(err)
		}
	}
	s, err := a.Open(t.Context(), indexes.Read)
	if err != nil {
		t.Fatal(err)
	}
	testapp.CloseAfter(t, s)
	if got := <-told; !strings.Contains(got, "about to end") {
		t.Errorf("told %q", got)
	}
	if got := testapp.Names(testapp.Search(t, s, "heron")); got != "a.md" {
		t.Errorf("found %q", got)
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	a := testapp.New(t)
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
	file := filepath.Join(testapp.Notes(t, map[string]string{"f.md": "x"}), "f.md")
	if _, err := app.ResolveFolder(file); err == nil || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("a file: %v", err)
	}
	if _, err := os.Stat(filepath.Join(a.Home.Data, "index.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a failed command left an index behind")
	}
}
