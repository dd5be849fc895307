package store

import (
	"context"
	"errors"
	"fmt"
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
	err := db.run(db.current.bolt.View, func(tx *Tx) error {
		w, err := walkPages(db.current.file, pageKeys, c.problem)
		c.summary.Pages = w.pages
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
	for _, bucket := range allBuckets {
		if err := c.checksums(tx, bucket); err != nil {
			return err
		}
	}
	if c.summary.Problems > 0 { // what follows decodes records
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
	return tx.bolt.Bucket(bucket).ForEach(func(key, sealed []byte) error {
		if _, err := tx.unseal(bucket, key, sealed); err != nil {
			c.wrong(bucket, "%v", err)
		}
		return c.ctx.Err()
	})
}
