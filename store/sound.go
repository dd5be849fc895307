package store

import "encoding/binary"

// What follows reads the records of a damaged index one by one, and passes over those
// that fail their checksum. Damage.Records names these.

// eachSound calls fn for the records of a bucket from a key on, as long as within says
// so, and reports whether some could not be read.
func (tx *Tx) eachSound(bucket, from []byte, within func(key []byte) bool, fn func(key, value []byte) error) (damaged bool, err error) {
	cursor := tx.bolt.Bucket(bucket).Cursor()
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

// soundIn is eachSound of a table.
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

// SoundFiles calls fn for every file in the order of ids whose record can be
// read, and reports whether some could not.
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

// SoundBlocks is EachBlock of the blocks that can be read. It reports whether some could
// not.
func (tx *Tx) SoundBlocks(kind Blocks, fn func(key uint32, value []byte) error) (damaged bool, err error) {
	t, err := kind.table()
	if err != nil {
		return false, err
	}
	return tx.soundIn(t, fn)
}

// SoundVectors is Vectors of the runs that can be read. It reports whether some could not.
func (tx *Tx) SoundVectors(fn func(first uint32, raw []byte) error) (damaged bool, err error) {
	every := func([]byte) bool { return true }
	return tx.eachSound(bucketVectors, nil, every, func(key, value []byte) error {
		if _, err := tx.runLength(key, value); err != nil {
			return err
		}
		return fn(binary.BigEndian.Uint32(key), value)
	})
}
