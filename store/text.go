package store

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Some files are slow to take the text out of. What was taken out of them is kept
// under their id, in the form that the indexer gives it, until they go.

// PutText keeps the text of a file that is there. ErrNotFound where it is not.
func (tx *Tx) PutText(file uint32, value []byte) error {
	if _, err := tx.entryAt(file); err != nil {
		return err
	}
	sealed := make([]byte, 0, len(value)+checksumBytes)
	return tx.put(bucketTexts, key32(file), append(sealed, value...))
}

// Text reads what is kept of a file, valid inside the transaction until it writes;
// ErrNotFound where nothing is.
func (tx *Tx) Text(file uint32) ([]byte, error) { return tx.get(bucketTexts, key32(file)) }

// EachText calls fn for all that is kept, by ascending id of the file. The value is
// valid until fn returns.
func (tx *Tx) EachText(fn func(file uint32, value []byte) error) error {
	return tx.each(bucketTexts, nil, func(key, value []byte) error {
		if len(key) != 4 {
			return located(bucketTexts, key, corrupt("its key is not the id of a file"))
		}
		return fn(binary.BigEndian.Uint32(key), value)
	})
}

// dropText removes what is kept of a file, if anything is.
func (tx *Tx) dropText(file uint32) error {
	if tx.bolt.Bucket(bucketTexts).Get(key32(file)) == nil {
		return nil
	}
	return tx.delete(bucketTexts, key32(file))
}

// texts checks that what is kept is of files that are there.
func (c *check) texts(tx *Tx) error {
	err := tx.EachText(func(file uint32, _ []byte) error {
		if _, err := tx.entryAt(file); err != nil {
			c.wrong(bucketTexts, "the text of file %d is kept: %v", file, err)
		}
		return c.ctx.Err()
	})
	if errors.Is(err, ErrCorrupt) {
		c.wrong(bucketTexts, "%v", err)
		return nil
	}
	return err
}

// texts removes what is kept of files that are not there, and has those indexed
// again that lost their text.
func (r *repair) texts() error {
	var bad [][]byte
	err := r.each(bucketTexts, nil, func(key, _ []byte) error {
		known := len(key) == 4
		if known {
			_, err := r.entryAt(binary.BigEndian.Uint32(key))
			if err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
			known = err == nil
		}
		if !known {
			bad = append(bad, slices.Clone(key))
		}
		return r.ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, key := range bad {
		if err := r.delete(bucketTexts, key); err != nil {
			return err
		}
	}
	for _, id := range r.textless {
		if err := r.Doubt(id); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return nil
}
