package store

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Roots lists the indexed folders, sorted.
func (tx *Tx) Roots() ([]string, error) {
	value, err := tx.get(bucketMain, keyRoots)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d := decoder{rest: value}
	roots := d.strings()
	return roots, d.end()
}

// PutRoots stores the indexed folders, absolute paths.
func (tx *Tx) PutRoots(roots []string) error {
	sorted := slices.Compact(slices.Sorted(slices.Values(roots)))
	return tx.put(bucketMain, keyRoots, appendStrings(nil, sorted))
}

// Meta reads a small value that another package keeps in the index; nil when
// there is none.
func (tx *Tx) Meta(key string) ([]byte, error) {
	value, err := tx.get(bucketMain, []byte(prefixMeta+key))
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return append([]byte{}, value...), err
}

// PutMeta stores such a value; nil deletes it.
func (tx *Tx) PutMeta(key string, value []byte) error {
	if value == nil {
		return tx.delete(bucketMain, []byte(prefixMeta+key))
	}
	return tx.put(bucketMain, []byte(prefixMeta+key), slices.Clone(value))
}

func appendStrings(dst []byte, list []string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, s := range list {
		dst = appendString(dst, s)
	}
	return dst
}

func (d *decoder) strings() []string {
	list := make([]string, d.count(1))
	for i := range list {
		list[i] = d.string()
	}
	return list
}
