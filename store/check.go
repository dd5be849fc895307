package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Problem is one thing that Check found wrong.
type Problem struct {
	Where string // "page 17", "files", "chunks 0000002a", ...
	What  string
}

func (p Problem) String() string { return p.Where + ": " + p.What }

// Summary says what Check looked at.
type Summary struct {
	Pages, Files, Chunks, Vectors, Segments, Blocks, Problems int
}

// Verifier checks what other packages keep in the index; the lexical index
// brings one for its postings. It reports problems and fails only when it
// cannot run.
type Verifier func(ctx context.Context, tx *Tx, report func(Problem)) error

// Check verifies the whole index: every page, every record and its checksum,
// and every reference between records. It reports problems as it finds them
// and returns an error only when it was cancelled or the file could not be
// read. When pages are damaged the records are not looked at: they would be
// reached through those pages. Writers wait until it has ended.
func (db *DB) Check(ctx context.Context, report func(Problem), verifiers ...Verifier) (Summary, error) {
	db.writer.Lock()
	defer db.writer.Unlock()
	c := &check{ctx: ctx, report: report}
	err := db.run(db.bolt.View, func(tx *Tx) error {
		pages, err := walkPages(db.file, pageKeys, c.problem)
		c.summary.Pages = pages
		if err != nil && !errors.Is(err, ErrCorrupt) || c.summary.Problems > 0 {
			return err
		}
		if err := c.bolt(tx); err != nil || c.summary.Problems > 0 {
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

// check is one run of Check.
type check struct {
	ctx     context.Context
	report  func(Problem)
	summary Summary
	live    map[uint32]File // by first chunk id
}

func (c *check) problem(p Problem) {
	c.summary.Problems++
	c.report(p)
}

func (c *check) wrong(where []byte, format string, args ...any) {
	c.problem(Problem{Where: string(where), What: fmt.Sprintf(format, args...)})
}

// bolt runs bbolt's own check, which the walk of the pages made safe.
func (c *check) bolt(tx *Tx) error {
	for err := range tx.bolt.Check() {
		c.problem(Problem{Where: "bbolt", What: err.Error()})
	}
	return c.ctx.Err()
}

func (c *check) records(tx *Tx, verifiers []Verifier) error {
	c.live = make(map[uint32]File)
	for _, bucket := range allBuckets {
		if err := c.checksums(tx, bucket); err != nil {
			return err
		}
	}
	if c.summary.Problems > 0 { // what follows decodes records
		return nil
	}
	for _, part := range []func(*Tx) error{c.main, c.files, c.ids, c.chunks, c.vectors, c.blocks} {
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
	return tx.bolt.Bucket(bucket).ForEach(func(key, sealed []byte) error {
		if _, err := tx.unseal(bucket, key, sealed); err != nil {
			c.wrong(bucket, "%v", err)
		}
		return c.ctx.Err()
	})
}

// main decodes the small records.
func (c *check) main(tx *Tx) error {
	if _, err := tx.Roots(); err != nil {
		c.wrong(bucketMain, "roots: %v", err)
	}
	return nil
}

// files checks each file record, its id, its chunks, and the totals.
func (c *check) files(tx *Tx) error {
	var sum counters
	err := tx.each(bucketFiles, nil, func(path, value []byte) error {
		f, err := tx.decodeFile(path, value)
		if err != nil {
			c.wrong(bucketFiles, "%v", err)
			return c.ctx.Err()
		}
		sum.files++
		sum.chunks += f.Chunks
		sum.textBytes += f.TextBytes
		c.file(tx, f)
		return c.ctx.Err()
	})
	c.summary.Files, c.summary.Chunks = int(sum.files), int(sum.chunks)
	if err == nil && (sum.files != tx.counters.files || sum.chunks != tx.counters.chunks || sum.textBytes != tx.counters.textBytes) {
		c.wrong(bucketMain, "counters say %d files, %d chunks, %d bytes of text; there are %d, %d, %d",
			tx.counters.files, tx.counters.chunks, tx.counters.textBytes, sum.files, sum.chunks, sum.textBytes)
	}
	return err
}

func (c *check) file(tx *Tx, f File) {
	path, err := tx.get(bucketIDs, key32(f.ID))
	if err != nil || string(path) != f.Path {
		c.wrong(bucketFiles, "%q has id %d, which belongs to %q", f.Path, f.ID, path)
	}
	if f.ID >= tx.counters.nextFile || uint64(f.FirstChunk)+uint64(f.Chunks) > uint64(tx.counters.nextChunk) {
		c.wrong(bucketFiles, "%q has id %d and chunks up to %d, beyond the ids given", f.Path, f.ID, uint64(f.FirstChunk)+uint64(f.Chunks))
	}
	if f.Chunks == 0 {
		if f.TextBytes != 0 {
			c.wrong(bucketFiles, "%q has %d bytes of text but no chunks", f.Path, f.TextBytes)
		}
		return
	}
	c.live[f.FirstChunk] = f
	chunks, err := tx.Chunks(f)
	if err != nil {
		c.wrong(bucketFiles, "%q: chunks: %v", f.Path, err)
		return
	}
	if end := chunks[len(chunks)-1].End; end != f.TextBytes {
		c.wrong(bucketChunks, "%q: chunks end at byte %d of %d", f.Path, end, f.TextBytes)
	}
}

// ids checks that every id leads to a file that has it.
func (c *check) ids(tx *Tx) error {
	return tx.each(bucketIDs, nil, func(key, path []byte) error {
		f, err := tx.FileByPath(string(path))
		if err != nil || len(key) != 4 || f.ID != binary.BigEndian.Uint32(key) {
			c.wrong(bucketIDs, "id %x leads to %q, which does not have it", key, path)
		}
		return c.ctx.Err()
	})
}

// chunks checks that each block belongs to a file and that none overlap.
func (c *check) chunks(tx *Tx) error {
	next := uint64(0)
	return tx.LiveChunks(func(first, n uint32) error {
		if _, owned := c.live[first]; !owned {
			c.wrong(bucketChunks, "chunks %d to %d belong to no file", first, uint64(first)+uint64(n)-1)
		}
		if uint64(first) < next {
			c.wrong(bucketChunks, "chunk %d belongs to two files", first)
		}
		next = uint64(first) + uint64(n)
		return c.ctx.Err()
	})
}

// vectors checks that each value belongs to a file, holds one vector a chunk
// of the one dimension, and only finite numbers.
func (c *check) vectors(tx *Tx) error {
	dimension := 0
	return tx.Vectors(func(first uint32, raw []byte) error {
		f, owned := c.live[first]
		if !owned || f.Chunks == 0 || len(raw)%(4*int(f.Chunks)) != 0 {
			c.wrong(bucketVectors, "vectors of chunk %d, %d bytes, fit no file", first, len(raw))
			return c.ctx.Err()
		}
		c.summary.Vectors += int(f.Chunks)
		width := len(raw) / 4 / int(f.Chunks)
		if dimension == 0 {
			dimension = width
		}
		if width != dimension {
			c.wrong(bucketVectors, "vectors of chunk %d have dimension %d, others %d", first, width, dimension)
		}
		for at := 0; at < len(raw); at += 4 {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[at:])))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				c.wrong(bucketVectors, "vectors of chunk %d hold a number that is not finite", first)
				break
			}
		}
		return c.ctx.Err()
	})
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
