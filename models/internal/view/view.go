package view

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// littleEndian reports whether numbers lie in memory as they lie in the file.
var littleEndian = func() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}()

// Int8s views every byte of b as a signed number.
func Int8s(b []byte) []int8 {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// Uint16s views b as len(b)/2 numbers.
func Uint16s(b []byte) []uint16 { return numbers(b, binary.LittleEndian.Uint16) }

// Uint32s views b as len(b)/4 numbers.
func Uint32s(b []byte) []uint32 { return numbers(b, binary.LittleEndian.Uint32) }

// Int32s views b as len(b)/4 signed numbers.
func Int32s(b []byte) []int32 {
	return numbers(b, func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) })
}

// Float32s views b as len(b)/4 IEEE 754 numbers.
func Float32s(b []byte) []float32 {
	return numbers(b, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) })
}

// numbers views b as numbers, or decodes one after the other.
func numbers[T any](b []byte, decode func([]byte) T) []T {
	var number T
	size := unsafe.Sizeof(number)
	n := len(b) / int(size)
	if n == 0 {
		return nil
	}
	if littleEndian && uintptr(unsafe.Pointer(unsafe.SliceData(b)))%size == 0 {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
	}
	out := make([]T, n)
	for i := range out {
		out[i] = decode(b[i*int(size):])
	}
	return out
}
