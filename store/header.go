package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Version is the format that this package writes. Each number stays listed:
//
//	1  first format: files, ids, chunks, vectors, segments, postings
//	2  tables in one bucket, packed; vectors by runs of chunks; blocks of a graph
//	3  chunks have a length and a hash alone; no graph
//	4  edits keep chunk ids; free ids are given again; files have ids of their own
//	5  text of slow formats; facts of documents
//	6  inode times of files; records without one as in 5, which is read and written on as 6
const Version = 6

// readable is the oldest format that is read.
const readable = 5

const headerMagic = "dowse"

// Header says what made the index.
type Header struct {
	Version     int
	Fingerprint string // of model, tokenizer, chunker and analyzer
	Created     time.Time
}

func (h Header) encode() []byte {
	value := []byte(headerMagic)
	value = binary.AppendUvarint(value, uint64(h.Version))
	value = binary.AppendVarint(value, h.Created.UnixNano())
	return appendString(value, h.Fingerprint)
}

func decodeHeader(value []byte) (Header, error) {
	if len(value) < len(headerMagic) || string(value[:len(headerMagic)]) != headerMagic {
		return Header{}, fmt.Errorf("%w: its header is of another program", ErrForeign)
	}
	d := decoder{rest: value[len(headerMagic):]}
	h := Header{Version: int(d.uint32())}
	if d.err == nil && (h.Version < readable || h.Version > Version) {
		return h, fmt.Errorf("%w: it has format %d, this program reads formats %d to %d", ErrVersion, h.Version, readable, Version)
	}
	h.Created = time.Unix(0, d.varint())
	h.Fingerprint = d.string()
	return h, d.end()
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
	for i, root := range roots {
		roots[i], _ = tx.db.mount.show(root)
	}
	return roots, d.end()
}

// PutRoots stores the indexed folders, absolute paths.
func (tx *Tx) PutRoots(roots []string) error {
	sorted := slices.Compact(slices.Sorted(slices.Values(roots)))
	return tx.put(bucketMain, keyRoots, appendStrings(nil, sorted))
}

// Meta reads a small value of another package; nil when there is none.
func (tx *Tx) Meta(key string) ([]byte, error) {
	value, err := tx.get(bucketMain, []byte(prefixMeta+key))
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return append([]byte{}, value...), err
}

// PutMeta stores a small value; nil deletes it.
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
