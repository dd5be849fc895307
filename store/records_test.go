package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"dowse/internal/testwait"
	"dowse/store"
	"dowse/store/kv"
	"dowse/store/postgres"
)

// recordsVariable tells the test binary, run by a test as a child, to write to the buckets it names.
const recordsVariable = "DOWSE_TEST_RECORDS"

// A place has buckets: the path of a file, or an address of PostgreSQL.
type place string

// open opens the buckets for reading and writing. A file is open once at a time.
func (p place) open() (kv.DB, error) {
	if !postgres.IsAddress(string(p)) {
		return store.OpenBolt(string(p))
	}
	a, err := postgres.ParseAddress(string(p))
	if err != nil {
		return nil, err
	}
	w, err := postgres.Open(context.Background(), a, postgres.Options{Write: true, Wait: 10 * time.Second})
	if err != nil {
		return nil, err
	}
	r, err := postgres.Open(context.Background(), a, postgres.Options{Memory: 256 << 10})
	return both{w, r}, err
}

// both writes and reads as two processes do.
type both struct{ write, read *postgres.DB }

func (b both) View(fn func(kv.Tx) error) error   { return b.read.View(fn) }
func (b both) Update(fn func(kv.Tx) error) error { return b.write.Update(fn) }
func (b both) Close() error                      { return errors.Join(b.read.Close(), b.write.Close()) }

func opened(t *testing.T, p place) kv.DB {
	t.Helper()
	db, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// until waits until a condition holds in a View: a reader hears of a commit a moment later.
func until(t *testing.T, db kv.DB, what string, holds func(kv.Tx) bool) {
	t.Helper()
	testwait.Until(t, what, func() (is bool) {
		must(t, db.View(func(tx kv.Tx) error { is = holds(tx); return nil }))
		return is
	})
}

var (
	bucketA, bucketB = []byte("a"), []byte("b")
	randomKeys       = func(r *rand.Rand) []byte {
		key := make([]byte, 1+r.IntN(3))
		for i := range key {
			key[i] = []byte{0, 1, 'a', 'b', 0x7f, 0x80, 0xff}[r.IntN(7)]
		}
		return key
	}
)

// fill makes bucket a with n records that hold a number.
func fill(t *testing.T, db kv.DB, n, number int) {
	t.Helper()
	must(t, db.Update(func(tx kv.Tx) error { return putAll(tx, n, number) }))
}

func putAll(tx kv.Tx, n, number int) error {
	b := tx.Bucket(bucketA)
	if b == nil {
		var err error
		if b, err = tx.CreateBucket(bucketA); err != nil {
			return err
		}
	}
	for i := range n {
		if err := b.Put(fmt.Appendf(nil, "%04d", i), fmt.Appendf(nil, "%d %s", number, bytes.Repeat([]byte("x"), 100))); err != nil {
			return err
		}
	}
	return nil
}

// numberOf reads the number that all records hold; it fails where they differ.
func numberOf(tx kv.Tx, n int) (number int, err error) {
	b := tx.Bucket(bucketA)
	if b == nil {
		return 0, nil
	}
	count, c := 0, b.Cursor()
	for key, value := c.First(); key != nil; key, value = c.Next() {
		text, _, _ := bytes.Cut(value, []byte(" "))
		one, err := strconv.Atoi(string(text))
		if err != nil {
			return 0, fmt.Errorf("record %s: %w", key, err)
		}
		if count > 0 && one != number {
			return 0, fmt.Errorf("record %s is of commit %d, others of %d", key, one, number)
		}
		number = one
		count++
	}
	if count != n {
		return 0, fmt.Errorf("%d records, not %d", count, n)
	}
	return number, nil
}

// writeRecords commits numbers until it is killed.
func writeRecords(p place) error {
	db, err := p.open()
	if err != nil {
		return err
	}
	for {
		err := store.Guard(func() error {
			return db.Update(func(tx kv.Tx) error {
				n := 0
				if b := tx.Bucket(bucketA); b != nil {
					if n, err = numberOf(tx, 200); err != nil {
						return err
					}
				}
				return putAll(tx, 200, n+1)
			})
		})
		if err != nil {
			return err
		}
	}
}
