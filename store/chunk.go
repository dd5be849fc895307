package store

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Chunk is a stretch of the extracted text of a file. The chunks of a file
// tile the text: the first starts at 0 and each starts where the one before
// ends.
type Chunk struct {
	Start, End    int64  // bytes of the extracted text, half open
	Line, LineEnd uint32 // lines of the file, from 1, inclusive
	Hash          uint32 // of the text, to notice that it changed; below 1<<ChunkHashBits
	Heading       string // headings in force, outermost first, joined by " > "
}

// ChunkHashBits is the length of the hash that is kept of a chunk's text.
const ChunkHashBits = 24

func checkTiling(chunks []Chunk) error {
	end := int64(0)
	for i, c := range chunks {
		if c.Start != end || c.End < c.Start || c.LineEnd < c.Line {
			return fmt.Errorf("chunk %d, bytes %d to %d, lines %d to %d, does not continue at byte %d",
				i, c.Start, c.End, c.Line, c.LineEnd, end)
		}
		if c.Hash >= 1<<ChunkHashBits {
			return fmt.Errorf("hash %#x of chunk %d is longer than %d bits", c.Hash, i, ChunkHashBits)
		}
		end = c.End
	}
	return nil
}

// The first number of a chunk's record is how many lines it ends below its
// first one, and in the lowest bits:
const (
	chunkLineBits  = 2                  // how many lines it starts below the end of the one before,
	chunkLineOther = 3                  // or this if that follows, being another number;
	chunkHeading   = 1 << chunkLineBits // and whether a heading follows, being another than expected
	chunkBits      = chunkLineBits + 1
)

// appendChunks appends the records of the chunks of a file: of each its
// lines, its hash, its length but for the last one, whose end the file gives,
// and its heading. What is expected as heading is that of the chunk before;
// expected is that of the first one.
func appendChunks(dst []byte, expected string, chunks []Chunk) []byte {
	line, heading := uint32(0), expected
	for i, c := range chunks {
		below := int64(c.Line) - int64(line)
		head := uint64(c.LineEnd-c.Line)<<chunkBits | min(uint64(below), chunkLineOther)
		if c.Heading != heading {
			head |= chunkHeading
		}
		dst = binary.AppendUvarint(dst, head)
		if head&chunkLineOther == chunkLineOther {
			dst = binary.AppendVarint(dst, below)
		}
		dst = append(dst, byte(c.Hash), byte(c.Hash>>8), byte(c.Hash>>16))
		if i+1 < len(chunks) {
			dst = binary.AppendUvarint(dst, uint64(c.End-c.Start))
		}
		if head&chunkHeading != 0 {
			shared := sharedPrefix(heading, c.Heading)
			dst = appendText(binary.AppendUvarint(dst, uint64(shared)), c.Heading[shared:])
		}
		line, heading = c.LineEnd, c.Heading
	}
	return dst
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// titleOf makes a title of the name of a file: without its extension, with
// spaces for hyphens and underscores, and each word with a capital.
func titleOf(name string) string {
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		name = name[:dot]
	}
	title, begins := []byte(name), true
	for i, b := range title {
		switch {
		case b == '-' || b == '_' || b == ' ':
			title[i] = ' '
		case begins && 'a' <= b && b <= 'z':
			title[i] = b - 'a' + 'A'
		}
		begins = title[i] == ' '
	}
	return string(title)
}

// chunk reads a record that comes after another. The last one of a file has
// no length.
func (d *decoder) chunk(before Chunk, last bool) Chunk {
	head := d.uvarint()
	below := int64(head & chunkLineOther)
	if below == chunkLineOther {
		below = d.varint()
	}
	c := Chunk{Start: before.End, End: before.End, Heading: before.Heading}
	if hash := d.bytes(3); hash != nil {
		c.Hash = uint32(hash[0]) | uint32(hash[1])<<8 | uint32(hash[2])<<16
	}
	if !last {
		c.End += d.int63()
	}
	if head&chunkHeading != 0 {
		c.Heading = d.heading(before.Heading)
	}
	line := int64(before.LineEnd) + below
	if line < 0 || line > 1<<32-1 || head>>chunkBits > uint64(1<<32-1-line) || c.End < c.Start {
		d.fail("chunk out of range")
		return Chunk{}
	}
	c.Line, c.LineEnd = uint32(line), uint32(line)+uint32(head>>chunkBits)
	return c
}

func (d *decoder) heading(expected string) string {
	shared := d.uvarint()
	if shared > uint64(len(expected)) {
		d.fail("heading shares more than there is of the one before")
		return ""
	}
	return string(d.text([]byte(expected[:shared])))
}

// chunkRecords takes the records of n chunks; they share memory with the
// value.
func (d *decoder) chunkRecords(n uint32) []byte {
	all := d.rest
	for i := uint32(0); i < n && d.err == nil; i++ {
		head := d.uvarint()
		if head&chunkLineOther == chunkLineOther {
			d.varint()
		}
		d.bytes(3)
		if i+1 < n {
			d.uvarint()
		}
		if head&chunkHeading != 0 {
			d.uvarint()
			d.skipText()
		}
	}
	return all[:len(all)-len(d.rest)]
}

// expectedHeading is what the first chunk of a file is expected to have: the
// file's name as a title, because notes begin with theirs, unless it has none.
func (e *entry) expectedHeading() string {
	if e.untitled {
		return ""
	}
	return titleOf(e.name)
}

// minChunkBytes is the least that a chunk takes: a number and the hash.
const minChunkBytes = 4

// decodeChunks reads the records of a file's chunks.
func (e *entry) decodeChunks() ([]Chunk, error) {
	if int(e.Chunks) > len(e.chunks)/minChunkBytes {
		return nil, corrupt("%d chunks in %d bytes", e.Chunks, len(e.chunks))
	}
	d, chunks := decoder{rest: e.chunks}, make([]Chunk, e.Chunks)
	before := Chunk{Heading: e.expectedHeading()}
	for i := range chunks {
		chunks[i] = d.chunk(before, i+1 == len(chunks))
		before = chunks[i]
	}
	if n := len(chunks); n > 0 {
		if chunks[n-1].End = e.TextBytes; chunks[n-1].Start > e.TextBytes {
			d.fail("chunks are longer than the text")
		}
	}
	return chunks, d.end()
}

// Chunks gives the chunks of a file in order; element i is the chunk with
// the id f.FirstChunk+i.
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

// LiveChunks calls fn with the ranges of chunk ids that files have, in
// ascending order: ids first to first+n-1. Ids below NextChunk that no range
// covers are tombstones.
func (tx *Tx) LiveChunks(fn func(first, n uint32) error) error {
	return tx.eachEntry(func(e *entry) error {
		if e.Chunks == 0 {
			return nil
		}
		return fn(e.FirstChunk, e.Chunks)
	})
}
