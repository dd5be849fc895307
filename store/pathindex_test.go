package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestInsertPathTwin puts entries into a block one by one, and compares its value with that of the block decoded, grown
// and encoded.
func TestInsertPathTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		first := uint32(random.IntN(1 << 20))
		twin, value := &pathBlock{}, []byte(nil)
		for range 200 {
			hash, id := first+uint32(random.IntN(1<<random.IntN(23))), random.Uint32()>>random.IntN(32)
			_, to := twin.at(hash)
			twin.hashes, twin.ids = slices.Insert(twin.hashes, to, hash), slices.Insert(twin.ids, to, id)
			var err error
			if value, err = insertPath(first, value, hash, id); err != nil {
				t.Fatal(err)
			}
			if want := twin.encode(first); !bytes.Equal(value, want) {
				t.Fatalf("hash %d, id %d: %x, want %x", hash, id, value, want)
			}
		}
	}
}

func TestInsertPathRefusesDamage(t *testing.T) {
	for _, value := range [][]byte{{0x80}, {1}, {1, 0xff}, {0xff, 0xff, 0xff, 0xff, 0x7f, 1}, {1, 0xff, 0xff, 0xff, 0xff, 0x7f}} {
		if _, err := insertPath(0, value, 9, 1); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%x: error %v", value, err)
		}
		if _, err := decodePathBlock(0, value); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%x: decoded with error %v", value, err)
		}
	}
}
