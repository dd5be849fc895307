package store

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Chunk is a stretch of the extracted text of a file. The chunks of a file
// tile the text: the first starts at 0 and each starts where the one before
// ends.
type Chunk struct {
	Start, End    int64  // bytes of the extracted text, half open
	Line, LineEnd uint32 // lines of the file, from 1, inclusive
	Hash          uint32 // of the text, to notice that it changed
	Heading       string // headings in force, outermost first, joined by " > "
}

// minChunkBytes is the least that a chunk takes: three numbers, a hash and
// an empty heading.
const minChunkBytes = 9

func checkTiling(chunks []Chunk) error {
	end := int64(0)
	for i, c := range chunks {
		if c.Start != end || c.End < c.Start || c.LineEnd < c.Line {
			return fmt.Errorf("chunk %d, bytes %d to %d, lines %d to %d, does not continue at byte %d",
				i, c.Start, c.End, c.Line, c.LineEnd, end)
		}
		end = c.End
	}
	return nil
}

// encodeChunks gives the value of one file's chunks: the file, their number,
// then of each its length, lines relative to the chunk before, hash, and
// heading front-coded against the one before.
func encodeChunks(file uint32, chunks []Chunk) []byte {
	value := binary.AppendUvarint(nil, uint64(file))
	value = binary.AppendUvarint(value, uint64(len(chunks)))
	line, heading := uint32(0), ""
	for _, c := range chunks {
		value = binary.AppendUvarint(value, uint64(c.End-c.Start))
		value = binary.AppendVarint(value, int64(c.Line)-int64(line))
		value = binary.AppendUvarint(value, uint64(c.LineEnd-c.Line))
		value = binary.LittleEndian.AppendUint32(value, c.Hash)
		value = appendSuffix(value, heading, c.Heading)
		line, heading = c.LineEnd, c.Heading
	}
	return value
}

// decodeChunkOwner reads only whose chunks a value holds, and how many.
func decodeChunkOwner(value []byte) (file uint32, n int, err error) {
	d := decoder{rest: value}
	file = d.uint32()
	n = d.count(minChunkBytes)
	return file, n, d.err
}

func decodeChunks(value []byte) (file uint32, chunks []Chunk, err error) {
	d := decoder{rest: value}
	file = d.uint32()
	chunks = make([]Chunk, d.count(minChunkBytes))
	var last Chunk
	for i := range chunks {
		c := Chunk{Start: last.End}
		c.End = c.Start + d.int63()
		line := int64(last.LineEnd) + d.varint()
		if c.End < c.Start || line < 0 || line > 1<<32-1 {
			d.fail("chunk out of range")
		}
		c.Line = uint32(line)
		c.LineEnd = c.Line + d.uint32()
		if hash := d.bytes(4); hash != nil {
			c.Hash = binary.LittleEndian.Uint32(hash)
		}
		c.Heading = d.suffix(last.Heading)
		if c.LineEnd < c.Line {
			d.fail("chunk ends above its first line")
		}
		if d.err != nil {
			return 0, nil, d.err
		}
		chunks[i], last = c, c
	}
	return file, chunks, d.end()
}

// Chunks gives the chunks of a file in order; element i is the chunk with
// the id f.FirstChunk+i.
func (tx *Tx) Chunks(f File) ([]Chunk, error) {
	if f.Chunks == 0 {
		return nil, nil
	}
	key := key32(f.FirstChunk)
	value, err := tx.get(bucketChunks, key)
	if err != nil {
		return nil, err
	}
	owner, chunks, err := decodeChunks(value)
	if err == nil && (owner != f.ID || len(chunks) != int(f.Chunks)) {
		err = corrupt("%d chunks of file %d stand where %d of file %d belong", len(chunks), owner, f.Chunks, f.ID)
	}
	if err != nil {
		return nil, located(bucketChunks, key, err)
	}
	return chunks, nil
}

// FileOfChunk finds the file that a chunk belongs to; ErrNotFound for a
// tombstone.
func (tx *Tx) FileOfChunk(chunk uint32) (File, error) {
	key, value, err := tx.floor(bucketChunks, key32(chunk))
	if err != nil {
		return File{}, err
	}
	owner, n, err := decodeChunkOwner(value)
	if err != nil {
		return File{}, located(bucketChunks, key, err)
	}
	if uint64(chunk) >= uint64(binary.BigEndian.Uint32(key))+uint64(n) {
		return File{}, ErrNotFound
	}
	f, err := tx.File(owner)
	if errors.Is(err, ErrNotFound) {
		return File{}, corrupt("chunk %d belongs to file %d, which has no record", chunk, owner)
	}
	return f, err
}

// LiveChunks calls fn with the ranges of chunk ids that files have, in
// ascending order: ids first to first+n-1. Ids below NextChunk that no range
// covers are tombstones.
func (tx *Tx) LiveChunks(fn func(first, n uint32) error) error {
	return tx.each(bucketChunks, nil, func(key, value []byte) error {
		_, n, err := decodeChunkOwner(value)
		if err == nil && len(key) != 4 {
			err = corrupt("key of %d bytes", len(key))
		}
		if err != nil {
			return located(bucketChunks, key, err)
		}
		return fn(binary.BigEndian.Uint32(key), uint32(n))
	})
}
