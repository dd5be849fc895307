package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"dowse/store"
)

func TestOpenNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "below", "index.db")
	if _, err := store.Open(path, store.Options{ReadOnly: true}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("reading what is not there: %v", err)
	}
	db := open(t, path, store.Options{Fingerprint: "model 1"})
	if h := db.Header(); h.Fingerprint != "model 1" || h.Version != store.Version || time.Since(h.Created) > time.Minute {
		t.Errorf("header %+v", h)
	}
	if err := db.View(func(tx *store.Tx) error {
		if tx.Commit() != 0 || !tx.LastCommit().IsZero() || tx.NextChunk() != 0 {
			t.Errorf("commit %d at %v, next chunk %d", tx.Commit(), tx.LastCommit(), tx.NextChunk())
		}
		return newModel().differs(tx)
	}); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(path, store.Options{Fingerprint: "model 2"}); !errors.Is(err, store.ErrFingerprint) {
		t.Errorf("another fingerprint: %v", err)
	}
	db = open(t, path, store.Options{})
	if got := db.Header().Fingerprint; got != "model 1" {
		t.Errorf("fingerprint %q", got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.Remove(path), store.Remove(path)); err != nil {
		t.Error(err)
	}
}

func TestOpenLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	db := open(t, path, store.Options{})
	for _, readOnly := range []bool{false, true} {
		_, err := store.Open(path, store.Options{ReadOnly: readOnly, Timeout: 20 * time.Millisecond})
		if !errors.Is(err, store.ErrLocked) {
			t.Errorf("read only %v: %v", readOnly, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestReadersShare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	if err := open(t, path, store.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	one := open(t, path, store.Options{ReadOnly: true})
	two := open(t, path, store.Options{ReadOnly: true})
	if err := one.Update(func(tx *store.Tx) error { return tx.PutRoots(nil) }); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("writing through a reader: %v", err)
	}
	err := two.View(func(tx *store.Tx) error { return tx.PutMeta("a", []byte("b")) })
	if !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("writing in a View: %v", err)
	}
	checkClean(t, one)
	if err := errors.Join(one.Close(), two.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestOpenForeign(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("not an index\n", 10_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(folder, "other.db")
	bolt, err := bbolt.Open(other, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = bolt.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err })
	if err := errors.Join(err, bolt.Close()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, other, folder} {
		for _, readOnly := range []bool{false, true} {
			if _, err := store.Open(path, store.Options{ReadOnly: readOnly}); !errors.Is(err, store.ErrForeign) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// TestOpenOtherVersion rewrites the header as a later format would have it.
func TestOpenOtherVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	if err := open(t, path, store.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	if err := store.PutVersion(path, store.Version+1); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(path, store.Options{}); !errors.Is(err, store.ErrVersion) {
		t.Errorf("error %v", err)
	}
}

func TestMoveAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	now := time.Date(2026, 11, 21, 4, 15, 0, 0, time.UTC)
	for _, want := range []string{".damaged-20261121T041500Z", ".damaged-20261121T041500Z-2"} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		aside, err := store.MoveAside(path, now)
		if err != nil || aside != path+want {
			t.Errorf("moved to %q, error %v", aside, err)
		}
	}
	if _, err := store.MoveAside(path, now); err == nil {
		t.Error("moved what is not there")
	}
}

// TestCallersPanic holds that a bug in the caller's function stays a panic
// and leaves the store usable.
func TestCallersPanic(t *testing.T) {
	db := openNew(t)
	func() {
		defer func() {
			if cause := recover(); cause != "bug" {
				t.Errorf("recovered %v", cause)
			}
		}()
		err := db.Update(func(*store.Tx) error { panic("bug") })
		t.Errorf("no panic, error %v", err)
	}()
	if err := db.Update(func(tx *store.Tx) error { return tx.PutRoots([]string{"/a"}) }); err != nil {
		t.Error(err)
	}
}

// TestUnchangedUpdate holds that an Update that writes nothing is no commit.
func TestUnchangedUpdate(t *testing.T) {
	db := openNew(t)
	write := func(tx *store.Tx) error {
		return tx.PutMeta("key", []byte("value"))
	}
	nothing := func(*store.Tx) error { return nil }
	for _, fn := range []func(*store.Tx) error{write, nothing, nothing} {
		if err := db.Update(fn); err != nil {
			t.Fatal(err)
		}
	}
	err := db.View(func(tx *store.Tx) error {
		value, err := tx.Meta("key")
		if tx.Commit() != 1 || string(value) != "value" {
			t.Errorf("commit %d, value %q", tx.Commit(), value)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestFilesUnder(t *testing.T) {
	db := openNew(t)
	paths := []string{"/a", "/a-b/one", "/a/one", "/a/sub/two", "/ab/three", "/b"}
	err := db.Update(func(tx *store.Tx) error {
		for _, path := range paths {
			if err := tx.PutFile(&store.File{Path: path, Root: "/"}, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{"/a": "/a/one /a/sub/two", "/a/": "/a/one /a/sub/two", "/a/sub": "/a/sub/two", "/": strings.Join(paths, " "), "/none": ""} {
		var got []string
		err := db.View(func(tx *store.Tx) error {
			return tx.FilesUnder(folder, func(f store.File) error { got = append(got, f.Path); return nil })
		})
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q, error %v", folder, got, want, err)
		}
	}
}

// TestRefused lists writes that must fail.
func TestRefused(t *testing.T) {
	db := openNew(t)
	for name, fn := range map[string]func(tx *store.Tx) error{
		"no path":      func(tx *store.Tx) error { return tx.PutFile(&store.File{}, nil) },
		"endless path": func(tx *store.Tx) error { return tx.PutFile(&store.File{Path: strings.Repeat("/a", 20_000)}, nil) },
		"gap": func(tx *store.Tx) error {
			return tx.PutFile(&store.File{Path: "/a"}, []store.Chunk{{Start: 1, End: 2}})
		},
		"lines backwards": func(tx *store.Tx) error {
			return tx.PutFile(&store.File{Path: "/a"}, []store.Chunk{{Start: 1, End: 2}})
		},
		"no such file":    func(tx *store.Tx) error { return tx.DeleteFile(3) },
		"no such chunk":   func(tx *store.Tx) error { return tx.PutVectors(store.File{Chunks: 1}, 1, 1, []float32{1}) },
		"no such segment": func(tx *store.Tx) error { return tx.Postings().PutBlock(5, "word", nil) },
	} {
		if err := db.Update(fn); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("file modes mean little on Windows")
	}
	info, err := os.Stat(db.Path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}

// TestRuns lists what may and may not be put beside a run of vectors.
func TestRuns(t *testing.T) {
	db := openNew(t)
	f := store.File{Path: "/a"}
	err := db.Update(func(tx *store.Tx) error {
		if err := tx.PutFile(&f, make([]store.Chunk, 10)); err != nil {
			return err
		}
		if err := tx.PutFile(&store.File{Path: "/b"}, make([]store.Chunk, 10)); err != nil {
			return err
		}
		return tx.PutVectors(f, 3, 2, make([]float32, 2*4)) // of chunks 3 to 6
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		first, dim, n int
		fits          bool
	}{
		{0, 2, 3, true}, {0, 2, 4, false}, {3, 2, 1, true}, {3, 2, 7, true}, {3, 2, 8, false}, {3, 3, 1, true},
		{5, 2, 1, false}, {6, 2, 1, false}, {7, 2, 3, true}, {7, 2, 4, false}, {7, 3, 1, false}, {9, 2, 1, true},
		{9, 2, 2, false}, {10, 2, 1, false}, {-1, 2, 1, false},
	} {
		err := db.Update(func(tx *store.Tx) error {
			err := tx.PutVectors(f, c.first, c.dim, make([]float32, c.dim*c.n))
			if (err == nil) != c.fits {
				t.Errorf("%d vectors of dimension %d from chunk %d: error %v", c.n, c.dim, c.first, err)
			}
			return errRollback
		})
		if !errors.Is(err, errRollback) {
			t.Fatal(err)
		}
	}
}
