package lexical

import (
	"encoding/binary"
	"fmt"
)

// Reader is where segments are read from. What it returns is valid as long
// as the transaction it belongs to.
type Reader interface {
	// Segments lists all segments by ascending id.
	Segments() ([]uint32, error)
	// Header reads the header of a segment.
	Header(segment uint32) ([]byte, error)
	// Seek finds the block with the greatest first term that is not above
	// term; the block is nil when there is none.
	Seek(segment uint32, term string) (first string, block []byte, err error)
	// Next finds the first block whose first term is above after, "" for the
	// first of all; the block is nil at the end.
	Next(segment uint32, after string) (first string, block []byte, err error)
}

// Writer is where segments are written to.
type Writer interface {
	// NewSegment gives an id that no segment had.
	NewSegment() (uint32, error)
	// PutHeader stores the header of a segment, and for the books how many
	// bytes of its blocks are dictionary.
	PutHeader(segment uint32, header []byte, dictionaryBytes int64) error
	// PutBlock stores a block under its first term.
	PutBlock(segment uint32, first string, block []byte) error
	// Drop deletes a segment.
	Drop(segment uint32) error
}

// formatVersion begins each header.
const formatVersion = 1

// header describes a segment.
type header struct {
	terms, postings, bytes uint64
	chunks                 []chunkLength // ascending ids
}

// chunkLength is a chunk and its number of terms, repetitions included.
type chunkLength struct{ chunk, length uint32 }

func (h *header) encode() []byte {
	data := []byte{formatVersion}
	for _, n := range []uint64{h.terms, h.postings, h.bytes, uint64(len(h.chunks))} {
		data = binary.AppendUvarint(data, n)
	}
	next := uint64(0)
	for _, c := range h.chunks {
		data = binary.AppendUvarint(data, uint64(c.chunk)-next)
		data = binary.AppendUvarint(data, uint64(c.length))
		next = uint64(c.chunk) + 1
	}
	return data
}

func decodeHeader(data []byte) (*header, error) {
	if len(data) == 0 || data[0] != formatVersion {
		return nil, fmt.Errorf("%w: header of another format", ErrDamaged)
	}
	data = data[1:]
	short := false
	number := func(limit uint64) uint64 {
		v, size := binary.Uvarint(data)
		if size <= 0 || v > limit {
			short = true
			return 0
		}
		data = data[size:]
		return v
	}
	h := &header{terms: number(1 << 62), postings: number(1 << 62), bytes: number(1 << 62)}
	h.chunks = make([]chunkLength, number(uint64(len(data)/2)))
	next := uint64(0)
	for i := range h.chunks {
		chunk := next + number(1<<32-1)
		h.chunks[i] = chunkLength{chunk: uint32(chunk), length: uint32(number(1<<32 - 1))}
		next = chunk + 1
		if short || chunk > 1<<32-1 {
			return nil, fmt.Errorf("%w: header cut short", ErrDamaged)
		}
	}
	if short || len(data) != 0 {
		return nil, fmt.Errorf("%w: header does not end where it should", ErrDamaged)
	}
	return h, nil
}

// base is what chunk ids in the postings of the segment are relative to.
func (h *header) base() uint32 {
	if len(h.chunks) == 0 {
		return 0
	}
	return h.chunks[0].chunk
}

func readHeader(r Reader, segment uint32) (*header, error) {
	data, err := r.Header(segment)
	if err != nil {
		return nil, err
	}
	h, err := decodeHeader(data)
	if err != nil {
		return nil, fmt.Errorf("segment %d: %w", segment, err)
	}
	return h, nil
}

// segmentWriter writes the terms of one segment in order.
type segmentWriter struct {
	w          Writer
	id         uint32
	header     header
	dictionary int64
	block      blockWriter
	scratch    []byte
}

func newSegmentWriter(w Writer, chunks []chunkLength) (*segmentWriter, error) {
	id, err := w.NewSegment()
	if err != nil {
		return nil, err
	}
	return &segmentWriter{w: w, id: id, header: header{chunks: chunks}}, nil
}

// add writes a term whose postings are relative to the first chunk.
func (s *segmentWriter) add(term string, list []posting) error {
	t := encodedTerm{term: term, chunks: len(list)}
	if len(list) == 1 {
		t.single = list[0]
	} else {
		s.scratch = appendPostings(s.scratch[:0], list)
		t.data = s.scratch
	}
	s.header.terms++
	s.header.postings += uint64(len(list))
	if s.block.add(t) {
		return nil
	}
	if err := s.flush(); err != nil {
		return err
	}
	s.block.add(t) // an empty block takes any term
	return nil
}

func (s *segmentWriter) flush() error {
	if s.block.terms == 0 {
		return nil
	}
	data, dictionary := s.block.bytes()
	if err := s.w.PutBlock(s.id, s.block.first, data); err != nil {
		return err
	}
	s.dictionary += int64(dictionary + len(s.block.first))
	s.header.bytes += uint64(len(data) + len(s.block.first))
	s.block.reset()
	return nil
}

func (s *segmentWriter) close() error {
	if err := s.flush(); err != nil {
		return err
	}
	return s.w.PutHeader(s.id, s.header.encode(), s.dictionary)
}
