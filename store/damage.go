package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Damage says what of an index cannot be trusted. Damaged records leave the
// others usable; damaged pages end all use, by ErrBroken.
type Damage struct {
	Records []Problem // records that fail their checksum
	Files   bool      // some of Records list files
	Vectors bool      // some hold vectors or codes
	Terms   bool      // some hold postings
	Graph   bool      // some hold links; searches do without

	// Lost says that one of the two meta pages is damaged: the last Update may
	// be lost.
	Lost bool
	// Unmended says that a repair or a rebuild has not ended: some files are
	// not in the index.
	Unmended bool
}

// Any reports whether anything is wrong.
func (d Damage) Any() bool { return len(d.Records) > 0 || d.Lost || d.Unmended }

// String gives the findings as the end of a sentence.
func (d Damage) String() string {
	var parts []string
	if n := len(d.Records); n > 1 {
		parts = append(parts, fmt.Sprintf("%v, and %d more", d.Records[0], n-1))
	} else if n == 1 {
		parts = append(parts, d.Records[0].String())
	}
	if d.Lost {
		parts = append(parts, "the last change may be lost")
	}
	if d.Unmended {
		parts = append(parts, "its repair has not ended")
	}
	return strings.Join(parts, "; ")
}

// keyMending stands in the index during a repair or a rebuild.
var keyMending = []byte(prefixMeta + "mending")

// Damage returns what Open or the last Examine found.
func (db *DB) Damage() Damage {
	if d := db.damage.Load(); d != nil {
		return *d
	}
	return Damage{}
}

// Damage returns the damage of the index that the transaction reads.
func (tx *Tx) Damage() Damage { return tx.db.Damage() }

// Examine checks every page and every checksum without decoding records, which
// Check does. It returns ErrBroken where the pages cannot be followed. Writers
// wait until it ends.
func (db *DB) Examine(ctx context.Context) (Damage, error) {
	db.writer.Lock()
	defer db.writer.Unlock()
	return db.examine(ctx)
}

// examine is Examine for a caller that holds the writer lock.
func (db *DB) examine(ctx context.Context) (Damage, error) {
	var d Damage
	err := db.run(db.current.kv.View, func(tx *Tx) error {
		lost := false
		if !db.server {
			w, err := walkPages(db.current.file, pageKeys, nil)
			if err != nil {
				return err
			}
			lost = w.torn
		}
		var err error
		d, err = tx.examine(ctx)
		d.Lost = lost
		return err
	})
	if err != nil {
		return d, err
	}
	db.damage.Store(&d)
	return d, nil
}

func (tx *Tx) examine(ctx context.Context) (d Damage, err error) {
	for _, bucket := range allBuckets {
		err := tx.eachSealed(bucket, func(key, sealed []byte) error {
			if _, wrong := tx.unseal(bucket, key, sealed); wrong != nil {
				return d.add(bucket, key, wrong)
			}
			return ctx.Err()
		})
		if err != nil {
			return d, err
		}
	}
	d.Unmended = tx.kv.Bucket(bucketMain).Get(keyMending) != nil
	return d, nil
}

// add notes a damaged record. It fails for records that all others depend on.
func (d *Damage) add(bucket, key []byte, wrong error) error {
	switch string(bucket) {
	case string(bucketVectors):
		d.Vectors = true
	case string(bucketSegments), string(bucketPostings):
		d.Terms = true
	case string(bucketMain):
		t, _, inTable := tableOf(key)
		switch {
		case inTable && (t == tableFolders || t == tableCodebook):
			return fmt.Errorf("%w: %w", ErrBroken, wrong)
		case inTable && t == tableFiles:
			d.Files = true
		case inTable && t == tableCodes:
			d.Vectors = true
		case inTable && (t == tableLinks || t == tableUpperLinks):
			d.Graph = true
		case !inTable && (string(key) == string(keyHeader) || string(key) == string(keyCounters)):
			return fmt.Errorf("%w: %w", ErrBroken, wrong)
		}
	}
	what := strings.TrimPrefix(wrong.Error(), string(bucket)+" ")
	d.Records = append(d.Records, Problem{Where: string(bucket), What: what})
	return nil
}

// Repaired notes that a repair or a rebuild has ended.
func (db *DB) Repaired() error {
	err := db.Update(func(tx *Tx) error {
		if tx.kv.Bucket(bucketMain).Get(keyMending) == nil {
			return nil
		}
		return tx.delete(bucketMain, keyMending)
	})
	if err != nil {
		return err
	}
	_, err = db.Examine(context.Background())
	return err
}

// brokenIf turns damage of a record that no transaction can do without into
// ErrBroken.
func brokenIf(err error) error {
	if errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrBroken) {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return err
}

// These read a damaged index record by record and skip records that fail their
// checksum, which Damage.Records lists.

// eachSound calls fn for the records of a bucket from a key on while within
// holds, and reports whether some could not be read.
func (tx *Tx) eachSound(bucket, from []byte, within func(key []byte) bool, fn func(key, value []byte) error) (damaged bool, err error) {
	cursor := tx.kv.Bucket(bucket).Cursor()
	for key, sealed := cursor.Seek(from); key != nil && within(key); key, sealed = cursor.Next() {
		value, wrong := tx.unseal(bucket, key, sealed)
		if wrong != nil {
			damaged = true
			continue
		}
		if err := fn(key, value); err != nil {
			return damaged, err
		}
	}
	return damaged, nil
}

func (tx *Tx) soundIn(t table, fn func(number uint32, value []byte) error) (damaged bool, err error) {
	within := func(key []byte) bool {
		owner, _, ok := tableOf(key)
		return ok && owner == t
	}
	return tx.eachSound(bucketMain, t.key(0), within, func(key, value []byte) error {
		_, number, _ := tableOf(key)
		return fn(number, value)
	})
}

// SoundFiles is Files without damaged records; it reports whether there were
// any.
func (tx *Tx) SoundFiles(fn func(File) error) (damaged bool, err error) {
	return tx.soundIn(tableFiles, func(number uint32, value []byte) error {
		return eachEntryIn(number, value, func(e *entry) error {
			f, err := tx.whole(e)
			if err != nil {
				return err
			}
			return fn(f)
		})
	})
}

// SoundBlocks is EachBlock without damaged records; it reports whether there
// were any.
func (tx *Tx) SoundBlocks(kind Blocks, fn func(key uint32, value []byte) error) (damaged bool, err error) {
	t, err := kind.table()
	if err != nil {
		return false, err
	}
	return tx.soundIn(t, fn)
}

// SoundVectors is Vectors without damaged records; it reports whether there
// were any.
func (tx *Tx) SoundVectors(fn func(first uint32, raw []byte) error) (damaged bool, err error) {
	every := func([]byte) bool { return true }
	return tx.eachSound(bucketVectors, nil, every, func(key, value []byte) error {
		if _, err := tx.runLength(key, value); err != nil {
			return err
		}
		return fn(binary.BigEndian.Uint32(key), value)
	})
}
