package gguf

import (
	"errors"
	"fmt"
	"io"

	"dowse/models/internal/tensor"
)

// Tensor describes one tensor of a file.
type Tensor struct {
	Name  string
	Type  Type
	Shape []int // outermost dimension first; empty for a scalar

	offset, length int64 // bytes, in the file
	source         io.ReaderAt
}

// place turns the offset in the data into one in the file, and checks that the
// tensor lies in the file as a whole.
func (t *Tensor) place(start, size, alignment int64) error {
	info, ok := t.Type.info()
	if !ok {
		return fmt.Errorf("%s is unknown", t.Type)
	}
	if t.offset%alignment != 0 {
		return fmt.Errorf("its offset %d is not a multiple of %d", t.offset, alignment)
	}
	inner := 1
	if n := len(t.Shape); n > 0 {
		inner = t.Shape[n-1]
	}
	if inner%info.elements != 0 {
		return fmt.Errorf("rows of %d numbers are not whole blocks of %d", inner, info.elements)
	}
	t.length = int64(t.Rows()) * int64(t.Row()) / int64(info.elements) * int64(info.bytes)
	t.offset += start
	if t.length > size || t.offset > size-t.length {
		return fmt.Errorf("its data ends at byte %d of %d: the file is cut short", uint64(t.offset)+uint64(t.length), size)
	}
	return nil
}

// Row returns the number of elements of a row: of everything but the first
// dimension. A scalar and a vector are one row.
func (t *Tensor) Row() int { return tensor.Row(t.Shape) }

// Rows returns the number of rows.
func (t *Tensor) Rows() int { return tensor.Rows(t.Shape) }

// CheckType returns an error that names the tensor's type if it cannot be read.
func (t *Tensor) CheckType() error {
	if info, ok := t.Type.info(); !ok || info.dequantize == nil {
		return fmt.Errorf("tensor %q has type %s, which is not supported; supported: %s", t.Name, t.Type, supported)
	}
	return nil
}

// ReadRows reads rows [first, first+len(dst)/Row()) as float32 into dst, whose
// length is a multiple of Row().
func (t *Tensor) ReadRows(dst []float32, first int) error {
	if err := t.CheckType(); err != nil {
		return err
	}
	info, _ := t.Type.info()
	row := t.Row()
	if row == 0 || len(dst)%row != 0 || first < 0 || first > t.Rows()-len(dst)/row {
		return fmt.Errorf("tensor %q: %d elements from row %d are not whole rows of shape %v", t.Name, len(dst), first, t.Shape)
	}
	raw := make([]byte, len(dst)/info.elements*info.bytes)
	at := t.offset + int64(first)*int64(row/info.elements*info.bytes)
	if n, err := t.source.ReadAt(raw, at); err != nil && (n < len(raw) || !errors.Is(err, io.EOF)) {
		return fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	info.dequantize(dst, raw)
	return nil
}

// Dequantize turns whole blocks of the type, which can be read, into their numbers.
func (t Type) Dequantize(dst []float32, blocks []byte) {
	info, _ := t.info()
	info.dequantize(dst, blocks)
}

// Matrix returns matrix i of a tensor of three dimensions, as one of its own.
func (t *Tensor) Matrix(i int) (*Tensor, error) {
	if len(t.Shape) != 3 || i < 0 || i >= t.Shape[0] {
		return nil, fmt.Errorf("tensor %q of shape %v has no matrix %d", t.Name, t.Shape, i)
	}
	m := *t
	m.Shape, m.length = t.Shape[1:], t.length/int64(t.Shape[0])
	m.offset += int64(i) * m.length
	return &m, nil
}
