package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRepackers compares what blocks hold before and after repacking, and
// holds that all but the last become full.
func TestRepackers(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	var sparse []block
	var names []string
	id := uint32(0)
	for range 60 {
		b := newFileBlock(id)
		for range 1 + random.IntN(12) {
			name := fmt.Sprintf("note-%x.md", random.Uint64())
			names = append(names, fmt.Sprint(id, name))
			b.add(&entry{name: name, File: File{ID: id}})
			id += 1 + random.Uint32N(3)
		}
		sparse = append(sparse, block{b.number, b.encode()})
	}
	var again []string
	for _, b := range repackAll(t, tableFiles, sparse) {
		list, err := decodeFileBlock(b.number, b.value)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			again = append(again, fmt.Sprint(e.ID, e.name))
		}
	}
	if !slices.Equal(names, again) {
		t.Errorf("%q became %q", names, again)
	}
}

func TestRepackPaths(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	var sparse []block
	var all pathBlock
	hash := uint32(0)
	for range 40 {
		b := pathBlock{}
		first := hash
		for range 1 + random.IntN(90) {
			if hash += random.Uint32N(5000); random.IntN(3) == 0 || len(b.hashes) == 0 {
				hash++ // others share the hash before
			}
			b.hashes, b.ids = append(b.hashes, hash), append(b.ids, random.Uint32())
		}
		hash++
		all.hashes, all.ids = append(all.hashes, b.hashes...), append(all.ids, b.ids...)
		sparse = append(sparse, block{first, b.encode(first)})
	}
	var again pathBlock
	for _, b := range repackAll(t, tableNames, sparse) {
		part, err := decodePathBlock(b.number, b.value)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(again.hashes); n > 0 && again.hashes[n-1] >= b.number {
			t.Errorf("block %d begins below the end of the one before, %d", b.number, again.hashes[n-1])
		}
		again.hashes, again.ids = append(again.hashes, part.hashes...), append(again.ids, part.ids...)
	}
	if !slices.Equal(all.hashes, again.hashes) || !slices.Equal(all.ids, again.ids) {
		t.Error("names differ after repacking")
	}
}

// repackAll repacks the blocks of a table.
func repackAll(t *testing.T, of table, sparse []block) (packed []block) {
	t.Helper()
	r := newRepacker(of)
	for _, b := range sparse {
		full, err := r.add(b.number, b.value)
		if err != nil {
			t.Fatal(err)
		}
		packed = append(packed, full...)
	}
	packed = append(packed, r.end()...)
	for i, b := range packed {
		if len(b.value) > tableBlock || i+1 < len(packed) && len(b.value) < tableBlock*95/100 {
			t.Errorf("block %d of %d: %d bytes", i, len(packed), len(b.value))
		}
	}
	if len(packed)*2 > len(sparse) {
		t.Errorf("%d blocks became %d", len(sparse), len(packed))
	}
	return packed
}
