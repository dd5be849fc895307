package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"dowse/store"
)

// blockKey names a block.
type blockKey struct {
	kind store.Blocks
	key  uint32
}

// block puts or deletes a random block.
func (m *model) block(tx *store.Tx, random *rand.Rand) error {
	key := blockKey{store.Blocks(random.IntN(2)), random.Uint32N(20)}
	if random.IntN(3) == 0 {
		delete(m.blocks, key)
		return tx.DeleteBlock(key.kind, key.key)
	}
	value := make([]byte, random.IntN(store.MaxBlock))
	for i := range value {
		value[i] = byte(random.Uint32())
	}
	m.blocks[key] = string(value)
	return tx.PutBlock(key.kind, key.key, value)
}

// blocksDiffer compares the blocks.
func (m *model) blocksDiffer(tx *store.Tx) error {
	n := 0
	for kind := store.CodeBlocks; kind <= store.NextCodeBlocks; kind++ {
		err := tx.EachBlock(kind, func(key uint32, value []byte) error {
			n++
			want, ok := m.blocks[blockKey{kind, key}]
			one, err := tx.Block(kind, key)
			if err != nil || !ok || want != string(value) || want != string(one) {
				return errors.Join(err, fmt.Errorf("block %d %d differs", kind, key))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if n != len(m.blocks) {
		return fmt.Errorf("%d blocks, want %d", n, len(m.blocks))
	}
	_, err := tx.Block(store.CodebookBlocks, 999)
	if !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("block that is not there: %w", err)
	}
	return nil
}

func TestUnknownBlocks(t *testing.T) {
	db := openNew(t)
	err := db.Update(func(tx *store.Tx) error {
		kind := store.KeptBlocks + 1
		_, err := tx.Block(kind, 0)
		for _, err := range []error{err, tx.PutBlock(kind, 0, nil), tx.DeleteBlock(kind, 0), tx.EachBlock(kind, nil)} {
			if err == nil {
				t.Error("blocks of a kind that does not exist")
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
