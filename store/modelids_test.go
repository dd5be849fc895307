package store_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"

	"dowse/store"
)

// bury notes ids that chunks had.
func (m *model) bury(ids store.Runs) {
	for _, id := range ids.All() {
		m.dead[id] = true
	}
}

// free has the ids given again that nothing names, as a merge does.
func (m *model) free(tx *store.Tx, random *rand.Rand) error {
	salt := random.Uint32()
	maps.DeleteFunc(m.dead, func(id uint32, _ bool) bool { return (id*2654435761+salt)%3 > 0 })
	return tx.FreeChunks(func(id uint32) bool { return m.dead[id] })
}

// edit puts some chunks of a file, in another order, between new ones, under
// its path or another one.
func (m *model) edit(tx *store.Tx, random *rand.Rand, path string) error {
	old := m.files[path]
	f := old.file
	kept := store.Kept{IDs: map[int]uint32{}}
	if random.IntN(2) == 0 {
		f.Path, f.Root = randomPath(random)
		kept.From = []uint32{old.file.ID}
	}
	var entry modelFile
	end := int64(0)
	add := func(c store.Chunk, vector []float32) {
		entry.chunks = append(entry.chunks, store.Chunk{Start: end, End: end + c.End - c.Start, Hash: c.Hash})
		entry.vectors = append(entry.vectors, vector)
		end += c.End - c.Start
	}
	ids := slices.Collect(second(old.file.IDs.All()))
	for _, place := range random.Perm(len(ids)) {
		for _, c := range randomChunks(random) {
			add(c, nil)
		}
		if random.IntN(3) > 0 {
			kept.IDs[len(entry.chunks)] = ids[place]
			add(old.chunks[place], old.vectors[place])
		}
	}
	delete(m.files, path)
	m.bury(old.file.IDs)
	m.bury(m.files[f.Path].file.IDs)
	if err := tx.PutFileKeeping(&f, entry.chunks, kept); err != nil {
		return err
	}
	for place, id := range f.IDs.All() {
		switch want, keeps := kept.IDs[place]; {
		case keeps && id != want:
			return fmt.Errorf("chunk %d has the id %d in place of %d", place, id, want)
		case !keeps && m.dead[id]:
			return fmt.Errorf("the id %d is given again while something may name it", id)
		}
		delete(m.dead, id)
	}
	entry.file = f
	m.files[f.Path] = entry
	return nil
}

// second yields the second of each pair.
func second[A, B any](pairs iter.Seq2[A, B]) iter.Seq[B] {
	return func(yield func(B) bool) {
		for _, b := range pairs {
			if !yield(b) {
				return
			}
		}
	}
}

// idsDiffer compares which ids are live, dead and free: each below NextChunk is
// one of them, and the last is not free.
func (m *model) idsDiffer(tx *store.Tx, live map[uint32]bool) error {
	are := map[uint32]string{}
	note := func(id uint32, what string) error {
		if are[id] != "" || id >= tx.NextChunk() {
			return fmt.Errorf("id %d of %d is %s and %s", id, tx.NextChunk(), are[id], what)
		}
		are[id] = what
		return nil
	}
	each := func(what string) func(first, n uint32) error {
		return func(first, n uint32) (err error) {
			for id := first; id < first+n && err == nil; id++ {
				err = note(id, what)
			}
			return err
		}
	}
	if err := errors.Join(tx.LiveChunks(each("live")), tx.EachFree(each("free"))); err != nil {
		return err
	}
	for id := range m.dead {
		if err := note(id, "dead"); err != nil {
			return err
		}
	}
	for id := range tx.NextChunk() {
		if (are[id] == "live") != live[id] || are[id] == "" {
			return fmt.Errorf("id %d is %q, live %v", id, are[id], live[id])
		}
	}
	if n := tx.NextChunk(); n > 0 && are[n-1] == "free" {
		return fmt.Errorf("the last of %d ids is free", n)
	}
	return nil
}
