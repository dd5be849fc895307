package store

import (
	"fmt"
	"maps"
	"path/filepath"
	"testing"
)

// TestSizesLooksOnce: the pages of one commit are looked at once, however
// often the sizes are asked for, and again after the next commit and after the
// file was written anew. Cursors are how bbolt counts who looks at pages.
func TestSizesLooksOnce(t *testing.T) {
	db, err := Open(filepath.Join(t.TempDir(), "index.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test is over
	add := func(from int) {
		t.Helper()
		err := db.Update(func(tx *Tx) error {
			for i := range 300 {
				if err := tx.PutFile(&File{Path: fmt.Sprintf("/r/%d/%d", from, i), Root: "/r"}, nil); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	sizes := func() (sizes map[string]int64, looks int64) {
		t.Helper()
		before := cursors(db)
		err := db.View(func(tx *Tx) error {
			// A transaction that is open counts when it ends.
			own, err := tx.Sizes()
			sizes = own
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return sizes, cursors(db) - before
	}
	add(0)
	first, walked := sizes()
	first["total"] = -1 // the caller's own
	again, looked := sizes()
	if walked < 5 || looked > 3 || again["total"] <= 0 {
		t.Errorf("the first look took %d cursors, the second one %d: %v", walked, looked, again)
	}
	add(1)
	grown, looked := sizes()
	if looked != walked || grown["chunks"] <= again["chunks"] {
		t.Errorf("after a commit: %d cursors, %v, before %v", looked, grown, again)
	}
	if _, _, err := db.Vacuum(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	vacuum, _ := sizes()
	if maps.Equal(vacuum, grown) || vacuum["total"] >= grown["total"] {
		t.Errorf("after vacuum %v, before %v", vacuum, grown)
	}
}

func cursors(db *DB) int64 {
	stats := db.current.bolt.Stats()
	return stats.TxStats.GetCursorCount()
}
