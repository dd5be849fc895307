package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Damage says what of an index cannot be trusted. Records that are damaged one
// by one leave the others usable; a file whose pages are is no index any more,
// which transactions say by ErrBroken.
type Damage struct {
	Records []Problem // those that fail their checksum
	Files   bool      // of these, some say which files there are
	Vectors bool      // some hold vectors, or codes in place of them
	Terms   bool      // some hold postings
	Graph   bool      // some hold links, without which all can be searched

	// Lost says that one of the two places that tell where the newest state
	// lies is damaged: the last Update may be lost.
	Lost bool
	// Unmended says that a repair or a rebuild began and has not ended: some of
	// the files are not in the index.
	Unmended bool
}

// Any reports whether anything is wrong.
func (d Damage) Any() bool { return len(d.Records) > 0 || d.Lost || d.Unmended }

// String names what was found, as the end of a sentence.
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

// keyMending stands in the index while it is repaired or built again.
var keyMending = []byte(prefixMeta + "mending")

// Damage returns what Open or the last Examine found.
func (db *DB) Damage() Damage {
	if d := db.damage.Load(); d != nil {
		return *d
	}
	return Damage{}
}

// Damage returns that of the index the transaction reads.
func (tx *Tx) Damage() Damage { return tx.db.Damage() }

// Examine looks at every page and at the checksum of every record, and at
// nothing that needs records to be understood; Check does that. It returns
// what it found, and ErrBroken where the pages cannot be followed. Writers wait
// until it has ended.
func (db *DB) Examine(ctx context.Context) (Damage, error) {
	db.writer.Lock()
	defer db.writer.Unlock()
	return db.examine(ctx)
}

// examine is Examine for a caller that holds the writer lock.
func (db *DB) examine(ctx context.Context) (Damage, error) {
	var d Damage
	err := db.run(db.current.bolt.View, func(tx *Tx) error {
		w, err := walkPages(db.current.file, pageKeys, nil)
		if err != nil {
			return err
		}
		d, err = tx.examine(ctx)
		d.Lost = w.torn
		return err
	})
	if err != nil {
		return d, err
	}
	db.damage.Store(&d)
	return d, nil
}

// examine unseals every record.
func (tx *Tx) examine(ctx context.Context) (d Damage, err error) {
	for _, bucket := range allBuckets {
		err := tx.bolt.Bucket(bucket).ForEach(func(key, sealed []byte) error {
			if _, wrong := tx.unseal(bucket, key, sealed); wrong != nil {
				return d.add(bucket, key, wrong)
			}
			return ctx.Err()
		})
		if err != nil {
			return d, err
		}
	}
	d.Unmended = tx.bolt.Bucket(bucketMain).Get(keyMending) != nil
	return d, nil
}

// add notes a damaged record. What all others depend on cannot be spared.
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

// Repaired notes that a repair or a rebuild has ended: all files are in the
// index again.
func (db *DB) Repaired() error {
	err := db.Update(func(tx *Tx) error {
		if tx.bolt.Bucket(bucketMain).Get(keyMending) == nil {
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

// brokenIf says of damage to what a transaction cannot do without that it is
// more than that of a record.
func brokenIf(err error) error {
	if errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrBroken) {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return err
}
