package pack

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
)

// blockWriter writes the arrays of a block in the order in which a cursor reads them, and
// keeps the first error. It holds a buffer: a block may be larger than memory.
type blockWriter struct {
	out *bufio.Writer
	at  int64
	crc uint32
	err error

	record uint32 // checksum since it was set to 0
}

func newBlockWriter(out io.Writer) *blockWriter {
	return &blockWriter{out: bufio.NewWriterSize(out, 1<<20)}
}

func (b *blockWriter) write(data []byte) {
	if b.err != nil {
		return
	}
	b.crc = crc32.Update(b.crc, castagnoli, data)
	b.record = crc32.Update(b.record, castagnoli, data)
	b.at += int64(len(data))
	_, b.err = b.out.Write(data)
}

// align writes zeros up to the start of the next array.
func (b *blockWriter) align() {
	var zeros [arrayAlign]byte
	b.write(zeros[:align(b.at, arrayAlign)-b.at])
}

// encodeChunk is how many bytes are encoded at a time.
const encodeChunk = 1 << 15

// more appends to an array of bytes that align began.
func (b *blockWriter) more(values []int8) {
	buffer := make([]byte, 0, min(len(values), encodeChunk))
	for len(values) > 0 {
		n := min(len(values), encodeChunk)
		buffer = buffer[:0]
		for _, v := range values[:n] {
			buffer = append(buffer, byte(v))
		}
		b.write(buffer)
		values = values[n:]
	}
}

func (b *blockWriter) int8s(values []int8) {
	b.align()
	b.more(values)
}

func (b *blockWriter) int32s(values []int32) {
	words := make([]byte, 0, 4*len(values))
	for _, v := range values {
		words = binary.LittleEndian.AppendUint32(words, uint32(v))
	}
	b.align()
	b.write(words)
}

func (b *blockWriter) float32s(values []float32) {
	words := make([]byte, 0, 4*len(values))
	for _, v := range values {
		words = binary.LittleEndian.AppendUint32(words, math.Float32bits(v))
	}
	b.align()
	b.write(words)
}

func (b *blockWriter) linear(l Linear) {
	if l.Blocks != nil {
		for i := range l.Blocks {
			b.align()
			b.write(l.Blocks[i].Data)
		}
		b.float32s(l.Bias)
		return
	}
	b.int8s(l.Weights)
	b.float32s(l.Scale)
	b.float32s(l.Bias)
	b.int32s(l.ColSum)
}

func (b *blockWriter) norm(n Norm) {
	b.float32s(n.Gamma)
	b.float32s(n.Beta)
}

// finish pads a block of the given length with zeros to whole pages.
func (b *blockWriter) finish(length int64) error {
	if b.err == nil && b.at != length {
		return fmt.Errorf("%d bytes were written instead of %d", b.at, length)
	}
	if b.err == nil {
		_, b.err = b.out.Write(make([]byte, align(length, blockAlign)-length))
	}
	if b.err == nil {
		b.err = b.out.Flush()
	}
	return b.err
}

// blockFile is a pack or a row pack being written: blocks in any order, the header with
// their checksums last.
type blockFile struct {
	f        *os.File
	progress func(done, total int64) // nil for nobody
	header   header
	total    int64 // bytes of the file
	done     int64 // bytes that were reported
}

// plan lays the blocks out after room for the header.
func (w *blockFile) plan(tokenizerLength int) (err error) {
	const fixed = 1024 // more than configuration and fingerprint of an encoder take
	room := int64(fixed)
	if w.header.Config.Decoder {
		text, err := w.header.encode(0)
		if err != nil {
			return err
		}
		room += int64(len(text))
	}
	if w.header.Blocks, err = w.header.sizes(); err != nil {
		return err
	}
	w.header.Blocks[tokenizerPlace].Length = int64(tokenizerLength)
	const perBlock = 128 // more than a directory entry takes
	at := align(fixedHeader+room+perBlock*int64(len(w.header.Blocks)), blockAlign)
	for i := range w.header.Blocks {
		b := &w.header.Blocks[i]
		b.Offset = at
		at = align(at+b.Length, blockAlign)
	}
	w.total = at
	return nil
}

// block writes block i, of which fill must write the planned length, and its padding.
func (w *blockFile) block(i int, fill func(*blockWriter) error) error {
	b := &w.header.Blocks[i]
	out := newBlockWriter(io.NewOffsetWriter(w.f, b.Offset))
	if err := fill(out); err != nil {
		return err
	}
	if err := out.finish(b.Length); err != nil {
		return fmt.Errorf("block %s: %w", b.Name, err)
	}
	b.CRC = out.crc
	w.report(align(b.Offset+b.Length, blockAlign))
	return nil
}

// report tells how many bytes of the file are written. Blocks written last may lie before
// others, so it never reports less than before.
func (w *blockFile) report(done int64) {
	if w.done = max(w.done, done); w.progress != nil {
		w.progress(w.done, w.total)
	}
}

// finish writes the header.
func (w *blockFile) finish() error {
	text, err := w.header.encode(w.total)
	if err != nil {
		return err
	}
	if int64(len(text)) > w.header.Blocks[0].Offset {
		return fmt.Errorf("a header of %d bytes overruns its place", len(text))
	}
	_, err = w.f.WriteAt(text, 0)
	return err
}
