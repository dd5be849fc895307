package store_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/store"
)

// diskBlock is what a disk writes whole or not at all; a block that is being
// written when the power goes may be lost altogether.
const diskBlock = 4096

// TestTornWrites loses each block that an Update writes, at the moment at which
// it is written: bbolt sees all others to the disk before it writes a meta page.
func TestTornWrites(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "index.db")
	buildSample(t, path)
	before := updated(t, path, "/before")
	after := updated(t, path, "/after")
	random := rand.New(rand.NewPCG(5, 5))
	metas := 0
	for at := 0; at < len(after); at += diskBlock {
		written := block(after, at)
		if bytes.Equal(block(before, at), written) {
			continue
		}
		isMeta := at < 2*diskBlock
		image, allowed := bytes.Clone(before), "/before"
		if isMeta {
			metas++
			image, allowed = bytes.Clone(after), "/before /after"
		}
		for len(image) < len(after) {
			image = append(image, 0)
		}
		for _, left := range lost(block(before, at), written, random) {
			torn := bytes.Clone(image)
			copy(torn[at:], left)
			if got := stateOf(t, filepath.Join(folder, "torn.db"), torn); !strings.Contains(allowed, got) {
				t.Errorf("block at %d lost: the index is in the state %q, want %s", at, got, allowed)
			}
		}
	}
	if metas != 1 {
		t.Errorf("%d blocks with meta pages were written, want 1: the other must stay", metas)
	}
}

// block returns the block at an offset; what is beyond the end is zero.
func block(image []byte, at int) []byte {
	b := make([]byte, diskBlock)
	if at < len(image) {
		copy(b, image[at:])
	}
	return b
}

// lost returns what may be found of a block whose write did not end.
func lost(before, after []byte, random *rand.Rand) [][]byte {
	garbage := make([]byte, diskBlock)
	for i := range garbage {
		garbage[i] = byte(random.Uint32())
	}
	half := diskBlock / 2
	return [][]byte{
		make([]byte, diskBlock), garbage,
		append(bytes.Clone(after[:half]), before[half:]...),
		append(bytes.Clone(before[:half]), after[half:]...),
	}
}

// updated writes to an index and returns its file.
func updated(t *testing.T, path, root string) []byte {
	t.Helper()
	db := open(t, path, store.Options{})
	err := db.Update(func(tx *store.Tx) error {
		for _, name := range []string{"/a.md", "/b.md", "/c.md"} {
			f := store.File{Path: root + name, Root: root}
			if err := tx.PutFile(&f, []store.Chunk{{Start: 0, End: 900}}); err != nil {
				return err
			}
			if err := tx.PutVectors(f, 0, dimension, make([]float32, dimension)); err != nil {
				return err
			}
		}
		return tx.PutRoots([]string{root})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// stateOf opens an image for writing and reads which Update it ends with.
func stateOf(t *testing.T, path string, image []byte) string {
	t.Helper()
	if err := os.WriteFile(path, image, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(path, store.Options{})
	if err != nil {
		return err.Error()
	}
	var roots []string
	err = db.View(func(tx *store.Tx) (err error) {
		roots, err = tx.Roots()
		return err
	})
	if err == nil {
		_, err = db.Check(context.Background(), func(p store.Problem) {
			if !strings.Contains(p.What, "meta page") {
				t.Errorf("check: %v", p)
			}
		})
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if err != nil {
		return err.Error()
	}
	return strings.Join(roots, " ")
}

// TestRepage: an index with smaller pages is read as it is, and written anew.
func TestRepage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	m := buildSample(t, path)
	if err := store.SetPages(path, 1024); err != nil {
		t.Fatal(err)
	}
	db := open(t, path, store.Options{})
	if err := db.View(m.differs); err != nil {
		t.Error(err)
	}
	if err := db.Repage(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.View(m.differs); err != nil {
		t.Error(err)
	}
	checkClean(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile(path)
	if err != nil || binary.NativeEndian.Uint32(image[16+8:]) != diskBlock {
		t.Errorf("pages have %d bytes, error %v", binary.NativeEndian.Uint32(image[16+8:]), err)
	}
}
