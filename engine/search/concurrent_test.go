package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"dowse/engine"
)

// TestSearchesWhileCommitsHappen gives every commit a mark: all files carry
// the number of the last commit, so that a search that saw parts of two of
// them would show two numbers.
func TestSearchesWhileCommitsHappen(t *testing.T) {
	const seed, files, commits = 11, 6, 40
	w := newWorld(t)
	generation := func(n int) []file {
		all := make([]file, files)
		for i := range all {
			// Each generation has paths of its own: the disk holds them all.
			all[i] = file{fmt.Sprintf("%s/g%02d/f%d.md", root, n, i), fmt.Sprintf("heron generation%d\n\nreeds\n", n), on(1, 1)}
		}
		return all
	}
	for n := range commits {
		for _, f := range generation(n) {
			w.disk.write(f.path, f.text)
		}
	}
	if err := w.replace(nil, generation(0)); err != nil {
		t.Fatal(err)
	}
	stop, end := context.WithCancel(t.Context())
	var searching sync.WaitGroup
	for worker := range uint64(4) {
		searching.Go(func() {
			rng := rand.New(rand.NewPCG(seed, worker))
			for stop.Err() == nil {
				ctx, cancel := context.WithCancel(t.Context())
				if rng.IntN(4) == 0 {
					cancel()
				}
				query := []string{"heron", `"heron"`, "path:g*", "heron -reeds"}[rng.IntN(4)]
				r, err := w.Search(ctx, engine.Request{Query: query, K: 20}, nil)
				cancel()
				if err != nil {
					if !errors.Is(err, context.Canceled) {
						t.Errorf("%s: %v", query, err)
					}
					continue
				}
				checkOneCommit(t, r, files)
			}
		})
	}
	for n := 1; n < commits; n++ {
		if err := w.replace(generation(n-1), generation(n)); err != nil {
			t.Error(err)
		}
		w.Publish(engine.Event{Changed: &engine.Changed{Added: n}})
	}
	end()
	searching.Wait()
	if got := w.search(engine.Request{Query: "heron", Mode: engine.Lexical}); !strings.Contains(got.Passages[0].Path, fmt.Sprintf("/g%02d/", commits-1)) {
		t.Errorf("the last commit is not seen: %s", got.Passages[0].Path)
	}
}

func checkOneCommit(t *testing.T, r *engine.Result, files int) {
	if r.Stats.Files != files {
		t.Errorf("%s: %d files, want %d", r.Query, r.Stats.Files, files)
	}
	for _, p := range r.Passages {
		if filepath.Dir(p.Path) != filepath.Dir(r.Passages[0].Path) || p.Stale {
			t.Errorf("%s: %s beside %s", r.Query, p.Path, r.Passages[0].Path)
		}
	}
}

func TestEqualSearchesGiveEqualResults(t *testing.T) {
	w := randomWorld(t, rand.New(rand.NewPCG(3, 3)), 40)
	req := engine.Request{Query: "heron dns lentils -router", K: 25}
	want := w.search(req).Passages
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			r, err := w.Search(t.Context(), req, func(engine.Event) {})
			if err != nil || !reflect.DeepEqual(r.Passages, want) {
				t.Errorf("other passages than before, %v", err)
			}
		})
	}
	running.Wait()
}
