package lexical

import (
	"fmt"
	"strings"
)

// Reader is a store of segments. What it returns is valid within its transaction.
type Reader interface {
	// Segments lists all segments by ascending id.
	Segments() ([]uint32, error)
	// Header reads the header of a segment.
	Header(segment uint32) ([]byte, error)
	// Seek finds the last block whose first term is at most term; block is nil if all begin
	// above it.
	Seek(segment uint32, term string) (first string, block []byte, err error)
	// Next finds the first block with a first term above after, "" for the first of all; nil at the
	// end.
	Next(segment uint32, after string) (first string, block []byte, err error)
}

// Writer stores segments.
type Writer interface {
	// NewSegment returns an unused id.
	NewSegment() (uint32, error)
	// PutHeader stores the header of a segment. dictionaryBytes of its blocks are terms, for
	// statistics.
	PutHeader(segment uint32, header []byte, dictionaryBytes int64) error
	// PutBlock stores a block under its first term.
	PutBlock(segment uint32, first string, block []byte) error
	// Drop deletes a segment.
	Drop(segment uint32) error
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

type segmentWriter struct {
	w          Writer
	id         uint32
	header     header
	dictionary int64
	block      *blockWriter
}

func newSegmentWriter(w Writer, chunks []chunkLength) (*segmentWriter, error) {
	id, err := w.NewSegment()
	if err != nil {
		return nil, err
	}
	s := &segmentWriter{w: w, id: id, header: header{chunks: chunks}}
	s.block = newBlockWriter(len(chunks), s.put)
	return s, nil
}

// put writes a block; words of its bytes are terms.
func (s *segmentWriter) put(first string, block []byte, words int) error {
	s.dictionary += int64(words + len(first))
	s.header.bytes += uint64(len(block) + len(first))
	return s.w.PutBlock(s.id, first, block)
}

// add writes a term; its postings name chunks by their place in the segment.
func (s *segmentWriter) add(term string, list []posting) error {
	if term == "" || len(term) > maxTermBytes || strings.IndexByte(term, 0) >= 0 {
		return fmt.Errorf("term %q is empty, longer than %d bytes or holds a zero byte, so it cannot be the key of a block", term, maxTermBytes)
	}
	s.header.terms++
	s.header.postings += uint64(len(list))
	return s.block.add(term, list)
}

func (s *segmentWriter) close() error {
	if err := s.block.flush(); err != nil {
		return err
	}
	return s.w.PutHeader(s.id, s.header.encode(), s.dictionary)
}
