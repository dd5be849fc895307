package view

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// littleEndian says whether numbers lie in memory as they lie in the file.
var littleEndian = func() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}()

// shareable reports whether b can be read in place as numbers of size bytes.
func shareable(b []byte, size uintptr) bool {
	return littleEndian && uintptr(unsafe.Pointer(unsafe.SliceData(b)))%size == 0
}

// Int8s views every byte of b as a signed number.
func Int8s(b []byte) []int8 {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// Uint16s views b as len(b)/2 numbers.
func Uint16s(b []byte) []uint16 {
	n := len(b) / 2
	if n == 0 {
		return nil
	}
	if shareable(b, 2) {
		return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(b))), n)
	}
	out := make([]uint16, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return out
}

// Uint32s views b as len(b)/4 numbers.
func Uint32s(b []byte) []uint32 {
	n := len(b) / 4
	if n == 0 {
		return nil
	}
	if shareable(b, 4) {
		return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), n)
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

// Int32s views b as len(b)/4 signed numbers.
func Int32s(b []byte) []int32 {
	u := Uint32s(b)
	if len(u) == 0 {
		return nil
	}
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(u))), len(u))
}

// Float32s views b as len(b)/4 IEEE 754 numbers.
func Float32s(b []byte) []float32 {
	n := len(b) / 4
	if n == 0 {
		return nil
	}
	if shareable(b, 4) {
		return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), n)
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}
