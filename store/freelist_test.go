package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"

	"dowse/store"
)

// TestIDsAreGivenInRuns deletes files and looks at which ids new ones get, with
// n files of four chunks each before.
func TestIDsAreGivenInRuns(t *testing.T) {
	for _, c := range []struct {
		name    string
		n       int
		deleted []int // files
		chunks  int   // of the new file
		want    store.Runs
		next    uint32
	}{
		{"nothing is free", 10, nil, 3, store.Runs{{40, 3}}, 43},
		{"part of a free run", 10, []int{2}, 3, store.Runs{{8, 3}}, 40},
		{"the first that is long enough", 10, []int{2, 5, 6}, 5, store.Runs{{20, 5}}, 40},
		{"none is long enough", 40, []int{2}, 5, store.Runs{{160, 5}}, 165},
		{"many fragments are free", 10, []int{2, 5}, 6, store.Runs{{8, 4}, {20, 2}}, 40},
		{"more than all fragments", 10, []int{2, 5}, 9, store.Runs{{8, 4}, {20, 4}, {40, 1}}, 41},
		{"the last ones", 10, []int{8, 9}, 1, store.Runs{{32, 1}}, 33},
		{"no chunk", 10, []int{1}, 0, nil, 40},
	} {
		db := openNew(t)
		err := db.Update(func(tx *store.Tx) error {
			var ids []uint32
			for i := range c.n {
				f := store.File{Path: fmt.Sprint("/", i)}
				if err := tx.PutFile(&f, make([]store.Chunk, 4)); err != nil {
					return err
				}
				ids = append(ids, f.ID)
			}
			for _, i := range c.deleted {
				if err := tx.DeleteFile(ids[i]); err != nil {
					return err
				}
			}
			return tx.FreeChunks(func(uint32) bool { return false })
		})
		if err != nil {
			t.Fatal(err)
		}
		f := store.File{Path: "/new"}
		next := uint32(0)
		err = db.Update(func(tx *store.Tx) error {
			defer func() { next = tx.NextChunk() }()
			return tx.PutFile(&f, make([]store.Chunk, c.chunks))
		})
		if err != nil || !slices.Equal(f.IDs, c.want) || next != c.next {
			t.Errorf("%s: ids %v below %d, want %v below %d: %v", c.name, f.IDs, next, c.want, c.next, err)
		}
		checkClean(t, db)
	}
}

// TestKeptIsRefused: a chunk keeps the id of a file that goes, and no other one
// does.
func TestKeptIsRefused(t *testing.T) {
	db := openNew(t)
	var a, b store.File
	err := db.Update(func(tx *store.Tx) error {
		a, b = store.File{Path: "/a"}, store.File{Path: "/b"}
		if err := tx.PutFile(&a, make([]store.Chunk, 3)); err != nil {
			return err
		}
		return tx.PutFile(&b, make([]store.Chunk, 3))
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, kept := range map[string]store.Kept{
		"of a file that stays":   {IDs: map[int]uint32{0: 4}},
		"of no chunk":            {IDs: map[int]uint32{0: 9}},
		"twice":                  {IDs: map[int]uint32{0: 1, 1: 1}},
		"behind the last chunk":  {IDs: map[int]uint32{3: 1}},
		"of a file that is gone": {From: []uint32{77}},
	} {
		err := db.Update(func(tx *store.Tx) error {
			return tx.PutFileKeeping(&store.File{Path: "/a"}, make([]store.Chunk, 3), kept)
		})
		if err == nil {
			t.Errorf("an id was kept %s", name)
		}
	}
	err = db.Update(func(tx *store.Tx) error {
		return tx.PutFileKeeping(&store.File{Path: "/a"}, make([]store.Chunk, 2), store.Kept{From: []uint32{b.ID}, IDs: map[int]uint32{0: 4, 1: 0}})
	})
	if err != nil {
		t.Error(err)
	}
	if s := checkClean(t, db); s.Files != 1 || s.Chunks != 2 {
		t.Errorf("%+v", s)
	}
}

// TestDamagedFreeListIsRepaired: without the list no id is given again, until the
// next FreeChunks makes it anew.
func TestDamagedFreeListIsRepaired(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	db := open(t, path, store.Options{})
	var a store.File
	err := db.Update(func(tx *store.Tx) error {
		a = store.File{Path: "/a"}
		if err := tx.PutFile(&a, make([]store.Chunk, 4)); err != nil {
			return err
		}
		return tx.PutFile(&store.File{Path: "/b"}, make([]store.Chunk, 4))
	})
	if err != nil {
		t.Fatal(err)
	}
	free := func(tx *store.Tx) error { return tx.FreeChunks(func(uint32) bool { return false }) }
	if err := db.Update(func(tx *store.Tx) error { return errors.Join(tx.DeleteFile(a.ID), free(tx)) }); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	err = store.Raw(path, func(tx *bbolt.Tx) error {
		main := tx.Bucket([]byte("dowse"))
		value := bytes.Clone(main.Get([]byte("free")))
		value[0] ^= 1
		return main.Put([]byte("free"), value)
	})
	if err != nil {
		t.Fatal(err)
	}
	db = open(t, path, store.Options{})
	defer db.Close() //nolint:errcheck // nothing is written after the checks
	put := func(name string, want store.Runs) error {
		f := store.File{Path: name}
		err := db.Update(func(tx *store.Tx) error { return tx.PutFile(&f, make([]store.Chunk, 2)) })
		if err == nil && !slices.Equal(f.IDs, want) {
			t.Errorf("%s has the ids %v, want %v", name, f.IDs, want)
		}
		return err
	}
	if err := put("/c", nil); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("ids were given from a damaged list: %v", err)
	}
	if err := db.Repair(t.Context(), func(*store.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := put("/c", store.Runs{{8, 2}}); err != nil {
		t.Error(err)
	}
	if err := db.Update(free); err != nil {
		t.Error(err)
	}
	if err := put("/d", store.Runs{{0, 2}}); err != nil {
		t.Error(err)
	}
	checkClean(t, db)
}

// TestCheckFindsWrongFreeIDs plants lists of free ids.
func TestCheckFindsWrongFreeIDs(t *testing.T) {
	if testing.Short() {
		t.Skip("one step after the other: nothing for the race detector")
	}
	for name, list := range map[string][]byte{
		"a chunk has it":    {1, 1},
		"it was not given":  {255, 255, 3, 1},
		"a run of no ids":   {1, 0},
		"a number too many": {1},
	} {
		path := filepath.Join(t.TempDir(), "index.db")
		buildSample(t, path)
		err := store.Raw(path, func(tx *bbolt.Tx) error {
			return tx.Bucket([]byte("dowse")).Put([]byte("free"), store.Seal([]byte("free"), list))
		})
		if err != nil {
			t.Fatal(err)
		}
		db := open(t, path, store.Options{})
		found := 0
		if _, err := db.Check(t.Context(), func(store.Problem) { found++ }); err != nil || found == 0 {
			t.Errorf("%s: check found nothing, error %v", name, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
