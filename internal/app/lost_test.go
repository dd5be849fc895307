package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/endpoint/endpointtest"
	"dowse/internal/app"
	"dowse/internal/testapp"
	"dowse/internal/testcache"
)

// TestNoWordsAreLost indexes small files of which each once lost words, in as many ways as
// files are made, and asks for each by words alone. testdata/lost has a folder a kind of
// loss and, beside it, a list: the file, and the query that has to find it first.
func TestNoWordsAreLost(t *testing.T) {
	if testing.Short() {
		t.Skip("one file after the other, PDF among them: nothing for the race detector")
	}
	root, err := filepath.Abs(filepath.Join("..", "..", "testdata", "lost"))
	if err != nil {
		t.Fatal(err)
	}
	lists, err := filepath.Glob(filepath.Join(root, "*.tsv"))
	if err != nil || len(lists) == 0 {
		t.Fatalf("no lists below %s: %v", root, err)
	}
	kinds := make([]string, len(lists)) // the lists themselves would be found for each query
	for i, list := range lists {
		kinds[i] = strings.TrimSuffix(list, ".tsv")
	}
	served(t, startVectors(t, endpointtest.LlamaCpp), rerankOff) // nothing is asked by meaning
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))                 // has what reads PDF files
	a, err := app.New()
	testapp.Require(t, err)
	owner := testapp.Own(t, a, kinds...)
	for i, list := range lists {
		t.Run(filepath.Base(kinds[i]), func(t *testing.T) { findsEach(t, owner, root, list) })
	}
}

// findsEach asks for each file of a list.
func findsEach(t *testing.T, s engine.Searcher, root, list string) {
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		path, query, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !ok {
			t.Fatalf("line %q has no tab", line)
		}
		r, err := s.Search(t.Context(), engine.Request{Query: query, Mode: engine.Lexical, K: 3}, nil)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if len(r.Passages) == 0 || r.Passages[0].Path != filepath.Join(root, filepath.FromSlash(path)) {
			t.Errorf("%s\n asked %s\n found %s", path, query, testapp.Names(r))
		}
	}
}
