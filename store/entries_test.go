package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"go.etcd.io/bbolt"

	"dowse/store"
)

// TestEntriesLikeAMap puts, replaces and deletes files with entries.
func TestEntriesLikeAMap(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "index.db"), store.Options{})
	random := rand.New(rand.NewPCG(7, 1))
	all := map[uint32]store.Entries{}
	for range 30 {
		err := db.Update(func(tx *store.Tx) error {
			for range 20 {
				f := store.File{Path: fmt.Sprint("/f/", random.IntN(200)), Root: "/f"}
				if old, err := tx.FileByPath(f.Path); err == nil {
					delete(all, old.ID)
					if random.IntN(3) == 0 {
						if err := tx.DeleteFile(old.ID); err != nil {
							return err
						}
						continue
					}
				}
				var chunks []store.Chunk
				for i := range int64(1 + random.IntN(20)) {
					chunks = append(chunks, store.Chunk{Start: i, End: i + 1})
				}
				if err := tx.PutFile(&f, chunks); err != nil {
					return err
				}
				entries := someEntries(random, len(chunks))
				if err := tx.PutEntries(f.ID, entries); err != nil {
					return err
				}
				if len(entries.List) > 0 {
					all[f.ID] = entries
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	checkClean(t, db)
	got := map[uint32]store.Entries{}
	err := db.View(func(tx *store.Tx) error {
		return tx.EachWithEntries(func(file uint32, read func() (store.Entries, error)) (err error) {
			if got[file], err = read(); err != nil {
				return err
			}
			alone, err := tx.Entries(file)
			if !reflect.DeepEqual(alone, got[file]) {
				t.Errorf("file %d alone has %v, want %v", file, alone, got[file])
			}
			return err
		})
	})
	if err != nil || !reflect.DeepEqual(got, all) || len(all) < 20 {
		t.Errorf("of %d files %v, want of %d %v, error %v", len(got), got, len(all), all, err)
	}
	err = db.Update(func(tx *store.Tx) error { return tx.PutEntries(1<<30, store.Entries{}) })
	if err == nil {
		t.Error("entries of a file that is not there")
	}
}

// someEntries are entries of a file of so many chunks.
func someEntries(random *rand.Rand, chunks int) (e store.Entries) {
	for n := range random.IntN(4) {
		s := store.Said{Title: fmt.Sprint("Re: ", n)}
		for range random.IntN(3) {
			s.Authors = append(s.Authors, fmt.Sprint("Ann ", random.IntN(5)))
			s.Tags = append(s.Tags, fmt.Sprint("Ann ", random.IntN(5)))
		}
		if random.IntN(2) == 0 {
			s.To = []string{"Ben"}
		}
		e.About = append(e.About, s)
	}
	if len(e.About) == 0 {
		return e
	}
	for chunk, offset := 0, 0; chunk < chunks; {
		e.List = append(e.List, store.Entry{
			Chunk: chunk, Offset: offset, Date: (random.Int64N(5) - 2) * 1e9, Clock: random.IntN(2) == 0, About: random.IntN(len(e.About)),
		})
		if step := random.IntN(3); step > 0 {
			chunk, offset = chunk+step, 0
		}
		offset += random.IntN(300)
	}
	return e
}

// TestEntriesAreCheckedAndRepaired plants entries that make no sense, and has them removed.
func TestEntriesAreCheckedAndRepaired(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	db := open(t, path, store.Options{})
	var files [2]store.File
	err := db.Update(func(tx *store.Tx) error {
		for i := range files {
			files[i] = store.File{Path: fmt.Sprint("/", i), Root: "/", ModTime: 5, Hash: [6]byte{1}}
			if err := tx.PutFile(&files[i], []store.Chunk{{End: 4}}); err != nil {
				return err
			}
			if err := tx.PutEntries(files[i].ID, store.Entries{About: []store.Said{{Title: "Roof"}}, List: []store.Entry{{Offset: 3}}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	err = store.Raw(path, func(tx *bbolt.Tx) error {
		put := func(file uint32, value ...byte) error {
			key := store.EntriesKey(file)
			return tx.Bucket([]byte("dowse")).Put(key, store.Seal(key, value))
		}
		return errors.Join(
			put(files[1].ID, 0, 1, 1, 'a', 1, 0, 0, 0, 0, 7, 0, 0, 0), // in chunk 7
			put(900, 0, 1, 1, 'a', 1, 0, 0, 0, 0, 0, 0, 0, 0),         // of no file
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	db = open(t, path, store.Options{})
	problems := 0
	if _, err := db.Check(t.Context(), func(store.Problem) { problems++ }); err != nil || problems != 2 {
		t.Errorf("%d problems, error %v", problems, err)
	}
	if err := db.Update(func(tx *store.Tx) error { return store.RepairAll(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
	err = db.View(func(tx *store.Tx) error {
		n := 0
		err := tx.EachWithEntries(func(file uint32, _ func() (store.Entries, error)) error {
			if n++; file != files[0].ID {
				t.Errorf("file %d has entries", file)
			}
			return nil
		})
		for i, f := range files {
			got, lost := tx.File(f.ID)
			if err = errors.Join(err, lost); got.Doubted() != (i == 1) {
				t.Errorf("file %d is doubted: %v", i, got.Doubted())
			}
		}
		if n != 1 {
			t.Errorf("entries of %d files", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	checkClean(t, db)
}

// TestEntriesOfAnEarlierFormatAreNone until their files are read again.
func TestEntriesOfAnEarlierFormatAreNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	db := open(t, path, store.Options{})
	f := store.File{Path: "/a", Root: "/"}
	err := db.Update(func(tx *store.Tx) error { return tx.PutFile(&f, []store.Chunk{{End: 4}}) })
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	err = store.Raw(path, func(tx *bbolt.Tx) error {
		key := store.EntriesKey(f.ID)
		return tx.Bucket([]byte("dowse")).Put(key, store.Seal(key, []byte{1, 1, 'a', 0, 0, 0, 0, 0, 0, 0}))
	})
	if err != nil {
		t.Fatal(err)
	}
	db = open(t, path, store.Options{})
	checkClean(t, db)
	err = db.Update(func(tx *store.Tx) error {
		e, err := tx.Entries(f.ID)
		if len(e.List)+len(e.About) > 0 {
			t.Errorf("entries %v", e)
		}
		return errors.Join(err, tx.DeleteFile(f.ID))
	})
	if err != nil {
		t.Fatal(err)
	}
	checkClean(t, db)
}

// TestEntriesAreSmall: what many of them say is written once, and beside it some bytes each.
func TestEntriesAreSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	db := open(t, filepath.Join(t.TempDir(), "index.db"), store.Options{})
	const entries = 100_000
	err := db.Update(func(tx *store.Tx) error {
		f := store.File{Path: "/a", Root: "/"}
		var chunks []store.Chunk
		e := store.Entries{About: []store.Said{{Authors: []string{"Ann Lee <Ann@Example.ORG>"}}, {Authors: []string{"Ben"}}}}
		for i := range entries {
			if i%8 == 0 {
				chunks = append(chunks, store.Chunk{Start: int64(60 * i), End: int64(60 * (i + 8))})
			}
			e.List = append(e.List, store.Entry{Chunk: i / 8, Offset: i % 8 * 60, Date: 1_700_000_000 + int64(i)*97, Clock: true, About: i % 2})
		}
		before, err := tx.Sizes()
		if err := errors.Join(err, tx.PutFile(&f, chunks), tx.PutEntries(f.ID, e)); err != nil {
			return err
		}
		after, err := tx.Sizes()
		if per := float64(after["chunks"]-before["chunks"]) / entries; per > 8 { // 2 of them are of chunks
			t.Errorf("%.1f bytes an entry", per)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
