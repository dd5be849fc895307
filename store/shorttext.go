package store

import "encoding/binary"

// File names are most of what is stored of a file. One fixed canonical Huffman
// code (Huffman, "A method for the construction of minimum-redundancy codes",
// 1952) packs them; it was made from the bytes of names and headings of notes,
// programs and documents. A text that it would lengthen is stored as it is.

// codeLengths gives the bits of each byte's code as one hexadecimal digit.
const codeLengths = "cccccccccccccccccccccccccccccccc6ccccccb99cc946c7788898999bccccc" +
	"b9a898abb9cb9a999c999aabcccbcbc6846554666497564459444677879ccccc" +
	"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc" +
	"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"

// longestCode is in bits.
const longestCode = 12

type textCode struct {
	bits   [256]uint16
	length [256]uint8
	// byPrefix gives, for the next longestCode bits, the byte they begin with,
	// and above it its code's length.
	byPrefix [1 << longestCode]uint16
}

// shortText is the code of names; never written to.
var shortText = newTextCode(codeLengths)

// newTextCode numbers the codes by length, then by byte. So only the longest
// begin with all ones.
func newTextCode(lengths string) *textCode {
	c := &textCode{}
	for b := range c.length {
		digit := lengths[b]
		c.length[b] = digit - '0'
		if digit >= 'a' {
			c.length[b] = digit - 'a' + 10
		}
	}
	next := uint16(0)
	for n := uint8(1); n <= longestCode; n++ {
		for b := range 256 {
			if c.length[b] != n {
				continue
			}
			c.bits[b] = next >> (longestCode - n)
			for range 1 << (longestCode - n) {
				c.byPrefix[next] = uint16(n)<<8 | uint16(b)
				next++
			}
		}
	}
	return c
}

// appendText appends twice the number of bytes, plus one if they are packed,
// and the bytes. Ones fill the last byte.
func appendText(dst []byte, s string) []byte {
	bits := 0
	for i := range len(s) {
		bits += int(shortText.length[s[i]])
	}
	packed := (bits + 7) / 8
	if packed >= len(s) {
		return append(binary.AppendUvarint(dst, uint64(len(s))<<1), s...)
	}
	dst = binary.AppendUvarint(dst, uint64(packed)<<1|1)
	pending, n := uint32(0), 0
	for i := range len(s) {
		pending = pending<<shortText.length[s[i]] | uint32(shortText.bits[s[i]])
		for n += int(shortText.length[s[i]]); n >= 8; n -= 8 {
			dst = append(dst, byte(pending>>(n-8)))
		}
	}
	if n > 0 {
		dst = append(dst, byte(pending<<(8-n))|byte(0xFF>>n))
	}
	return dst
}

// text reads what appendText wrote, appending it to dst.
func (d *decoder) text(dst []byte) []byte {
	head := d.uvarint()
	raw := d.bytes(head >> 1)
	if head&1 == 0 {
		return append(dst, raw...)
	}
	window, n := uint32(0), 0 // its lowest n bits come next
	for {
		for n < longestCode && len(raw) > 0 {
			window, n, raw = window<<8|uint32(raw[0]), n+8, raw[1:]
		}
		// Missing bits at the end count as ones.
		ahead := window<<longestCode | (1<<longestCode - 1)
		entry := shortText.byPrefix[ahead>>n&(1<<longestCode-1)]
		length := int(entry >> 8)
		if length > n {
			break
		}
		dst = append(dst, byte(entry))
		n -= length
	}
	if n >= 8 || window&(1<<n-1) != 1<<n-1 {
		d.fail("packed text is cut short")
	}
	return dst
}
