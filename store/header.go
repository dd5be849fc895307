package store

import (
	"encoding/binary"
	"fmt"
	"time"
)

// Version is the format of the file that this package writes and reads.
// Each number stays listed for good:
//
//	1  first format: files, ids, chunks, vectors, segments, postings
//	2  tables in one bucket, packed; vectors by runs of chunks; blocks of a graph
//	3  of a chunk its length and its hash alone; no graph
//	4  ids of chunks are kept by edits and given again; files have ids of their own
//	5  text of files from which it is slow to take is kept, and what documents say of themselves
//	6  of a file the time of its inode; of one without it as before, so that 5 is read and written on as 6
const Version = 6

// readable is the oldest format that is read as well.
const readable = 5

// headerMagic begins the header record of every index.
const headerMagic = "dowse"

// Header says what a database is and what it was built with.
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
