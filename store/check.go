package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Problem is one finding of Check.
type Problem struct {
	Where string // "page 17", "files", "chunks 0000002a", ...
	What  string
}

func (p Problem) String() string { return p.Where + ": " + p.What }

// Summary counts what Check looked at.
type Summary struct {
	Pages, Files, Chunks, Vectors, Segments, Blocks, Problems int
}

// Verifier checks what another package keeps in the index, such as postings. It
// reports problems and fails only when it cannot run.
type Verifier func(ctx context.Context, tx *Tx, report func(Problem)) error

// Check verifies every page, every record with its checksum, and every
// reference between records. It reports problems as it finds them; the error
// says that it was cancelled or that the file could not be read. Records behind
// damaged pages are not looked at. Writers wait until it ends.
func (db *DB) Check(ctx context.Context, report func(Problem), verifiers ...Verifier) (Summary, error) {
	db.writer.Lock()
	defer db.writer.Unlock()
	c := &check{ctx: ctx, report: report}
	err := db.run(db.current.kv.View, func(tx *Tx) error {
		if err := c.pages(tx); err != nil || c.summary.Problems > 0 {
			return err
		}
		return c.records(tx, verifiers)
	})
	if errors.Is(err, ErrCorrupt) {
		if c.summary.Problems == 0 {
			c.problem(Problem{Where: "index", What: err.Error()})
		}
		err = nil
	}
	return c.summary, err
}

type check struct {
	ctx     context.Context
	report  func(Problem)
	summary Summary
}

func (c *check) problem(p Problem) {
	c.summary.Problems++
	c.report(p)
}

func (c *check) wrong(where []byte, format string, args ...any) {
	c.problem(Problem{Where: string(where), What: fmt.Sprintf(format, args...)})
}

// pages walks the pages of a file, which makes bbolt's own check safe, and runs that.
func (c *check) pages(tx *Tx) error {
	if tx.db.server {
		return nil
	}
	w, err := walkPages(tx.db.current.file, pageKeys, c.problem)
	c.summary.Pages = w.pages
	if err != nil && !errors.Is(err, ErrCorrupt) || c.summary.Problems > 0 {
		return err
	}
	for err := range tx.bolt().Check() {
		c.problem(Problem{Where: "bbolt", What: err.Error()})
	}
	return c.ctx.Err()
}

func (c *check) records(tx *Tx, verifiers []Verifier) error {
	for _, bucket := range allBuckets {
		if err := c.checksums(tx, bucket); err != nil {
			return err
		}
	}
	if c.summary.Problems > 0 { // the next steps decode records
		return nil
	}
	for _, part := range []func(*Tx) error{c.main, c.folders, c.files, c.names, c.vectors, c.blocks, c.texts, c.facts, c.entries} {
		if err := part(tx); err != nil {
			return err
		}
	}
	for _, verify := range verifiers {
		if err := verify(c.ctx, tx, c.problem); err != nil {
			return err
		}
	}
	return nil
}

// checksums looks at every record of a bucket and reports each that fails.
func (c *check) checksums(tx *Tx, bucket []byte) error {
	return tx.eachSealed(bucket, func(key, sealed []byte) error {
		if _, err := tx.unseal(bucket, key, sealed); err != nil {
			c.wrong(bucket, "%v", err)
		}
		return c.ctx.Err()
	})
}

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

// folders checks that every folder decodes and occurs once.
func (c *check) folders(tx *Tx) error {
	list, err := tx.decodeFolders(int(tx.counters.folders))
	if err != nil {
		c.wrong([]byte("folders"), "%v", err)
		return c.ctx.Err()
	}
	numbers := make(map[folder]int, len(list))
	for i, f := range list {
		if other, twice := numbers[f]; twice && f != (folder{}) { // as EraseFolders leaves them
			c.wrong([]byte("folders"), "%q has the numbers %d and %d", f.path, other, i)
		}
		numbers[f] = i
	}
	return c.ctx.Err()
}

// files checks each file, its chunks, its entry in the table of names, that no
// id is given twice, and the totals.
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

// ids checks that no chunk id belongs to two files or is free as well.
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

// names checks that the hashes of paths ascend and are as many as files; file
// checks that each path is found.
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

// vectors checks that runs belong to chunks of files, do not overlap, hold
// finite numbers, and add up to the total.
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
