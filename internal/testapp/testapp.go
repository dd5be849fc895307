// Package testapp has tests open a dowse with a home of their own.
package testapp

import (
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/indexes"
	"dowse/internal/testcache"
	"dowse/internal/testenv"
)

// New is a dowse with a home of its own, or the test is skipped: it needs
// the default model.
func New(t testing.TB) *app.App {
	t.Helper()
	testcache.Home(t)
	a, err := app.New()
	if err != nil {
		t.Fatal(err)
	}
	a.Config.Depth = engine.RerankDepth // however fast this machine is
	return a
}

// CloseAfter closes a service when the test ends.
func CloseAfter(t testing.TB, s engine.Service) {
	t.Helper()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Own makes the app's process the owner and indexes folders.
func Own(t testing.TB, a *app.App, folders ...string) *indexes.Owner {
	t.Helper()
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	CloseAfter(t, owner)
	if len(folders) > 0 {
		if _, err := owner.Index(t.Context(), folders, nil); err != nil {
			t.Fatal(err)
		}
	}
	return owner
}

// Notes writes files into a new folder.
func Notes(t *testing.T, files map[string]string) string {
	t.Helper()
	return testenv.Folder(t, files)
}

// Search asks for ten passages.
func Search(t *testing.T, s engine.Searcher, query string) *engine.Result {
	t.Helper()
	r, err := s.Search(t.Context(), engine.Request{Query: query, K: 10}, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return r
}

// Names lists the file names of a result in order.
func Names(r *engine.Result) string {
	var out []string
	for _, p := range r.Passages {
		out = append(out, filepath.Base(p.Path))
	}
	return strings.Join(out, " ")
}

// Require ends the test at an error.
func Require(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
