package gguf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Parts is a block taken apart. Number i of part p = i/(numbers of a part) stands for
//
//	Scale*Scales[p]*(Numbers[i]-offset) - Minimum*Minima[p],
//
// where the offset, 32 of Q6_K, 16 of Q5_0, 8 of Q4_0, 128 of Q8_0 and 0 of the others, is
// that of its type, and Levels[Numbers[i]] is in place of the difference in IQ4_NL. Scale and Minimum are half-precision numbers. Blocks of 32 numbers are
// one part whose Scales are 1; types without minima leave them at 0.
type Parts struct {
	Scale, Minimum uint16
	Scales         [16]int8
	Minima         [8]uint8
	Numbers        [superblock]uint8
}

// Block returns the numbers and the bytes of a block of the type.
func (t Type) Block() (numbers, bytes int) {
	info, _ := t.info()
	return info.elements, info.bytes
}

// TakeApart takes a block of the type apart; ok is false for types without Parts.
func (t Type) TakeApart(p *Parts, block []byte) (ok bool) {
	switch t {
	case Q4K, Q5K:
		p.superblock(block, t == Q5K)
	case Q6K:
		p.sixBits(block)
	case Q4_0, Q5_0, Q8_0, IQ4NL:
		p.small(t, block)
	default:
		return false
	}
	return true
}

// superblock takes apart what readQ4K or readQ5K reads.
func (p *Parts) superblock(b []byte, five bool) {
	p.Scale, p.Minimum = binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:])
	scales, minima := partScales(b[4:16])
	p.Minima = minima
	quants, high := b[16:], b[16:16]
	if five {
		quants, high = b[48:], b[16:48]
	}
	for part, scale := range scales {
		p.Scales[part] = int8(scale)
		for i, q := range quants[part/2*32:][:32] {
			value := q >> (part % 2 * 4) & 15
			if five {
				value |= high[i] >> part & 1 << 4
			}
			p.Numbers[part*32+i] = value
		}
	}
}

// sixBits takes apart what readQ6K reads.
func (p *Parts) sixBits(b []byte) {
	p.Scale, p.Minimum = binary.LittleEndian.Uint16(b[208:]), 0
	for i := range p.Scales {
		p.Scales[i] = int8(b[192+i])
	}
	for run := range 8 {
		group, place := run/4, run%4
		low, high := b[group*64+place%2*32:][:32], b[128+group*32:][:32]
		for i := range 32 {
			p.Numbers[run*32+i] = low[i]>>(place/2*4)&15 | high[i]>>(2*place)&3<<4
		}
	}
}

// small takes a block of 32 numbers apart.
func (p *Parts) small(t Type, b []byte) {
	p.Scale, p.Minimum, p.Scales[0] = binary.LittleEndian.Uint16(b), 0, 1
	if t == Q8_0 {
		for i, q := range b[2:34] {
			p.Numbers[i] = q ^ 0x80
		}
		return
	}
	high, quants := uint32(0), b[2:18]
	if t == Q5_0 {
		high, quants = binary.LittleEndian.Uint32(b[2:]), b[6:22]
	}
	for i, q := range quants {
		low, up := fifth(high, i, q)
		p.Numbers[i], p.Numbers[i+halfBlock] = uint8(low), uint8(up)
	}
}

// ReadBlocks reads rows as their blocks from row first on; len(dst) is a multiple of the
// bytes of a row.
func (t *Tensor) ReadBlocks(dst []byte, first int) error {
	numbers, bytes := t.Type.Block()
	size := t.Row() / numbers * bytes
	if size == 0 || len(dst)%size != 0 || first < 0 || first > t.Rows()-len(dst)/size {
		return fmt.Errorf("tensor %q: %d bytes from row %d are not whole rows of shape %v", t.Name, len(dst), first, t.Shape)
	}
	n, err := t.source.ReadAt(dst, t.offset+int64(first)*int64(size))
	if err != nil && (n < len(dst) || !errors.Is(err, io.EOF)) {
		return fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	return nil
}
