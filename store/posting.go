package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Postings stores the lexical index's segments: a header each, and blocks of
// postings ordered by their first term. Their contents are opaque here.
type Postings struct{ tx *Tx }

// Postings gives access to the segments of the lexical index.
func (tx *Tx) Postings() *Postings { return &Postings{tx} }

// Segments lists the ids of all segments, ascending.
func (p *Postings) Segments() ([]uint32, error) {
	var ids []uint32
	err := p.tx.each(bucketSegments, nil, func(key, _ []byte) error {
		if len(key) != 4 {
			return located(bucketSegments, key, corrupt("key of %d bytes", len(key)))
		}
		ids = append(ids, binary.BigEndian.Uint32(key))
		return nil
	})
	return ids, err
}

// Header reads the header of a segment; valid inside the transaction.
func (p *Postings) Header(segment uint32) ([]byte, error) {
	_, header, err := p.header(segment)
	return header, err
}

func (p *Postings) header(segment uint32) (dictionary int64, header []byte, err error) {
	value, err := p.tx.get(bucketSegments, key32(segment))
	if err != nil {
		return 0, nil, fmt.Errorf("segment %d: %w", segment, err)
	}
	d := decoder{rest: value}
	dictionary = d.int63()
	if d.err != nil {
		return 0, nil, located(bucketSegments, key32(segment), d.err)
	}
	return dictionary, d.rest, nil
}

// Seek finds the one block of a segment that can hold a term: the last one
// whose first term is not above it. nil: the term comes before all blocks. The
// block is valid inside the transaction.
func (p *Postings) Seek(segment uint32, term string) (first string, block []byte, err error) {
	key, value, err := p.tx.floor(bucketPostings, blockKey(segment, term))
	if errors.Is(err, ErrNotFound) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	owner, first, err := splitBlockKey(key)
	if err != nil || owner != segment {
		return "", nil, err
	}
	return first, value, nil
}

// Next finds the first block whose first term is above after ("" for the first
// of all); nil when there is none.
func (p *Postings) Next(segment uint32, after string) (first string, block []byte, err error) {
	from := blockKey(segment, after)
	cursor := p.tx.kv.Bucket(bucketPostings).Cursor()
	key, sealed := cursor.Seek(from)
	if bytes.Equal(key, from) {
		key, sealed = cursor.Next()
	}
	if key == nil {
		return "", nil, nil
	}
	owner, first, err := splitBlockKey(key)
	if err != nil || owner != segment {
		return "", nil, err
	}
	block, err = p.tx.unseal(bucketPostings, key, sealed)
	return first, block, err
}

func (p *Postings) each(segment uint32, fn func(first string, block []byte) error) error {
	err := p.tx.each(bucketPostings, key32(segment), func(key, value []byte) error {
		owner, first, err := splitBlockKey(key)
		if err != nil {
			return err
		}
		if owner != segment {
			return errEnd
		}
		return fn(first, value)
	})
	if errors.Is(err, errEnd) {
		return nil
	}
	return err
}

// NewSegment returns the id of a new segment; ids ascend and are never given
// twice.
func (p *Postings) NewSegment() (uint32, error) {
	if !p.tx.kv.Writable() {
		return 0, ErrReadOnly
	}
	id := p.tx.counters.nextSegment
	if id == 1<<32-1 {
		return 0, errors.New("the index has given all segment ids: remove it and index again")
	}
	p.tx.counters.nextSegment++
	p.tx.changed, p.tx.dated = true, true
	return id, nil
}

// PutHeader stores the header of a segment; Sizes reports dictionaryBytes of
// its blocks.
func (p *Postings) PutHeader(segment uint32, header []byte, dictionaryBytes int64) error {
	if segment >= p.tx.counters.nextSegment || dictionaryBytes < 0 {
		return fmt.Errorf("segment %d with a dictionary of %d bytes was not begun", segment, dictionaryBytes)
	}
	value := binary.AppendUvarint(nil, uint64(dictionaryBytes))
	return p.tx.put(bucketSegments, key32(segment), append(value, header...))
}

// PutBlock stores a block under its first term.
func (p *Postings) PutBlock(segment uint32, first string, block []byte) error {
	if segment >= p.tx.counters.nextSegment {
		return fmt.Errorf("segment %d was not begun", segment)
	}
	value := make([]byte, 0, len(block)+checksumBytes)
	return p.tx.put(bucketPostings, blockKey(segment, first), append(value, block...))
}

// Drop deletes a segment with all its blocks.
func (p *Postings) Drop(segment uint32) error {
	if err := p.tx.delete(bucketSegments, key32(segment)); err != nil {
		return err
	}
	var keys [][]byte // a cursor may not move while its bucket changes
	err := p.each(segment, func(first string, _ []byte) error {
		keys = append(keys, blockKey(segment, first))
		return nil
	})
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := p.tx.delete(bucketPostings, key); err != nil {
			return err
		}
	}
	return nil
}

func blockKey(segment uint32, first string) []byte {
	return append(key32(segment), first...)
}

func splitBlockKey(key []byte) (segment uint32, first string, err error) {
	if len(key) < 4 {
		return 0, "", located(bucketPostings, key, corrupt("key of %d bytes", len(key)))
	}
	return binary.BigEndian.Uint32(key), string(key[4:]), nil
}
