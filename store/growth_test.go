package store_test

import (
	"encoding/binary"
	"os"
	"testing"

	"dowse/store"
)

// TestShortViewsCostNoPages: bbolt gives a page back once no transaction that began before
// it was freed is open. Beside readers that come and go, one key that is written again and
// again takes no more than its few pages.
func TestShortViewsCostNoPages(t *testing.T) {
	db := openNew(t)
	value := make([]byte, 3000)
	put := func(n uint64) {
		binary.LittleEndian.PutUint64(value, n)
		if err := db.Update(func(tx *store.Tx) error { return tx.PutMeta("key", value) }); err != nil {
			t.Fatal(err)
		}
	}
	size := func() int64 {
		info, err := os.Stat(db.Path())
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	for n := range uint64(20) {
		put(n)
	}
	settled := size()
	for n := range uint64(150) {
		put(n)
		err := db.View(func(tx *store.Tx) error {
			if open := db.OpenReads(); open != 1 {
				t.Errorf("%d Views are counted in one", open)
			}
			got, err := tx.Meta("key")
			if err == nil && binary.LittleEndian.Uint64(got) != n {
				t.Errorf("read %d after %d was written", binary.LittleEndian.Uint64(got), n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if grown := size() - settled; grown != 0 || db.OpenReads() != 0 {
		t.Errorf("the file grew by %d bytes, with %d Views open", grown, db.OpenReads())
	}
}
