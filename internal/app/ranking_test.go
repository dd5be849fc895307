package app_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/testapp"
	"dowse/internal/testcache"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fileRank is the place of the first passage of a file, from 1; 0 if none.
func fileRank(r *engine.Result, path string) int {
	return 1 + slices.IndexFunc(r.Passages, func(p engine.Passage) bool { return p.Path == path })
}

// TestRankingGolden asks sixty questions over the sample notes, each with one
// right note, in every mode. A change of ranking shows as a readable diff of
// testdata/ranking.golden, which is written by go test -update.
func TestRankingGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers, of three hundred searches")
	}
	a, root := sampleNotes(t)
	owner := testapp.Own(t, a)
	queries, err := os.ReadFile(filepath.Join(root, "queries.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	modes := []engine.Mode{engine.Lexical, engine.Vector, engine.RRF, engine.Hybrid, engine.Reranked}
	var lines []string
	sums := map[engine.Mode]float64{}
	firsts := map[engine.Mode]int{}
	n := 0
	for line := range strings.Lines(string(queries)) {
		query, path, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Fatalf("line %q has no tab", line)
		}
		n++
		text := fmt.Sprintf("%s -> %s:", query, path)
		for _, mode := range modes {
			r, err := owner.Search(t.Context(), engine.Request{Query: query, Mode: mode, K: 10}, nil)
			if err != nil {
				t.Fatal(err)
			}
			rank := fileRank(r, filepath.Join(root, "notes", path))
			text += fmt.Sprintf(" %s %d", mode, rank)
			if rank > 0 {
				sums[mode] += 1 / float64(rank)
			}
			if rank == 1 {
				firsts[mode]++
			}
		}
		lines = append(lines, text)
	}
	for _, mode := range modes {
		lines = append(lines, fmt.Sprintf("%s: first %d of %d, MRR@10 %.4f", mode, firsts[mode], n, sums[mode]/float64(n)))
	}
	compareGolden(t, filepath.Join("testdata", "ranking.golden"), strings.Join(lines, "\n")+"\n")
}

// sampleIndex is where the index of the sample notes is kept once a test has built it.
var sampleIndex struct {
	once   sync.Once
	folder string
}

// sampleNotes returns a dowse that has the sample notes indexed, and testdata: each test
// has a copy of one index.
func sampleNotes(t *testing.T) (a *app.App, root string) {
	t.Helper()
	a = testapp.New(t)
	root, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	sampleIndex.once.Do(func() {
		owner, err := a.OpenOwner(t.Context(), func() {})
		if err != nil {
			t.Fatal(err)
		}
		_, err = owner.Index(t.Context(), []string{filepath.Join(root, "notes")}, nil)
		testapp.Require(t, errors.Join(err, owner.Close()))
		folder := filepath.Join(os.Getenv("HOME"), "samples") // gone when the tests have ended
		testapp.Require(t, os.CopyFS(folder, os.DirFS(a.Home.Data)))
		sampleIndex.folder = folder
		testapp.Require(t, os.RemoveAll(a.Home.Data))
	})
	testapp.Require(t, os.CopyFS(a.Home.Data, os.DirFS(sampleIndex.folder)))
	return a, root
}

// compareGolden compares text with a golden file, or writes it with -update.
func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(data), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(want) || line != want[i] {
			old := "(nothing)"
			if i < len(want) {
				old = want[i]
			}
			t.Errorf("line %d of %s\n was %s\n now %s", i+1, path, old, line)
		}
	}
}

// test-full indexes all 1,873 short notes and asks for each by its title. Otherwise
// every fourth topic is indexed, which is just enough for codes, and every titleStep-th
// title asked for.
const titleStep = 12

// TestTitlesFindTheirNotes indexes short notes and asks for some by their title: the
// note must be among the first three passages for 95%.
func TestTitlesFindTheirNotes(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes a thousand notes")
	}
	til, err := filepath.Abs(filepath.Join("..", "..", "..", "shared", "data", "corpus", "til"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(til); err != nil {
		t.Skip("no shared test data beside the repository")
	}
	step := 1
	if os.Getenv(testcache.FullVariable) == "" {
		til, step = everyEighthTopic(t, til), titleStep
	}
	a := testapp.New(t)
	owner := testapp.Own(t, a, til)
	titles, asked, found, reranked, kept := 0, 0, 0, 0, 0
	err = filepath.WalkDir(til, func(path string, e os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".md") || filepath.Dir(path) == til {
			return err // the notes are in folders by topic
		}
		title, err := firstHeading(path)
		if titles++; err != nil || title == "" || titles%step != 0 {
			return err
		}
		resolved, err := filepath.EvalSymlinks(path)
		if err != nil {
			return err
		}
		request := engine.Request{Query: strings.NewReplacer(`"`, " ", ":", " ", " -", " ").Replace(title), K: 3, Mode: engine.Hybrid}
		r, err := owner.Search(t.Context(), request, nil)
		if err != nil {
			return err
		}
		if asked%10 == 0 { // reranking takes its time
			request.Mode = engine.Reranked
			again, err := owner.Search(t.Context(), request, nil)
			if err != nil {
				return err
			}
			reranked++
			if fileRank(again, resolved) > 0 {
				kept++
			}
		}
		asked++
		if fileRank(r, resolved) > 0 {
			found++
		} else if asked-found <= 5 {
			t.Logf("not found by its title: %s", filepath.Base(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	share := float64(found) / float64(asked)
	t.Logf("%d of %d notes found by their title in the top 3: %.1f%%", found, asked, 100*share)
	if share < 0.95 {
		t.Errorf("%.1f%% found, want 95%%", 100*share)
	}
	t.Logf("%d of %d reranked", kept, reranked)
	if float64(kept) < 0.95*float64(reranked) {
		t.Errorf("%d of %d titles found with the reranker, want 95%%", kept, reranked)
	}
}

// everyEighthTopic copies an eighth of the folders of a folder and returns the copy.
func everyEighthTopic(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	copied, topics := t.TempDir(), 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if topics++; topics%8 == 2 {
			if err := os.CopyFS(filepath.Join(copied, e.Name()), os.DirFS(filepath.Join(folder, e.Name()))); err != nil {
				t.Fatal(err)
			}
		}
	}
	return copied
}

// firstHeading is the first Markdown heading of a file.
func firstHeading(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read from
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if title, ok := strings.CutPrefix(lines.Text(), "# "); ok {
			return title, nil
		}
	}
	return "", lines.Err()
}
