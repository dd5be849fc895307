package store

import (
	"context"
	"encoding/binary"
	"slices"
)

// Repair removes every damaged record in one Update and mends the store's own
// tables: names and counters are made anew; segments and runs of vectors that
// lost a part are removed whole. derived repairs what other packages keep, and
// names by Doubt the files that lost something. Damage says that files are
// missing until Repaired. It fails with ErrBroken where a record that
// everything needs is damaged.
func (db *DB) Repair(ctx context.Context, derived func(tx *Tx) error) error {
	d, err := db.Examine(ctx)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *Tx) error {
		if len(d.Records) > 0 {
			if err := tx.repair(ctx); err != nil {
				return err
			}
			if err := derived(tx); err != nil {
				return err
			}
		}
		return tx.put(bucketMain, keyMending, nil)
	})
	if err == nil && d.Lost { // each Update writes one of the two meta pages
		err = db.Update(func(tx *Tx) error { return tx.put(bucketMain, keyMending, nil) })
	}
	if err != nil {
		return err
	}
	_, err = db.Examine(ctx)
	return err
}

func (tx *Tx) repair(ctx context.Context) error {
	r := repair{Tx: tx, ctx: ctx}
	for _, part := range []func() error{r.dropDamaged, r.files, r.names, r.vectors, r.segments, r.facts, r.entries, r.texts, r.roots} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// Doubt clears a file's hash and time, so that the next comparison indexes it
// again.
func (tx *Tx) Doubt(id uint32) error {
	return tx.change(id, func(e *entry) (bool, error) {
		e.Hash, e.ModTime = [hashBytes]byte{}, 0
		return true, nil
	})
}

// Doubted reports whether Doubt named the file and it was not indexed since.
func (f *File) Doubted() bool { return f.Hash == [hashBytes]byte{} && f.ModTime == 0 }

type repair struct {
	*Tx
	ctx  context.Context
	lost map[uint32]bool // segments that lost a part

	textless []uint32 // files that lost their text, facts or entries
}

// dropDamaged removes all records that fail their checksum.
func (r *repair) dropDamaged() error {
	r.lost = map[uint32]bool{}
	for _, bucket := range allBuckets {
		var bad [][]byte // a cursor may not move while its bucket changes
		err := r.eachSealed(bucket, func(key, sealed []byte) error {
			if _, err := r.unseal(bucket, key, sealed); err != nil {
				bad = append(bad, slices.Clone(key))
			}
			return r.ctx.Err()
		})
		if err != nil {
			return err
		}
		for _, key := range bad {
			if string(bucket) == string(bucketPostings) && len(key) >= 4 {
				r.lost[binary.BigEndian.Uint32(key)] = true
			}
			if string(bucket) == string(bucketTexts) && len(key) == 4 {
				r.textless = append(r.textless, binary.BigEndian.Uint32(key))
			}
			if file, ok := saidBy(key); ok && string(bucket) == string(bucketMain) {
				r.textless = append(r.textless, file)
			}
			if err := r.delete(bucket, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// files removes blocks that do not decode and counts the rest.
func (r *repair) files() error {
	folders, err := r.folderList()
	if err != nil {
		return err
	}
	c := &r.counters
	c.files, c.chunks, c.textBytes = 0, 0, 0
	var used Runs
	next, bad := uint64(0), []uint32(nil)
	err = r.eachIn(tableFiles, 0, func(number uint32, value []byte) error {
		list, err := decodeFileBlock(number, value)
		if err != nil || len(list) == 0 || uint64(list[0].ID) < next {
			bad = append(bad, number)
			return r.ctx.Err()
		}
		for i := range list {
			chunks, err := list[i].decodeChunks()
			if err != nil || checkTiling(chunks) != nil || int(list[i].folder) >= len(folders) {
				bad = append(bad, number)
				return r.ctx.Err()
			}
		}
		for i := range list {
			c.files++
			c.chunks += list[i].Chunks
			c.textBytes += list[i].TextBytes
			next = uint64(list[i].ID) + 1
			used = append(used, list[i].IDs...)
		}
		return r.ctx.Err()
	})
	if err != nil {
		return err
	}
	if next > uint64(c.nextFile) {
		return broken("ids up to %d are taken, beyond those given", next)
	}
	if err := r.ids(used); err != nil {
		return err
	}
	for _, number := range bad {
		if err := r.deleteIn(tableFiles, number); err != nil {
			return err
		}
	}
	return nil
}

// ids drops a list of free ids that does not decode: the next FreeChunks makes
// it again. Chunk ids given twice are beyond repair.
func (r *repair) ids(used Runs) error {
	used, once := used.sorted()
	if last := len(used) - 1; !once || last >= 0 && used[last].end() > uint64(r.counters.nextChunk) {
		return broken("two chunks have the same id, or one that was not given")
	}
	free, err := r.freeRuns()
	if _, once := slices.Concat(used, free).sorted(); err == nil && once {
		return nil
	}
	return r.setFree(nil)
}

func (r *repair) names() error {
	var numbers []uint32
	err := r.eachIn(tableNames, 0, func(number uint32, _ []byte) error {
		numbers = append(numbers, number)
		return nil
	})
	if err != nil {
		return err
	}
	for _, number := range numbers {
		if err := r.deleteIn(tableNames, number); err != nil {
			return err
		}
	}
	return r.Files(func(f File) error { return r.addPath(f.Path, f.ID) })
}

// vectors removes runs that belong to no file and counts the rest.
func (r *repair) vectors() error {
	used, err := r.usedIDs()
	if err != nil {
		return err
	}
	next, bad := uint64(0), [][]byte(nil)
	r.counters.vectors = 0
	err = r.each(bucketVectors, nil, func(key, value []byte) error {
		n, err := r.runLength(key, value)
		if err != nil {
			bad = append(bad, slices.Clone(key))
			return r.ctx.Err()
		}
		first := binary.BigEndian.Uint32(key)
		if !used.hold(Run{first, n}) || uint64(first) < next {
			bad = append(bad, slices.Clone(key))
			return r.ctx.Err()
		}
		next = uint64(first) + uint64(n)
		r.counters.vectors += n
		return r.ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, key := range bad {
		if err := r.delete(bucketVectors, key); err != nil {
			return err
		}
	}
	return nil
}

// segments removes segments that lost their header or a block.
func (r *repair) segments() error {
	postings := r.Postings()
	known := map[uint32]bool{}
	ids, err := postings.Segments()
	if err != nil {
		return err
	}
	for _, id := range ids {
		_, _, err := postings.header(id)
		known[id] = err == nil && !r.lost[id] && id < r.counters.nextSegment
	}
	err = r.each(bucketPostings, nil, func(key, _ []byte) error {
		if id, _, err := splitBlockKey(key); err == nil && !known[id] {
			known[id] = false
		}
		return r.ctx.Err()
	})
	if err != nil {
		return err
	}
	for id, sound := range known {
		if sound {
			continue
		}
		if err := postings.Drop(id); err != nil {
			return err
		}
	}
	return nil
}

// roots restores a lost list of indexed folders from the files and from the
// list beside the index.
func (r *repair) roots() error {
	if r.kv.Bucket(bucketMain).Get(keyRoots) != nil {
		return nil
	}
	roots := keptRoots(r.db.Path())
	err := r.Files(func(f File) error {
		if !slices.Contains(roots, f.Root) {
			roots = append(roots, f.Root)
		}
		return nil
	})
	if err != nil || len(roots) == 0 {
		return err
	}
	return r.PutRoots(roots)
}
