package gguf

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// headerReader reads the start of a file until something fails, and keeps the
// error. It never reads, nor makes room for, more than is left of the file.
type headerReader struct {
	r      *bufio.Reader
	at     int64
	left   int64
	room   uint64 // for elements of arrays
	buffer [8]byte
	err    error
}

func newHeaderReader(source io.ReaderAt, size int64) *headerReader {
	left := min(size, maxHeader)
	return &headerReader{r: bufio.NewReaderSize(io.NewSectionReader(source, 0, left), 1<<16), left: left, room: maxElementSum}
}

// failf keeps the first error.
func (h *headerReader) failf(format string, values ...any) {
	if h.err == nil {
		h.err = fmt.Errorf("%w: %w", ErrFormat, fmt.Errorf(format, values...))
	}
}

// next returns the following n <= 8 bytes, valid until the next call; zeros
// after an error.
func (h *headerReader) next(n int) []byte {
	h.buffer = [8]byte{}
	h.read(h.buffer[:n])
	return h.buffer[:n]
}

// read fills b.
func (h *headerReader) read(b []byte) {
	if h.err != nil {
		return
	}
	n, err := io.ReadFull(h.r, b)
	h.at += int64(n)
	h.left -= int64(n)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		h.failf("it ends in the middle of the header, at byte %d", h.at)
	case err != nil:
		h.err = fmt.Errorf("read the header: %w", err)
	}
}

func (h *headerReader) uint32() uint32 { return binary.LittleEndian.Uint32(h.next(4)) }
func (h *headerReader) uint64() uint64 { return binary.LittleEndian.Uint64(h.next(8)) }

// text reads a string: its length and its bytes.
func (h *headerReader) text() string {
	n := h.uint64()
	switch {
	case n > uint64(h.left):
		h.failf("a string of %d bytes does not fit into the file", n)
	case n > maxText:
		h.failf("a string of %d bytes is longer than %d", n, maxText)
	}
	if h.err != nil {
		return ""
	}
	b := make([]byte, n)
	h.read(b)
	return string(b)
}

// tensor reads an entry of the directory; nil after an error.
func (h *headerReader) tensor() *Tensor {
	t := &Tensor{Name: h.text()}
	dimensions := h.uint32()
	if dimensions > maxDimensions {
		h.failf("tensor %q has %d dimensions", t.Name, dimensions)
	}
	if h.err != nil {
		return nil
	}
	t.Shape = make([]int, dimensions)
	elements := uint64(1)
	for i := range t.Shape {
		n := h.uint64()
		if n > 0 && elements > maxElements/n {
			h.failf("the shape of tensor %q is not possible", t.Name)
			return nil
		}
		elements *= n
		t.Shape[len(t.Shape)-1-i] = int(n)
	}
	t.Type = Type(h.uint32())
	offset := h.uint64()
	if offset > uint64(1)<<62 {
		h.failf("tensor %q starts at byte %d of the data", t.Name, offset)
	}
	if h.err != nil {
		return nil
	}
	t.offset = int64(offset)
	return t
}
