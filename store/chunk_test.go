package store_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"dowse/store"
)

// TestEachChunks compares the chunks of many files at once with those of each.
func TestEachChunks(t *testing.T) {
	db, err := store.Open(filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test reads what it wrote before
	rng := rand.New(rand.NewPCG(32, 0))
	var ids []uint32
	err = db.Update(func(tx *store.Tx) error {
		for i := range 500 {
			f := store.File{Path: fmt.Sprintf("/r/%d", i), Root: "/r"}
			if err := tx.PutFile(&f, tiles(rng)); err != nil {
				return err
			}
			ids = append(ids, f.ID)
		}
		for range 100 {
			_ = tx.DeleteFile(ids[rng.IntN(len(ids))]) // some twice
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(func(tx *store.Tx) error {
		for n := range 60 {
			var asked, want, got []uint32
			for range n {
				asked = append(asked, ids[rng.IntN(len(ids))]+uint32(rng.IntN(2)))
			}
			for _, id := range asked {
				if _, err := tx.File(id); err == nil {
					want = append(want, id)
				}
			}
			slices.Sort(want)
			err := tx.EachChunks(append(asked, 1<<31), func(id uint32, chunks []store.Chunk) error {
				f, err := tx.File(id)
				if err != nil {
					return err
				}
				own, err := tx.Chunks(f)
				if !slices.Equal(chunks, own) {
					t.Errorf("file %d has chunks %v, want %v", id, chunks, own)
				}
				got = append(got, id)
				return err
			})
			if want = slices.Compact(want); err != nil || !slices.Equal(got, want) {
				t.Errorf("files %v, want %v: %v", got, want, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func tiles(rng *rand.Rand) (chunks []store.Chunk) {
	end := int64(0)
	for range rng.IntN(5) {
		next := end + int64(rng.IntN(3000))
		chunks = append(chunks, store.Chunk{Start: end, End: next, Hash: uint32(rng.IntN(1 << store.ChunkHashBits))})
		end = next
	}
	return chunks
}
