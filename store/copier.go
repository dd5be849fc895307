package store

import (
	"bytes"
	"errors"

	"go.etcd.io/bbolt"
)

const (
	// copySlice is how many bytes are copied in one reading transaction.
	// While one runs, no Update can enlarge the mapped memory.
	copySlice = 256 << 10
	// copyBatch is how many bytes are written in one transaction, which holds
	// them in memory. A file written in one has the fewest free pages.
	copyBatch = 8 << 20
)

// copier copies all records of one state of an index to the new file of a
// vacuum, in the order of keys, so that its pages become full. The blocks
// of the store's own tables are filled anew.
type copier struct {
	*vacuum
	bucket int    // index in allBuckets of the one being copied
	from   []byte // the first key still to be copied
	tx     *bbolt.Tx
	size   int // bytes put in tx

	table    table    // the one being repacked
	repacker repacker // of its blocks; nil of a table that is copied as it is
}

// record is one record, copied out of the index.
type record struct{ bucket, key, sealed []byte }

func (c *copier) copy() error {
	c.id = 0
	for c.bucket < len(allBuckets) {
		var slice []record
		err := c.db.View(func(tx *Tx) (err error) {
			if c.id == 0 {
				c.id = tx.bolt.ID()
			}
			if tx.bolt.ID() != c.id {
				return errOvertaken
			}
			slice, err = c.slice(tx)
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range slice {
			if err := c.put(r); err != nil {
				return err
			}
		}
		c.pause()
		if err := c.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// slice takes the next records out of the index, up to copySlice bytes.
func (c *copier) slice(tx *Tx) (taken []record, err error) {
	for size := 0; c.bucket < len(allBuckets); c.bucket, c.from = c.bucket+1, nil {
		name := allBuckets[c.bucket]
		cursor := tx.bolt.Bucket(name).Cursor()
		for key, sealed := cursor.Seek(c.from); key != nil; key, sealed = cursor.Next() {
			if size > copySlice {
				c.from = bytes.Clone(key)
				return taken, nil
			}
			value, err := tx.unseal(name, key, sealed)
			if err != nil {
				return nil, err
			}
			size += len(key) + len(sealed)
			repacked, records, err := c.repack(name, key, value)
			if err != nil {
				return nil, err
			}
			taken = append(taken, records...)
			if !repacked {
				taken = append(taken, record{name, bytes.Clone(key), bytes.Clone(sealed)})
			}
		}
	}
	return taken, nil
}

// repack passes a record to the repacker of its table, if that has one, and
// returns the records that are complete. The named records, which come after
// all tables, end the last one.
func (c *copier) repack(bucket, key, value []byte) (repacked bool, records []record, err error) {
	if !bytes.Equal(bucket, bucketMain) {
		return false, nil, nil
	}
	t, number, inTable := tableOf(key)
	if !inTable {
		t = tableEnd
	}
	var full []block
	if t != c.table {
		if c.repacker != nil {
			full = c.repacker.end()
		}
		records = sealBlocks(c.table, full)
		c.table, c.repacker = t, newRepacker(t)
	}
	if c.repacker == nil {
		return false, records, nil
	}
	full, err = c.repacker.add(number, value)
	return true, append(records, sealBlocks(t, full)...), err
}

func sealBlocks(t table, blocks []block) []record {
	var records []record
	for _, b := range blocks {
		key := t.key(b.number)
		records = append(records, record{bucketMain, key, seal(key, b.value)})
	}
	return records
}

// put writes a record to the new file.
func (c *copier) put(r record) (err error) {
	if c.size > copyBatch {
		if err := c.end(); err != nil {
			return err
		}
	}
	if c.tx == nil {
		if c.tx, err = c.begin(); err != nil {
			return err
		}
	}
	c.size += len(r.key) + len(r.sealed)
	bucket := c.tx.Bucket(r.bucket)
	bucket.FillPercent = appendFill
	return bucket.Put(r.key, r.sealed)
}

// begin begins a transaction in the new file.
func (c *copier) begin() (*bbolt.Tx, error) {
	tx, err := c.out.bolt.Begin(true)
	if err != nil {
		return nil, err
	}
	for _, name := range allBuckets {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return nil, errors.Join(err, tx.Rollback())
		}
	}
	return tx, nil
}

// end commits what was written; it is called after errors too, so that no
// transaction stays open.
func (c *copier) end() error {
	if c.tx == nil {
		return nil
	}
	tx := c.tx
	c.tx, c.size = nil, 0
	return tx.Commit()
}
