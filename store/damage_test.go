package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"dowse/store"
)

// buildSample writes an index of a few hundred pages, some of them free, and
// returns what it holds.
func buildSample(t testing.TB, path string) *model {
	t.Helper()
	random := rand.New(rand.NewPCG(42, 0))
	db, m := open(t, path, store.Options{Fingerprint: "f"}), newModel()
	for range 30 {
		err := db.Update(func(tx *store.Tx) error {
			for range 20 {
				if err := m.step(tx, random); err != nil {
					return err
				}
			}
			id, err := tx.Postings().NewSegment()
			if err != nil {
				return err
			}
			for block := range 5 {
				if err := tx.Postings().PutBlock(id, fmt.Sprint("term", block), bytes.Repeat([]byte{byte(id)}, random.IntN(6000))); err != nil {
					return err
				}
			}
			return tx.Postings().PutHeader(id, []byte("header"), 10)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	checkClean(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

// use does to a damaged index all that a program does. It reports whether
// check found anything, and fails the test on any error of a kind that
// damage may not give.
func use(t *testing.T, path string, readOnly bool, m *model) (noticed bool) {
	t.Helper()
	db, err := store.Open(path, store.Options{ReadOnly: readOnly})
	if err != nil {
		expected(t, err)
		return true
	}
	summary, err := db.Check(context.Background(), func(store.Problem) {})
	expected(t, err)
	noticed = summary.Problems > 0
	err = db.View(func(tx *store.Tx) error {
		_, err := tx.Sizes()
		return errors.Join(err, m.differs(tx), tx.Vectors(func(uint32, []byte) error { return nil }), readPostings(tx.Postings()))
	})
	if err != nil && !noticed {
		t.Errorf("check found nothing, yet: %v", err)
	}
	if !readOnly {
		expected(t, db.Update(func(tx *store.Tx) error {
			f := store.File{Path: "/home/user/root0/new.md", Root: "/home/user/root0"}
			return tx.PutFile(&f, []store.Chunk{{Start: 0, End: 9000}})
		}))
	}
	expected(t, db.Close())
	return noticed
}

func readPostings(p *store.Postings) error {
	segments, err := p.Segments()
	for _, id := range segments {
		for first, block := "", []byte{}; err == nil && block != nil; {
			first, block, err = p.Next(id, first)
		}
	}
	return err
}

// expected allows the errors that a damaged file may give.
func expected(t *testing.T, err error) {
	t.Helper()
	for _, allowed := range []error{nil, store.ErrCorrupt, store.ErrForeign, store.ErrVersion, store.ErrNotFound} {
		if errors.Is(err, allowed) {
			return
		}
	}
	t.Errorf("error %v", err)
}

// sequential leaves a test out under the race detector.
func sequential(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one step after the other: nothing for the race detector")
	}
}

// TestFlippedBits flips one bit at a time, aiming at page headers and
// elements as well as anywhere: the program must neither crash nor hang, and
// what check lets pass must be what was written.
func TestFlippedBits(t *testing.T) {
	if testing.Short() {
		t.Skip("one step after the other: nothing for the race detector")
	}
	folder := t.TempDir()
	sound := filepath.Join(folder, "sound.db")
	m := buildSample(t, sound)
	image, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	path, noticed, flips := filepath.Join(folder, "flipped.db"), 0, 240
	page := os.Getpagesize()
	for i := range flips {
		at := random.IntN(len(image))
		if i%2 == 0 { // the first bytes of a page: its header, elements, a meta page
			at = random.IntN(len(image)/page)*page + random.IntN(96)
		}
		if i < 20 {
			at = i%2*page + random.IntN(80)
		}
		damaged := bytes.Clone(image)
		damaged[at] ^= 1 << random.IntN(8)
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		before := m
		if at < 2*page {
			// A damaged meta page sends bbolt back to the transaction before.
			before = nil
		}
		if before == nil {
			useAnyState(t, path)
			continue
		}
		if use(t, path, i%4 < 2, before) {
			noticed++
		}
		if t.Failed() {
			t.Fatalf("byte %d of %d, page %d", at, len(image), at/page)
		}
	}
	t.Logf("%d of %d flips were noticed; the rest hit free space", noticed, flips)
	if noticed < flips/5 {
		t.Error("too few flips were noticed")
	}
}

// useAnyState opens a file whose meta page was hit: any sound state will do.
func useAnyState(t *testing.T, path string) {
	t.Helper()
	db, err := store.Open(path, store.Options{})
	if err != nil {
		expected(t, err)
		return
	}
	_, err = db.Check(context.Background(), func(p store.Problem) { t.Logf("check: %v", p) })
	expected(t, err)
	expected(t, db.View(func(tx *store.Tx) error { return tx.Files(func(store.File) error { return nil }) }))
	expected(t, db.Close())
}

func TestTruncated(t *testing.T) {
	folder := t.TempDir()
	sound := filepath.Join(folder, "sound.db")
	m := buildSample(t, sound)
	image, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	page := os.Getpagesize()
	for _, size := range []int{1, 15, 20, 100, page - 1, page, page + 20, 2 * page, 3 * page, 4 * page, 10*page + 7, len(image) / 2, len(image) - page} {
		path := filepath.Join(folder, fmt.Sprint("cut", size))
		if err := os.WriteFile(path, image[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		for _, readOnly := range []bool{true, false} {
			if !use(t, path, readOnly, m) && size < len(image)/2 {
				t.Errorf("a file cut to %d bytes went unnoticed", size)
			}
		}
	}
}

// TestTruncatedWhileOpen cuts the file under an open index: reading mapped
// memory that is gone must be an error, not a dead process.
func TestTruncatedWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	m := buildSample(t, path)
	db := open(t, path, store.Options{})
	if err := os.Truncate(path, int64(4*os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	if err := db.View(m.differs); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("error %v", err)
	}
	if err := db.Update(func(tx *store.Tx) error { return tx.PutRoots(nil) }); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("error %v", err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if _, err := store.Open(path, store.Options{}); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("opened again: %v", err)
	}
}

// TestCheckFindsFaults plants one fault at a time that keeps all pages and
// checksums whole.
func TestCheckFindsFaults(t *testing.T) {
	sequential(t)
	put := func(b *bbolt.Bucket, key, value []byte) error { return b.Put(key, store.Seal(key, value)) }
	bucket := func(name string) []byte { return []byte(name) }
	first := func(tx *bbolt.Tx, name string) (key, value []byte) { return tx.Bucket(bucket(name)).Cursor().First() }
	for name, plant := range map[string]func(tx *bbolt.Tx) error{
		"path that leads nowhere": func(tx *bbolt.Tx) error {
			return put(tx.Bucket(bucket("dowse")), store.NamesKey(1<<24-1), []byte{0, 7})
		},
		"file that no path leads to": func(tx *bbolt.Tx) error {
			key, _ := tx.Bucket(bucket("dowse")).Cursor().Seek(store.NamesKey(0))
			return tx.Bucket(bucket("dowse")).Delete(key)
		},
		"path without its file": func(tx *bbolt.Tx) error {
			key, _ := tx.Bucket(bucket("dowse")).Cursor().Seek(store.FilesKey(0))
			return tx.Bucket(bucket("dowse")).Delete(key)
		},
		"block without files": func(tx *bbolt.Tx) error {
			return put(tx.Bucket(bucket("dowse")), store.FilesKey(1<<20), []byte{0})
		},
		"files without folders": func(tx *bbolt.Tx) error {
			return tx.Bucket(bucket("dowse")).Delete(store.FoldersKey(0))
		},
		"strange key": func(tx *bbolt.Tx) error {
			return put(tx.Bucket(bucket("dowse")), []byte("strange"), nil)
		},
		"strange key in a table": func(tx *bbolt.Tx) error {
			return put(tx.Bucket(bucket("dowse")), store.FilesKey(3)[:2], nil)
		},
		"vectors without file": func(tx *bbolt.Tx) error {
			return put(tx.Bucket(bucket("vectors")), store.Key32(1<<20), make([]byte, 16))
		},
		"vectors that are not numbers": func(tx *bbolt.Tx) error {
			key, value := first(tx, "vectors")
			bad := bytes.Clone(value[:len(value)-4])
			copy(bad, []byte{0, 0, 0xC0, 0x7F})
			return put(tx.Bucket(bucket("vectors")), key, bad)
		},
		"vectors of another dimension": func(tx *bbolt.Tx) error {
			key, value := first(tx, "vectors")
			return put(tx.Bucket(bucket("vectors")), key, bytes.Clone(value[:len(value)-8]))
		},
		"wrong counts": func(tx *bbolt.Tx) error {
			return put(tx.Bucket(bucket("dowse")), []byte("counters"), []byte{127, 127, 127, 127, 1, 1, 1, 4, 1, 1, 1})
		},
		"block without segment": func(tx *bbolt.Tx) error {
			return put(tx.Bucket(bucket("postings")), append(store.Key32(900), "term"...), nil)
		},
		"key changed": func(tx *bbolt.Tx) error {
			_, value := tx.Bucket(bucket("dowse")).Cursor().Seek(store.FilesKey(0))
			return tx.Bucket(bucket("dowse")).Put(store.FilesKey(1<<31), bytes.Clone(value))
		},
		"checksum": func(tx *bbolt.Tx) error {
			key, value := tx.Bucket(bucket("dowse")).Cursor().Seek(store.FilesKey(0))
			bad := bytes.Clone(value)
			bad[3] ^= 1
			return tx.Bucket(bucket("dowse")).Put(key, bad)
		},
		"record cut short": func(tx *bbolt.Tx) error {
			key, value := tx.Bucket(bucket("dowse")).Cursor().Seek(store.FilesKey(0))
			return put(tx.Bucket(bucket("dowse")), key, bytes.Clone(value[:9]))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "index.db")
			buildSample(t, path)
			if err := store.Raw(path, plant); err != nil {
				t.Fatal(err)
			}
			db := open(t, path, store.Options{})
			var found []store.Problem
			summary, err := db.Check(context.Background(), func(p store.Problem) { found = append(found, p) })
			if err != nil || len(found) == 0 || summary.Problems != len(found) {
				t.Errorf("%+v, problems %v, error %v", summary, found, err)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
