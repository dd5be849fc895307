package book

import "encoding/binary"

// huffCode says how long a code is that begins with some byte, and which is the greatest of that length.
type huffCode struct {
	length   int
	terminal bool // the length is known by the byte alone
	greatest uint32
}

// phrase is what a code stands for.
type phrase struct {
	data []byte
	done bool // data is text, and not codes itself
}

// huff unpacks the records of books that use HUFF and CDIC: codes of Huffman's stand for phrases of a dictionary, which
// are packed in the same way.
type huff struct {
	first    [256]huffCode
	least    [33]uint32 // code of a length
	greatest [33]uint32
	phrases  []phrase
	held     int // bytes of phrases that were unpacked
}

const (
	maxPhrases = 1 << 20
	maxDeep    = 32       // phrases within phrases
	maxHeld    = 32 << 20 // bytes of unpacked phrases
)

// newHuff reads the tables from the record of codes and the records of phrases.
func newHuff(codes []byte, dictionaries [][]byte) (*huff, error) {
	if len(codes) < 24 || string(codes[:4]) != "HUFF" {
		return nil, errDamaged
	}
	h := &huff{}
	one, two := u32(codes, 8), u32(codes, 12)
	if one < 0 || one+4*256 > len(codes) || two < 0 || two+4*64 > len(codes) {
		return nil, errDamaged
	}
	for i := range h.first {
		v := uint32(u32(codes, one+4*i))
		c := huffCode{length: int(v & 0x1f), terminal: v&0x80 != 0}
		if c.length == 0 || c.length <= 8 && !c.terminal {
			return nil, errDamaged
		}
		c.greatest = ((v>>8 + 1) << (32 - c.length)) - 1
		h.first[i] = c
	}
	for length := 1; length <= 32; length++ {
		h.least[length] = uint32(u32(codes, two+8*(length-1))) << (32 - length)
		h.greatest[length] = (uint32(u32(codes, two+8*(length-1)+4))+1)<<(32-length) - 1
	}
	for _, d := range dictionaries {
		h.add(d)
	}
	return h, nil
}

// add takes the phrases of a record.
func (h *huff) add(d []byte) {
	const from = 16
	if len(d) < from || string(d[:4]) != "CDIC" {
		return
	}
	count := min(u32(d, 8)-len(h.phrases), 1<<min(u32(d, 12), 20), maxPhrases-len(h.phrases))
	for i := range max(count, 0) {
		if from+2*i+2 > len(d) {
			return
		}
		at := from + u16(d, from+2*i)
		size := u16(d, at)
		end := min(at+2+size&0x7fff, len(d))
		h.phrases = append(h.phrases, phrase{data: d[min(at+2, end):end], done: size&0x8000 != 0})
	}
}

// unpack implements expander.
func (h *huff) unpack(record []byte) []byte { return h.expand(record, 0) }

func (h *huff) expand(packed []byte, depth int) []byte {
	var out []byte
	padded := append(append(make([]byte, 0, len(packed)+8), packed...), 0, 0, 0, 0, 0, 0, 0, 0)
	for bit, end := 0, 8*len(packed); bit < end && len(out) < maxExpanded; {
		code := uint32(binary.BigEndian.Uint64(padded[bit/8:]) << (bit % 8) >> 32)
		c := h.first[code>>24]
		if !c.terminal {
			for c.length < 32 && code < h.least[c.length] {
				c.length++
			}
			c.greatest = h.greatest[c.length]
		}
		if bit += c.length; bit > end {
			break
		}
		n := int((c.greatest - code) >> (32 - c.length))
		if n >= len(h.phrases) {
			continue
		}
		p := &h.phrases[n]
		if !p.done {
			codes := p.data
			p.data, p.done = nil, true // while it is unpacked: a ring ends here
			if depth < maxDeep && h.held < maxHeld {
				p.data = h.expand(codes, depth+1)
				h.held += len(p.data)
			}
		}
		out = append(out, p.data...)
	}
	return out
}
