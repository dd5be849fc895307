package pack

import (
	"fmt"
	"io"
	"os"
)

// blockFile is a pack or a row pack that is being written: blocks in any order, and
// the header, which has their checksums, last.
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

// block writes block i, which fill must give the length that was planned, and
// its padding.
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

// report tells how many bytes of the file are written. What is written last may
// lie before the rest: what was reported never grows less.
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
