package store

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"
)

// PutFile stores a file with its chunks in place of any earlier file of that
// path, whose chunk ids become tombstones. It sets f's ID, IDs, Chunks and
// TextBytes.
func (tx *Tx) PutFile(f *File, chunks []Chunk) error { return tx.PutFileKeeping(f, chunks, Kept{}) }

// Kept says what new chunks take over from the files they replace.
type Kept struct {
	// From are further files that go, beside the one of that path: what a
	// renamed file was.
	From []uint32
	// IDs are the kept chunk ids by the place of the new chunk; postings, code
	// or vector stay with them.
	IDs map[int]uint32
}

// PutFileKeeping is PutFile with kept chunk ids. It fails where a file does not
// exist or does not have such an id.
func (tx *Tx) PutFileKeeping(f *File, chunks []Chunk, kept Kept) error {
	if err := admitFile(f, chunks); err != nil {
		return err
	}
	gone := kept.From
	switch old, err := tx.FileByPath(f.Path); {
	case err == nil && !slices.Contains(gone, old.ID):
		gone = append(slices.Clone(gone), old.ID)
	case err != nil && !errors.Is(err, ErrNotFound):
		return err
	}
	var err error
	if f.IDs, err = tx.replace(gone, len(chunks), kept.IDs); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	c := &tx.counters
	if c.nextFile == 1<<32-1 {
		return errors.New("the index has given all ids of files: remove it and index again")
	}
	f.ID, f.Chunks, f.TextBytes = c.nextFile, uint32(len(chunks)), 0
	if len(chunks) > 0 {
		f.TextBytes = chunks[len(chunks)-1].End
	}
	e, err := tx.entryOf(*f, chunks)
	if err != nil {
		return err
	}
	if err := tx.appendEntry(e); err != nil {
		return err
	}
	if err := tx.addPath(f.Path, f.ID); err != nil {
		return err
	}
	c.nextFile++
	c.files++
	c.chunks += f.Chunks
	c.textBytes += f.TextBytes
	added := *f
	tx.note(f.ID, &added)
	return nil
}

// replace removes files and returns the ids of the n chunks that replace
// theirs, kept ones by place and new ones.
func (tx *Tx) replace(files []uint32, n int, kept map[int]uint32) (ids Runs, err error) {
	var old Runs
	for _, id := range files {
		f, err := tx.removeFile(id)
		if err != nil {
			return nil, err
		}
		old = append(old, f.IDs...)
	}
	left := make(map[uint32]bool, old.Len())
	for _, id := range old.All() {
		left[id] = true
	}
	for place, id := range kept {
		if place >= n || !left[id] {
			return nil, fmt.Errorf("chunk %d of %d cannot keep the id %d", place, n, id)
		}
		delete(left, id)
	}
	if err := tx.dropVectors(old, left); err != nil {
		return nil, err
	}
	fresh, err := tx.giveIDs(uint32(n - len(kept)))
	if err != nil {
		return nil, err
	}
	next, stop := iter.Pull2(fresh.All())
	defer stop()
	for place := range n {
		id, keeps := kept[place]
		if !keeps {
			_, id, _ = next()
		}
		ids = ids.with(Run{id, 1})
	}
	return ids, nil
}

func admitFile(f *File, chunks []Chunk) error {
	if f.Path == "" || len(f.Path) > maxPathBytes || len(f.Root) > maxPathBytes {
		return fmt.Errorf("a path of %d bytes below one of %d cannot be stored", len(f.Path), len(f.Root))
	}
	if f.Size < 0 {
		return fmt.Errorf("%s: negative size %d", f.Path, f.Size)
	}
	if f.Kind > kindBits {
		return fmt.Errorf("%s: kind %d is above %d", f.Path, f.Kind, kindBits)
	}
	if uint64(len(chunks)) > 1<<31 {
		return fmt.Errorf("%s: %d chunks are too many", f.Path, len(chunks))
	}
	if err := checkTiling(chunks); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return nil
}

func (tx *Tx) entryOf(f File, chunks []Chunk) (*entry, error) {
	dir, name := splitPath(f.Path)
	number, err := tx.folderNumber(folder{dir, f.Root})
	if err != nil {
		return nil, err
	}
	e := &entry{File: f, folder: number, name: name}
	e.chunks = appendChunks(nil, chunks)
	return e, nil
}

// appendEntry puts a file behind all others, in the last block or a new one.
func (tx *Tx) appendEntry(e *entry) error {
	number, value, err := tx.floorIn(tableFiles, 1<<32-1)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	block := newFileBlock(e.ID)
	if err == nil && len(value) < tableBlock {
		last := tx.filling
		if last == nil || !last.is(number, value, tx.filled) {
			if last, err = readFileBlock(number, value); err != nil {
				return err
			}
		}
		if last.fits(e) {
			block = last
		}
	}
	block.add(e)
	encoded := block.encode()
	tx.filling, tx.filled = block, slices.Clone(encoded) // the files of a batch come one after the other
	return tx.putIn(tableFiles, block.number, encoded)
}

func readFileBlock(number uint32, value []byte) (*fileBlock, error) {
	list, err := decodeFileBlock(number, value)
	if err != nil {
		return nil, locatedIn(tableFiles, number, err)
	}
	block := newFileBlock(number)
	for i := range list {
		block.add(&list[i])
	}
	return block, nil
}

func indexOf(list []entry, id uint32) int {
	i := sort.Search(len(list), func(i int) bool { return list[i].ID >= id })
	if i == len(list) || list[i].ID != id {
		return -1
	}
	return i
}

// change rewrites the block that holds a file: with the entry as fn changed it,
// or without it when fn returns false.
func (tx *Tx) change(id uint32, fn func(e *entry) (keep bool, err error)) error {
	number, value, err := tx.floorIn(tableFiles, id)
	if err != nil {
		return err
	}
	list, err := decodeFileBlock(number, value)
	if err != nil {
		return locatedIn(tableFiles, number, err)
	}
	i := indexOf(list, id)
	if i < 0 {
		return ErrNotFound
	}
	keep, err := fn(&list[i])
	if err != nil {
		return err
	}
	if !keep {
		list = slices.Delete(list, i, i+1)
	}
	if len(list) == 0 {
		return tx.deleteIn(tableFiles, number)
	}
	block := newFileBlock(number)
	for i := range list {
		block.add(&list[i])
	}
	return tx.putIn(tableFiles, number, block.encode())
}

// TouchFile updates size and times of a file whose content is the same.
func (tx *Tx) TouchFile(id uint32, size, modTime, changed int64) error {
	if size < 0 {
		return fmt.Errorf("touch file %d: negative size %d", id, size)
	}
	err := tx.change(id, func(e *entry) (bool, error) {
		e.Size, e.ModTime, e.Changed = size, modTime, changed
		f, err := tx.whole(e)
		tx.note(id, &f)
		return true, err
	})
	if err != nil {
		return fmt.Errorf("touch file %d: %w", id, err)
	}
	return nil
}

// AdoptChanged sets the Changed of files, by id, where it was not known. It
// skips ids that no file has.
func (tx *Tx) AdoptChanged(changed map[uint32]int64) error {
	type rewritten struct {
		number uint32
		block  *fileBlock
	}
	var blocks []rewritten
	err := tx.eachIn(tableFiles, 0, func(number uint32, value []byte) error {
		list, err := decodeFileBlock(number, value)
		if err != nil {
			return locatedIn(tableFiles, number, err)
		}
		block, adopts := newFileBlock(number), false
		for i := range list {
			if at, known := changed[list[i].ID]; known && list[i].Changed == 0 {
				list[i].Changed, adopts = at, true
			}
			block.add(&list[i])
		}
		if adopts {
			blocks = append(blocks, rewritten{number, block})
		}
		return nil
	})
	for _, b := range blocks {
		if err == nil {
			err = tx.putIn(tableFiles, b.number, b.block.encode())
		}
	}
	return err
}

// DeleteFile removes a file, its chunks and its vectors.
func (tx *Tx) DeleteFile(id uint32) error {
	f, err := tx.removeFile(id)
	if err != nil {
		return err
	}
	return tx.dropVectors(f.IDs, nil)
}

// removeFile removes a file but not the vectors of its chunks.
func (tx *Tx) removeFile(id uint32) (f File, err error) {
	err = tx.change(id, func(e *entry) (bool, error) {
		if f, err = tx.whole(e); err != nil {
			return false, err
		}
		tx.counters.files--
		tx.counters.chunks -= f.Chunks
		tx.counters.textBytes -= f.TextBytes
		tx.note(id, nil)
		if err := errors.Join(tx.dropText(id), tx.dropFacts(id), tx.dropEntries(id)); err != nil {
			return false, err
		}
		return false, tx.removePath(f.Path, id)
	})
	if err != nil {
		return f, fmt.Errorf("delete file %d: %w", id, err)
	}
	return f, nil
}
