package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Chunk is a range of the extracted text of a file. The chunks of a file tile
// its text. Lines and headings are not stored, since they would double a chunk's
// bytes: they are read again with the text.
type Chunk struct {
	Start, End int64  // bytes of the extracted text, half open
	Hash       uint32 // of the text, to notice that it changed; below 1<<ChunkHashBits
}

// ChunkHashBits is the length of the hash that is kept of a chunk's text.
const ChunkHashBits = 24

func checkTiling(chunks []Chunk) error {
	end := int64(0)
	for i, c := range chunks {
		if c.Start != end || c.End < c.Start {
			return fmt.Errorf("chunk %d, bytes %d to %d, does not continue at byte %d", i, c.Start, c.End, end)
		}
		if c.Hash >= 1<<ChunkHashBits {
			return fmt.Errorf("hash %#x of chunk %d is longer than %d bits", c.Hash, i, ChunkHashBits)
		}
		end = c.End
	}
	return nil
}

// appendChunks appends a file's chunk records: hash and length. The last one
// has no length, since the file gives its end.
func appendChunks(dst []byte, chunks []Chunk) []byte {
	for i, c := range chunks {
		dst = append(dst, byte(c.Hash), byte(c.Hash>>8), byte(c.Hash>>16))
		if i+1 < len(chunks) {
			dst = binary.AppendUvarint(dst, uint64(c.End-c.Start))
		}
	}
	return dst
}

// chunk reads the record of a chunk that starts at a byte.
func (d *decoder) chunk(start int64, last bool) Chunk {
	c := Chunk{Start: start, End: start}
	if hash := d.bytes(chunkHashBytes); hash != nil {
		c.Hash = uint32(hash[0]) | uint32(hash[1])<<8 | uint32(hash[2])<<16
	}
	if !last {
		c.End += d.int63()
	}
	if c.End < c.Start {
		d.fail("chunk out of range")
		return Chunk{}
	}
	return c
}

// chunkRecords takes n chunk records without copying them.
func (d *decoder) chunkRecords(n uint32) []byte {
	all := d.rest
	for i := uint32(0); i < n && d.err == nil; i++ {
		d.bytes(chunkHashBytes)
		if i+1 < n {
			d.uvarint()
		}
	}
	return all[:len(all)-len(d.rest)]
}

// chunkHashBytes is the length of a stored hash, and the least length of a
// record.
const chunkHashBytes = ChunkHashBits / 8

func (e *entry) decodeChunks() ([]Chunk, error) {
	if int(e.Chunks) > len(e.chunks)/chunkHashBytes {
		return nil, corrupt("%d chunks in %d bytes", e.Chunks, len(e.chunks))
	}
	d, chunks := decoder{rest: e.chunks}, make([]Chunk, e.Chunks)
	start := int64(0)
	for i := range chunks {
		chunks[i] = d.chunk(start, i+1 == len(chunks))
		start = chunks[i].End
	}
	if n := len(chunks); n > 0 {
		if chunks[n-1].End = e.TextBytes; chunks[n-1].Start > e.TextBytes {
			d.fail("chunks are longer than the text")
		}
	}
	return chunks, d.end()
}

// Chunks returns the chunks of a file in order, as f.IDs has their ids.
func (tx *Tx) Chunks(f File) ([]Chunk, error) {
	if f.Chunks == 0 {
		return nil, nil
	}
	number, value, err := tx.floorIn(tableFiles, f.ID)
	if err != nil {
		return nil, fmt.Errorf("chunks of file %d: %w", f.ID, err)
	}
	e, err := findInBlock(number, value, f.ID)
	if err != nil {
		return nil, locatedIn(tableFiles, number, err)
	}
	if e == nil {
		return nil, fmt.Errorf("chunks of file %d: %w", f.ID, ErrNotFound)
	}
	chunks, err := e.decodeChunks()
	if err != nil {
		return nil, locatedIn(tableFiles, number, err)
	}
	return chunks, nil
}

// EachChunks calls fn with the chunks of files by ascending id, and skips files
// that are gone. It reads each block once.
func (tx *Tx) EachChunks(files []uint32, fn func(file uint32, chunks []Chunk) error) error {
	files = slices.Compact(slices.Sorted(slices.Values(files)))
	for len(files) > 0 {
		number, value, err := tx.floorIn(tableFiles, files[0])
		if errors.Is(err, ErrNotFound) {
			files = files[1:]
			continue
		}
		if err != nil {
			return err
		}
		list, err := decodeFileBlock(number, value)
		if err != nil {
			return locatedIn(tableFiles, number, err)
		}
		// The next block begins behind the last file of this one.
		wanted := files[:1]
		for len(wanted) < len(files) && len(list) > 0 && files[len(wanted)] <= list[len(list)-1].ID {
			wanted = files[:len(wanted)+1]
		}
		if err := eachChunks(number, list, wanted, fn); err != nil {
			return err
		}
		files = files[len(wanted):]
	}
	return nil
}

func eachChunks(number uint32, list []entry, files []uint32, fn func(file uint32, chunks []Chunk) error) error {
	for _, id := range files {
		i := indexOf(list, id)
		if i < 0 {
			continue
		}
		chunks, err := list[i].decodeChunks()
		if err != nil {
			return locatedIn(tableFiles, number, err)
		}
		if err := fn(id, chunks); err != nil {
			return err
		}
	}
	return nil
}

// LiveChunks calls fn with the ranges of chunk ids that files have, file by
// file: ids first to first+n-1. Other ids below NextChunk are tombstones or
// free.
func (tx *Tx) LiveChunks(fn func(first, n uint32) error) error {
	return tx.LiveChunksOf(func(uint8) bool { return true }, fn)
}

// LiveChunksOf is LiveChunks for files of some kinds.
func (tx *Tx) LiveChunksOf(kind func(kind uint8) bool, fn func(first, n uint32) error) error {
	return tx.eachEntry(func(e *entry) error {
		if !kind(e.Kind) {
			return nil
		}
		for _, run := range e.IDs {
			if err := fn(run.First, run.N); err != nil {
				return err
			}
		}
		return nil
	})
}
