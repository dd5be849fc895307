package safetensors

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Row is the number of elements of a row: of everything but the first
// dimension. A scalar and a vector are one row.
func (t *Tensor) Row() int {
	switch len(t.Shape) {
	case 0:
		return 1
	case 1:
		return t.Shape[0]
	}
	n := 1
	for _, d := range t.Shape[1:] {
		n *= d
	}
	return n
}

// Rows is the number of rows.
func (t *Tensor) Rows() int {
	if len(t.Shape) < 2 {
		return 1
	}
	return t.Shape[0]
}

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

// floatSize is the bytes of an element of a type that can be read.
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
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(raw[2*i:])) << 16)
		}
	case "F16":
		for i := range dst {
			dst[i] = halfToFloat(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	}
}

// halfToFloat converts an IEEE 754 half-precision number.
func halfToFloat(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0: // zero and subnormal numbers: fraction * 2^-24
		f := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f: // infinity and not-a-number
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// ReadAll reads the whole tensor as float32.
func (t *Tensor) ReadAll() ([]float32, error) {
	dst := make([]float32, t.Rows()*t.Row())
	if len(dst) == 0 {
		return dst, nil
	}
	return dst, t.ReadRows(dst, 0)
}
