package store

import (
	"encoding/binary"
	"errors"
	"slices"
)

// The text of slow formats is kept under the file's id, packed by the indexer,
// until the file goes.

// PutText stores the text of a file; ErrNotFound where there is no such file.
func (tx *Tx) PutText(file uint32, value []byte) error {
	if _, err := tx.entryAt(file); err != nil {
		return err
	}
	sealed := make([]byte, 0, len(value)+checksumBytes)
	return tx.put(bucketTexts, key32(file), append(sealed, value...))
}

// Text reads the kept text of a file, valid until the transaction writes;
// ErrNotFound where there is none.
func (tx *Tx) Text(file uint32) ([]byte, error) { return tx.get(bucketTexts, key32(file)) }

// DropText deletes the kept text of a file, if there is one.
func (tx *Tx) DropText(file uint32) error { return tx.dropText(file) }

// EachText calls fn for all kept texts by ascending file id. The value is valid
// until fn returns.
func (tx *Tx) EachText(fn func(file uint32, value []byte) error) error {
	return tx.each(bucketTexts, nil, func(key, value []byte) error {
		if len(key) != 4 {
			return located(bucketTexts, key, corrupt("its key is not the id of a file"))
		}
		return fn(binary.BigEndian.Uint32(key), value)
	})
}

func (tx *Tx) dropText(file uint32) error {
	if tx.kv.Bucket(bucketTexts).Get(key32(file)) == nil {
		return nil
	}
	return tx.delete(bucketTexts, key32(file))
}

// texts checks that kept texts belong to existing files.
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

// texts removes kept texts of missing files, and has files that lost theirs
// indexed again.
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
