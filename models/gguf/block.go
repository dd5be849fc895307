package gguf

import (
	"encoding/binary"
	"math"

	"dowse/models/internal/float"
)

// Blocks of 32 numbers. The first half of the numbers lies in the low four bits
// of the 16 bytes of quants, the second half in the high ones; a fifth bit of
// each lies in a word of 32 bits. Conversions to float32 stand around every
// product and sum: without them a compiler may fuse the two.
const (
	blockSize = 32
	halfBlock = blockSize / 2
)

func readF32(dst []float32, b []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

func readF16(dst []float32, b []byte) {
	for i := range dst {
		dst[i] = half(b[2*i:])
	}
}

func readBF16(dst []float32, b []byte) {
	for i := range dst {
		dst[i] = float.FromBrain(binary.LittleEndian.Uint16(b[2*i:]))
	}
}

// half reads a half-precision number.
func half(b []byte) float32 { return float.FromHalf(binary.LittleEndian.Uint16(b)) }

// readQ4_0 reads scale, 16 bytes of quants: scale * (q-8).
func readQ4_0(dst []float32, b []byte) {
	for ; len(dst) > 0; dst, b = dst[blockSize:], b[18:] {
		scale := half(b)
		for i, q := range b[2:18] {
			dst[i] = scale * float32(int(q&15)-8)
			dst[i+halfBlock] = scale * float32(int(q>>4)-8)
		}
	}
}

// readQ4_1 reads scale, minimum, 16 bytes of quants: scale*q + minimum.
func readQ4_1(dst []float32, b []byte) {
	for ; len(dst) > 0; dst, b = dst[blockSize:], b[20:] {
		scale, minimum := half(b), half(b[2:])
		for i, q := range b[4:20] {
			dst[i] = float32(scale*float32(q&15)) + minimum
			dst[i+halfBlock] = float32(scale*float32(q>>4)) + minimum
		}
	}
}

// readQ5_0 reads scale, 32 high bits, 16 bytes of quants: scale * (q-16).
func readQ5_0(dst []float32, b []byte) {
	for ; len(dst) > 0; dst, b = dst[blockSize:], b[22:] {
		scale, high := half(b), binary.LittleEndian.Uint32(b[2:])
		for i, q := range b[6:22] {
			low, up := fifth(high, i, q)
			dst[i] = scale * float32(low-16)
			dst[i+halfBlock] = scale * float32(up-16)
		}
	}
}

// readQ5_1 reads scale, minimum, 32 high bits, 16 bytes of quants: scale*q +
// minimum.
func readQ5_1(dst []float32, b []byte) {
	for ; len(dst) > 0; dst, b = dst[blockSize:], b[24:] {
		scale, minimum, high := half(b), half(b[2:]), binary.LittleEndian.Uint32(b[4:])
		for i, q := range b[8:24] {
			low, up := fifth(high, i, q)
			dst[i] = float32(scale*float32(low)) + minimum
			dst[i+halfBlock] = float32(scale*float32(up)) + minimum
		}
	}
}

// fifth puts the high bits of numbers i and i+16 to the two quants of a byte.
func fifth(high uint32, i int, q byte) (low, up int) {
	return int(q&15) | int(high>>i&1)<<4, int(q>>4) | int(high>>(i+halfBlock)&1)<<4
}

// Levels are what the numbers of IQ4_NL stand for: finer near zero, where weights are dense.
var Levels = [16]int8{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}

// readIQ4NL reads scale, 16 bytes of quants: scale * Levels[q].
func readIQ4NL(dst []float32, b []byte) {
	for ; len(dst) > 0; dst, b = dst[blockSize:], b[18:] {
		scale := half(b)
		for i, q := range b[2:18] {
			dst[i] = scale * float32(Levels[q&15])
			dst[i+halfBlock] = scale * float32(Levels[q>>4])
		}
	}
}

// readQ8_0 reads scale, 32 signed bytes: scale * q.
func readQ8_0(dst []float32, b []byte) {
	for ; len(dst) > 0; dst, b = dst[blockSize:], b[34:] {
		scale := half(b)
		for i, q := range b[2:34] {
			dst[i] = scale * float32(int8(q))
		}
	}
}
