package store

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// maxSkipPaths bounds the sample of paths that a Skip keeps.
const maxSkipPaths = 20

// Skip counts the files left out for one reason.
type Skip struct {
	Reason string
	Count  int
	Paths  []string // a sample of at most 20
}

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

// Skipped says what the last walk left out, by reason.
func (tx *Tx) Skipped() ([]Skip, error) {
	value, err := tx.get(bucketMain, keySkipped)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d := decoder{rest: value}
	skips := make([]Skip, d.count(3))
	for i := range skips {
		skips[i] = Skip{Reason: d.string(), Count: int(d.uint32()), Paths: d.strings()}
	}
	return skips, d.end()
}

// PutSkipped stores what was left out, sorted by reason; of the paths of a
// reason the first 20 are kept.
func (tx *Tx) PutSkipped(skips []Skip) error {
	sorted := slices.Clone(skips)
	slices.SortFunc(sorted, func(a, b Skip) int { return strings.Compare(a.Reason, b.Reason) })
	value := binary.AppendUvarint(nil, uint64(len(sorted)))
	for _, s := range sorted {
		value = appendString(value, s.Reason)
		value = binary.AppendUvarint(value, uint64(max(s.Count, 0)))
		value = appendStrings(value, s.Paths[:min(len(s.Paths), maxSkipPaths)])
	}
	return tx.put(bucketMain, keySkipped, value)
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
