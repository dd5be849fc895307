package store_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dowse/store"
)

// TestFactsLikeMaps puts, replaces and deletes files with facts, and compares what marks
// lead to with a look at all of them.
func TestFactsLikeMaps(t *testing.T) {
	if testing.Short() {
		t.Skip("one step after the other: nothing for the race detector")
	}
	db := open(t, filepath.Join(t.TempDir(), "index.db"), store.Options{})
	random := rand.New(rand.NewPCG(5, 8))
	all := map[uint32]store.Facts{}
	some := func(of string, n int) (list []string) {
		for range random.IntN(3) {
			list = append(list, fmt.Sprint(of, random.IntN(n)))
		}
		return list
	}
	for range 40 {
		err := db.Update(func(tx *store.Tx) error {
			for range 60 {
				if ids := slices.Sorted(maps.Keys(all)); len(ids) > 0 && random.IntN(4) == 0 {
					id := ids[random.IntN(len(ids))]
					delete(all, id)
					if err := tx.DeleteFile(id); err != nil {
						return err
					}
					continue
				}
				f := store.File{Path: fmt.Sprint("/f/", random.IntN(2500)), Root: "/f", Date: random.Int64N(3) * 1e9}
				if old, err := tx.FileByPath(f.Path); err == nil {
					delete(all, old.ID)
				}
				if err := tx.PutFile(&f, nil); err != nil {
					return err
				}
				if got, err := tx.File(f.ID); err != nil || got.Date != f.Date {
					return fmt.Errorf("date %d, want %d, error %w", got.Date, f.Date, err)
				}
				facts := store.Facts{Title: fmt.Sprint("Title ", f.ID), Authors: some("Ann ", 90), To: some("Ben ", 4), Tags: some("Tag", 3)}
				facts.Format = []string{"pdf", "", ""}[random.IntN(3)]
				facts.Lacking = []string{"The oldest messages", "", ""}[random.IntN(3)]
				if random.IntN(5) == 0 {
					facts = store.Facts{}
				}
				if err := tx.PutFacts(f.ID, facts); err != nil {
					return err
				}
				all[f.ID] = facts
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	checkClean(t, db)
	if err := db.View(func(tx *store.Tx) error { return factsAre(tx, all) }); err != nil {
		t.Fatal(err)
	}
}

// factsAre compares the facts of each file, and what marks lead to, with a look at all of
// them.
func factsAre(tx *store.Tx, all map[uint32]store.Facts) error {
	for id, want := range all {
		if got, err := tx.Facts(id); err != nil || !reflect.DeepEqual(got, want) {
			return fmt.Errorf("file %d: %+v, want %+v, error %w", id, got, want, err)
		}
	}
	for kind, of := range map[store.Mark]func(store.Facts) []string{
		store.FormatMark:    func(f store.Facts) []string { return []string{f.Format} },
		store.AuthorMark:    func(f store.Facts) []string { return f.Authors },
		store.LackingMark:   func(f store.Facts) []string { return []string{f.Lacking} },
		store.RecipientMark: func(f store.Facts) []string { return f.To },
		store.TagMark:       func(f store.Facts) []string { return f.Tags },
	} {
		if err := marksAreOf(tx, kind, all, of); err != nil {
			return err
		}
		for _, from := range []string{"", "pdf", "ann 1", "ben 2", "tag0", "none"} {
			var want []uint32
			for _, id := range slices.Sorted(maps.Keys(all)) {
				if slices.ContainsFunc(of(all[id]), func(v string) bool { return v != "" && strings.HasPrefix(strings.ToLower(v), from) }) {
					want = append(want, id)
				}
			}
			got, err := tx.Marked(kind, from, func(string) bool { return true })
			if err != nil || !slices.Equal(got, want) {
				return fmt.Errorf("kind %d, %q: %d files, want %d, error %w", kind, from, len(got), len(want), err)
			}
		}
	}
	return nil
}

// marksAreOf compares the values of a kind, and their files, with a look at all facts.
func marksAreOf(tx *store.Tx, kind store.Mark, all map[uint32]store.Facts, of func(store.Facts) []string) error {
	want, got := map[string][]uint32{}, map[string][]uint32{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		for _, value := range of(all[id]) {
			if lower := strings.ToLower(value); value != "" && !slices.Contains(want[lower], id) {
				want[lower] = append(want[lower], id)
			}
		}
	}
	last := ""
	err := tx.Marks(kind, func(value string, files []uint32) error {
		if value <= last || got[value] != nil {
			return fmt.Errorf("kind %d: %q comes after %q", kind, value, last)
		}
		got[value], last = files, value
		return nil
	})
	if err == nil && !reflect.DeepEqual(got, want) {
		err = fmt.Errorf("kind %d: %d values, want %d, or other files", kind, len(got), len(want))
	}
	return err
}

// TestMarksOfManyFiles: a value whose files fill several blocks comes once, with all of them.
func TestMarksOfManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("one step after the other: nothing for the race detector")
	}
	db := open(t, filepath.Join(t.TempDir(), "index.db"), store.Options{})
	const files = 3000
	err := db.Update(func(tx *store.Tx) error {
		for i := range files {
			f := store.File{Path: fmt.Sprint("/f/", i), Root: "/f"}
			if err := tx.PutFile(&f, nil); err != nil {
				return err
			}
			if err := tx.PutFacts(f.ID, store.Facts{Tags: []string{"many", "zebra"}[:1+i/(files-1)]}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = db.View(func(tx *store.Tx) error {
		return tx.Marks(store.TagMark, func(value string, of []uint32) error {
			got = append(got, fmt.Sprint(value, len(of), slices.IsSorted(of)))
			return nil
		})
	})
	if want := []string{"many3000 true", "zebra1 true"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, want %q, error %v", got, want, err)
	}
}
