package store

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRunsAsSets compares sorted, gaps and hold with a set of ids.
func TestRunsAsSets(t *testing.T) {
	for _, c := range []struct {
		runs, sorted, gaps Runs // gaps below 12
		once               bool
	}{
		{nil, nil, Runs{{0, 12}}, true},
		{Runs{{0, 12}}, Runs{{0, 12}}, nil, true},
		{Runs{{8, 2}, {3, 1}, {4, 2}}, Runs{{3, 3}, {8, 2}}, Runs{{0, 3}, {6, 2}, {10, 2}}, true},
		{Runs{{3, 2}, {4, 1}}, nil, nil, false},
	} {
		sorted, once := c.runs.sorted()
		if once != c.once || once && !slices.Equal(sorted, c.sorted) {
			t.Errorf("%v is sorted %v, %t", c.runs, sorted, once)
		}
		if !once {
			continue
		}
		var gaps Runs
		sorted.gaps(12, func(gap Run) { gaps = append(gaps, gap) })
		if !slices.Equal(gaps, c.gaps) {
			t.Errorf("%v leaves out %v, want %v", sorted, gaps, c.gaps)
		}
		ids := map[uint32]bool{}
		for _, id := range c.runs.All() {
			ids[id] = true
		}
		for first := range uint32(12) {
			all := true
			for n := uint32(1); n < 13-first; n++ {
				all = all && ids[first+n-1]
				if sorted.hold(Run{first, n}) != all {
					t.Errorf("%v: holds %d from %d is not %t", sorted, n, first, all)
				}
			}
		}
	}
}

// TestCheckFindsIDsOfTwoFiles stores a file whose chunks have the ids of another.
func TestCheckFindsIDsOfTwoFiles(t *testing.T) {
	db, err := Open(filepath.Join(t.TempDir(), "index.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // nothing is written after the check
	err = db.Update(func(tx *Tx) error {
		f := File{Path: "/a"}
		if err := tx.PutFile(&f, make([]Chunk, 3)); err != nil {
			return err
		}
		tx.counters.nextChunk-- // the next file gets the last id again
		return tx.PutFile(&File{Path: "/b"}, make([]Chunk, 2))
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	if _, err := db.Check(t.Context(), func(p Problem) { found = append(found, p.What) }); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(found, func(what string) bool { return strings.Contains(what, "two chunks have the same id") }) {
		t.Errorf("check found %q", found)
	}
}
