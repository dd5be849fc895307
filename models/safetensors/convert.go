package safetensors

import (
	"encoding/binary"
	"fmt"
	"math"

	"dowse/models/internal/float"
	"dowse/models/internal/tensor"
)

// Row returns the number of elements of a row: of everything but the first
// dimension. A scalar and a vector are one row.
func (t *Tensor) Row() int { return tensor.Row(t.Shape) }

// Rows returns the number of rows.
func (t *Tensor) Rows() int { return tensor.Rows(t.Shape) }

// ReadRows reads rows [first, first+len(dst)/Row()) as float32 into dst, whose
// length is a multiple of Row(). F16 and BF16 are converted exactly.
func (t *Tensor) ReadRows(dst []float32, first int) error {
	width, err := t.floatSize()
	if err != nil {
		return err
	}
	row := t.Row()
	if row == 0 || len(dst)%row != 0 || first < 0 || first+len(dst)/row > t.Rows() {
		return fmt.Errorf("tensor %q: %d elements from row %d are not whole rows of shape %v", t.Name, len(dst), first, t.Shape)
	}
	raw := make([]byte, len(dst)*width)
	if _, err := t.source.ReadAt(raw, t.offset+int64(first)*int64(row*width)); err != nil {
		return fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	t.convert(dst, raw)
	return nil
}

// ReadInts reads the whole of a tensor of type I64 or I32.
func (t *Tensor) ReadInts() ([]int64, error) {
	width := map[string]int{"I64": 8, "I32": 4}[t.Type]
	if width == 0 {
		return nil, fmt.Errorf("tensor %q has type %s, where whole numbers are needed; supported: I64, I32", t.Name, t.Type)
	}
	raw := make([]byte, t.Rows()*t.Row()*width)
	if _, err := t.source.ReadAt(raw, t.offset); err != nil {
		return nil, fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	values := make([]int64, len(raw)/width)
	for i := range values {
		if width == 4 {
			values[i] = int64(int32(binary.LittleEndian.Uint32(raw[4*i:])))
		} else {
			values[i] = int64(binary.LittleEndian.Uint64(raw[8*i:]))
		}
	}
	return values, nil
}

// CheckType returns an error that names the tensor's type if it cannot be read.
func (t *Tensor) CheckType() error {
	_, err := t.floatSize()
	return err
}

// floatSize returns the bytes of an element of a type that can be read.
func (t *Tensor) floatSize() (int, error) {
	switch t.Type {
	case "F32":
		return 4, nil
	case "F16", "BF16":
		return 2, nil
	}
	return 0, fmt.Errorf("tensor %q has type %s, which is not supported; supported: F32, F16, BF16", t.Name, t.Type)
}

func (t *Tensor) convert(dst []float32, raw []byte) {
	switch t.Type {
	case "F32":
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
	case "BF16":
		for i := range dst {
			dst[i] = float.FromBrain(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	case "F16":
		for i := range dst {
			dst[i] = float.FromHalf(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	}
}

// ReadAll reads the whole tensor as float32.
func (t *Tensor) ReadAll() ([]float32, error) {
	dst := make([]float32, t.Rows()*t.Row())
	if len(dst) == 0 {
		return dst, nil
	}
	return dst, t.ReadRows(dst, 0)
}
