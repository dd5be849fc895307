package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
)

// main decodes the named records and looks at all keys of their bucket.
func (c *check) main(tx *Tx) error {
	if _, err := tx.Roots(); err != nil {
		c.wrong(bucketMain, "roots: %v", err)
	}
	named := [][]byte{keyHeader, keyCounters, keyRoots, keyFree}
	return tx.each(bucketMain, nil, func(key, _ []byte) error {
		_, _, inTable := tableOf(key)
		switch {
		case inTable && len(key) != tableKeyBytes:
			c.wrong(bucketMain, "key %x of a table is not %d bytes long", key, tableKeyBytes)
		case !inTable && !strings.HasPrefix(string(key), prefixMeta) && !slices.ContainsFunc(named, func(name []byte) bool { return bytes.Equal(name, key) }):
			c.wrong(bucketMain, "key %q has no meaning", key)
		}
		return c.ctx.Err()
	})
}

// folders checks that all can be read and each is there once.
func (c *check) folders(tx *Tx) error {
	list, err := tx.decodeFolders(int(tx.counters.folders))
	if err != nil {
		c.wrong([]byte("folders"), "%v", err)
		return c.ctx.Err()
	}
	numbers := make(map[folder]int, len(list))
	for i, f := range list {
		if other, twice := numbers[f]; twice {
			c.wrong([]byte("folders"), "%q has the numbers %d and %d", f.path, other, i)
		}
		numbers[f] = i
	}
	return c.ctx.Err()
}

// files checks each file, its chunks, that it is found by its path, that no
// ids are given twice, and the totals.
func (c *check) files(tx *Tx) error {
	var sum counters
	var ids Runs
	next := uint64(0)
	err := tx.eachIn(tableFiles, 0, func(number uint32, value []byte) error {
		list, err := decodeFileBlock(number, value)
		if err != nil || len(list) == 0 || uint64(number) < next {
			c.wrong([]byte("files"), "block %08x: %d files after id %d, error %v", number, len(list), next, err)
		}
		for i := range list {
			e := &list[i]
			next = uint64(e.ID) + 1
			ids = append(ids, e.IDs...)
			sum.files++
			sum.chunks += e.Chunks
			sum.textBytes += e.TextBytes
			c.file(tx, e)
		}
		return c.ctx.Err()
	})
	c.summary.Files, c.summary.Chunks = int(sum.files), int(sum.chunks)
	if next > uint64(tx.counters.nextFile) {
		c.wrong([]byte("files"), "ids up to %d are taken, beyond those given", next)
	}
	c.ids(tx, ids)
	if err == nil && (sum.files != tx.counters.files || sum.chunks != tx.counters.chunks || sum.textBytes != tx.counters.textBytes) {
		c.wrong(bucketMain, "counters say %d files, %d chunks, %d bytes of text; there are %d, %d, %d",
			tx.counters.files, tx.counters.chunks, tx.counters.textBytes, sum.files, sum.chunks, sum.textBytes)
	}
	return err
}

// ids checks that no chunk id belongs to two files, and none of them is free.
func (c *check) ids(tx *Tx, used Runs) {
	used, once := used.sorted()
	if !once {
		c.wrong([]byte("files"), "two chunks have the same id")
	}
	if last := len(used) - 1; last >= 0 && used[last].end() > uint64(tx.counters.nextChunk) {
		c.wrong([]byte("files"), "chunk ids up to %d are taken, beyond those given", used[last].end())
	}
	free, err := tx.freeRuns()
	if _, once := slices.Concat(used, free).sorted(); err != nil || !once {
		c.wrong(bucketMain, "chunks have ids that are free: %v", err)
	}
}

func (c *check) file(tx *Tx, e *entry) {
	f, err := tx.whole(e)
	if err != nil {
		c.wrong([]byte("files"), "file %d: %v", e.ID, err)
		return
	}
	if dir, name := splitPath(f.Path); name != e.name || dir == f.Path && name == "" {
		c.wrong([]byte("files"), "file %d has the name %q in %q", e.ID, e.name, dir)
	}
	if found, err := tx.FileByPath(f.Path); err != nil || found.ID != f.ID {
		c.wrong([]byte("names"), "%q leads to file %d, not %d, error %v", f.Path, found.ID, f.ID, err)
	}
	chunks, err := e.decodeChunks()
	if err == nil {
		err = checkTiling(chunks)
	}
	if err != nil || len(chunks) == 0 && f.TextBytes != 0 || f.IDs.Len() != len(chunks) {
		c.wrong([]byte("files"), "%q: %d bytes of text in %d chunks, error %v", f.Path, f.TextBytes, len(chunks), err)
	}
}

// names checks that the hashes of paths are in order and as many as files;
// that each file is found by its own is checked with the file.
func (c *check) names(tx *Tx) error {
	next, n := uint32(0), 0
	err := tx.eachIn(tableNames, 0, func(first uint32, value []byte) error {
		b, err := decodePathBlock(first, value)
		if err != nil || len(b.hashes) == 0 || first < next {
			c.wrong([]byte("names"), "block %08x after hash %06x: error %v", first, next, err)
			return c.ctx.Err()
		}
		next = b.hashes[len(b.hashes)-1] + 1
		n += len(b.hashes)
		return c.ctx.Err()
	})
	if err == nil && n != int(tx.counters.files) {
		c.wrong([]byte("names"), "%d paths lead to %d files", n, tx.counters.files)
	}
	return err
}

// vectors checks that each run is of chunks that files have and overlaps no
// other, that it holds only finite numbers, and the total.
func (c *check) vectors(tx *Tx) error {
	used, err := tx.usedIDs()
	if err != nil {
		return err
	}
	next := uint64(0)
	err = tx.Vectors(func(first uint32, raw []byte) error {
		n := uint64(len(raw) / 4 / int(tx.counters.dimension))
		end := uint64(first) + n
		if !used.hold(Run{first, uint32(n)}) {
			c.wrong(bucketVectors, "vectors of chunks %d to %d fit no file", first, end-1)
		}
		if uint64(first) < next {
			c.wrong(bucketVectors, "chunk %d has two vectors", first)
		}
		next = end
		c.summary.Vectors += int(n)
		for at := 0; at < len(raw); at += 4 {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[at:])))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				c.wrong(bucketVectors, "vectors of chunk %d hold a number that is not finite", first)
				break
			}
		}
		return c.ctx.Err()
	})
	if errors.Is(err, ErrCorrupt) {
		c.wrong(bucketVectors, "%v", err)
		return nil
	}
	if err == nil && c.summary.Vectors != int(tx.counters.vectors) {
		c.wrong(bucketMain, "counters say %d vectors; there are %d", tx.counters.vectors, c.summary.Vectors)
	}
	return err
}

// blocks checks that segments and blocks belong together.
func (c *check) blocks(tx *Tx) error {
	segments, err := tx.Postings().Segments()
	if err != nil {
		return err
	}
	c.summary.Segments = len(segments)
	known := make(map[uint32]bool, len(segments))
	for _, id := range segments {
		known[id] = true
		if id >= tx.counters.nextSegment {
			c.wrong(bucketSegments, "segment %d is beyond the ids given", id)
		}
		if _, _, err := tx.Postings().header(id); err != nil {
			c.wrong(bucketSegments, "%v", err)
		}
	}
	return tx.each(bucketPostings, nil, func(key, _ []byte) error {
		c.summary.Blocks++
		segment, first, err := splitBlockKey(key)
		if err != nil || !known[segment] {
			c.wrong(bucketPostings, "block %q of segment %d, which does not exist", first, segment)
		}
		return c.ctx.Err()
	})
}
