package gguf

import (
	"encoding/binary"
	"math"
)

// The types of metadata values, as the format numbers them.
const (
	uint8Value uint32 = iota
	int8Value
	uint16Value
	int16Value
	uint32Value
	int32Value
	float32Value
	boolValue
	stringValue
	arrayValue
	uint64Value
	int64Value
	float64Value
)

// maxNesting is how deep arrays of arrays may go.
const maxNesting = 4

// scalar reads a value that is not an array.
func (h *headerReader) scalar(kind uint32) any {
	if kind == stringValue {
		return h.text()
	}
	width := scalarSize(kind)
	if width == 0 {
		h.failf("value type %d is unknown", kind)
		return nil
	}
	return decodeScalar(kind, h.next(width))
}

// scalarSize returns the bytes of a number or truth value; 0 for other kinds.
func scalarSize(kind uint32) int {
	switch kind {
	case uint8Value, int8Value, boolValue:
		return 1
	case uint16Value, int16Value:
		return 2
	case uint32Value, int32Value, float32Value:
		return 4
	case uint64Value, int64Value, float64Value:
		return 8
	}
	return 0
}

func decodeScalar(kind uint32, b []byte) any {
	switch kind {
	case uint8Value:
		return b[0]
	case int8Value:
		return int8(b[0])
	case boolValue:
		return b[0] != 0
	case uint16Value:
		return binary.LittleEndian.Uint16(b)
	case int16Value:
		return int16(binary.LittleEndian.Uint16(b))
	case uint32Value:
		return binary.LittleEndian.Uint32(b)
	case int32Value:
		return int32(binary.LittleEndian.Uint32(b))
	case float32Value:
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	case uint64Value:
		return binary.LittleEndian.Uint64(b)
	case int64Value:
		return int64(binary.LittleEndian.Uint64(b))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// array reads an array: a slice of its elements' Go type, or []any for an array
// of arrays.
func (h *headerReader) array(nesting int) any {
	kind, n := h.uint32(), h.uint64()
	switch least := leastSize(kind); {
	case n > uint64(h.left)/least:
		h.failf("an array of %d elements of type %d does not fit into the file", n, kind)
	case n > maxArray || n > h.room:
		h.failf("an array of %d elements is more than the %d that one may have, or the %d that all may have", n, maxArray, maxElementSum)
	}
	if h.err != nil {
		return nil
	}
	h.room -= n
	switch kind {
	case uint8Value:
		return elements[uint8](h, kind, n)
	case int8Value:
		return elements[int8](h, kind, n)
	case boolValue:
		return elements[bool](h, kind, n)
	case uint16Value:
		return elements[uint16](h, kind, n)
	case int16Value:
		return elements[int16](h, kind, n)
	case uint32Value:
		return elements[uint32](h, kind, n)
	case int32Value:
		return elements[int32](h, kind, n)
	case float32Value:
		return elements[float32](h, kind, n)
	case uint64Value:
		return elements[uint64](h, kind, n)
	case int64Value:
		return elements[int64](h, kind, n)
	case float64Value:
		return elements[float64](h, kind, n)
	case stringValue:
		return elements[string](h, kind, n)
	case arrayValue:
		return h.arrays(n, nesting+1)
	}
	h.failf("value type %d is unknown", kind)
	return nil
}

// elements reads n scalars. The slice grows with reading, so that a false
// length costs no memory.
func elements[T any](h *headerReader, kind uint32, n uint64) []T {
	var list []T
	for range n {
		value, ok := h.scalar(kind).(T)
		if h.err != nil || !ok {
			return nil
		}
		list = append(list, value)
	}
	return list
}

// arrays reads n arrays.
func (h *headerReader) arrays(n uint64, nesting int) []any {
	if nesting > maxNesting {
		h.failf("arrays within arrays more than %d deep", maxNesting)
		return nil
	}
	var list []any
	for range n {
		list = append(list, h.array(nesting))
		if h.err != nil {
			return nil
		}
	}
	return list
}

// leastSize returns the least number of bytes that an element of a kind takes.
func leastSize(kind uint32) uint64 {
	switch kind {
	case stringValue:
		return 8
	case arrayValue:
		return 12
	}
	return uint64(max(scalarSize(kind), 1))
}
