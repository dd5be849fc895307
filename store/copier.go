package store

import (
	"bytes"
	"errors"

	"go.etcd.io/bbolt"
)

const (
	// copySlice is the bytes copied in one View; while it runs, no Update can
	// enlarge the mapped memory.
	copySlice = 256 << 10
	// copyBatch is the bytes written in one transaction, which holds them in
	// memory. One transaction for all leaves the fewest free pages.
	copyBatch = 8 << 20
)

// copier copies the records of one state into the new file of a vacuum, in the
// order of keys, so that pages become full. It refills the blocks of the
// store's own tables.
type copier struct {
	*vacuum
	bucket int    // index in allBuckets of the one being copied
	from   []byte // the first key still to be copied
	tx     *bbolt.Tx
	size   int // bytes put in tx

	table    table    // the one being repacked
	repacker repacker // of its blocks; nil of a table that is copied as it is
}

type record struct{ bucket, key, sealed []byte }

func (c *copier) copy() error {
	c.id = 0
	for c.bucket < len(allBuckets) {
		var slice []record
		err := c.db.View(func(tx *Tx) (err error) {
			if c.id == 0 {
				c.id = tx.bolt().ID()
			}
			if tx.bolt().ID() != c.id {
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

// slice reads the next records, up to copySlice bytes.
func (c *copier) slice(tx *Tx) (taken []record, err error) {
	for size := 0; c.bucket < len(allBuckets); c.bucket, c.from = c.bucket+1, nil {
		name := allBuckets[c.bucket]
		cursor := tx.kv.Bucket(name).Cursor()
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

// repack passes a record to the repacker of its table, if it has one, and
// returns completed records. Named records come after all tables and end the
// last one.
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

// end commits what was written. It is called after errors too, so that no
// transaction stays open.
func (c *copier) end() error {
	if c.tx == nil {
		return nil
	}
	tx := c.tx
	c.tx, c.size = nil, 0
	return tx.Commit()
}

// Updates leave blocks that are not full: where files were deleted and where
// blocks of names were split. A repacker takes the blocks of a table in order
// and returns full ones.
type repacker interface {
	// add takes a block and returns completed ones.
	add(number uint32, value []byte) ([]block, error)
	// end returns the rest.
	end() []block
}

// block is a numbered value without its checksum.
type block struct {
	number uint32
	value  []byte
}

// newRepacker returns the repacker of a table; nil for a table that is copied
// as it is.
func newRepacker(t table) repacker {
	switch t {
	case tableFiles:
		return &fileRepacker{}
	case tableNames:
		return &pathRepacker{}
	}
	return nil
}

type fileRepacker struct{ filling *fileBlock }

func (r *fileRepacker) add(number uint32, value []byte) (full []block, err error) {
	list, err := decodeFileBlock(number, value)
	if err != nil {
		return nil, locatedIn(tableFiles, number, err)
	}
	for i := range list {
		e := &list[i]
		if r.filling == nil || !r.filling.fits(e) {
			full = append(full, r.end()...)
			r.filling = newFileBlock(e.ID)
		}
		r.filling.add(e)
	}
	return full, nil
}

func (r *fileRepacker) end() []block {
	if r.filling == nil {
		return nil
	}
	done := r.filling
	r.filling = nil
	return []block{{done.number, done.encode()}}
}

type pathRepacker struct {
	first   uint32
	filling pathBlock
	size    int // of filling when it is encoded
}

// maxPathEntry is the greatest length of an entry.
const maxPathEntry = 4 + 5

func (r *pathRepacker) add(first uint32, value []byte) (full []block, err error) {
	err = eachPath(first, value, func(hash, id uint32) bool {
		n := len(r.filling.hashes)
		if n > 0 && hash != r.filling.hashes[n-1] && r.size+maxPathEntry > tableBlock {
			full = append(full, r.end()...)
			r.first = hash
		}
		last := r.first
		if n = len(r.filling.hashes); n > 0 {
			last = r.filling.hashes[n-1]
		}
		r.filling.hashes, r.filling.ids = append(r.filling.hashes, hash), append(r.filling.ids, id)
		r.size += uvarintBytes(hash-last) + uvarintBytes(id)
		return true
	})
	return full, err
}

func (r *pathRepacker) end() []block {
	if len(r.filling.hashes) == 0 {
		return nil
	}
	done := block{r.first, r.filling.encode(r.first)}
	r.filling, r.size = pathBlock{}, 0
	return []block{done}
}

// uvarintBytes returns the encoded length of n.
func uvarintBytes(n uint32) int {
	bytes := 1
	for ; n >= 0x80; n >>= 7 {
		bytes++
	}
	return bytes
}
