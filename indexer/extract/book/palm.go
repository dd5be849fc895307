package book

import (
	"encoding/binary"
	"errors"

	"dowse/indexer/document"

	"github.com/dustin/go-humanize"
)

var errDamaged = errors.New("its records are damaged")

// palm is a database of Palm OS, in which Mobipocket and Kindle keep their books.
type palm struct {
	data    []byte
	offsets []int
}

// openPalm reads the list of records. Offsets that do not ascend are those of a damaged file.
func openPalm(data []byte) (*palm, error) {
	const listAt, entry = 78, 8
	if len(data) < listAt {
		return nil, errDamaged
	}
	count := int(binary.BigEndian.Uint16(data[76:]))
	if count == 0 || len(data) < listAt+entry*count {
		return nil, errDamaged
	}
	p := palm{data: data, offsets: make([]int, count+1)}
	for i := range count {
		p.offsets[i] = int(binary.BigEndian.Uint32(data[listAt+entry*i:]))
	}
	p.offsets[count] = len(data)
	for i := range count {
		if p.offsets[i] > p.offsets[i+1] {
			return nil, errDamaged
		}
	}
	return &p, nil
}

// record returns one, nil where there is none.
func (p *palm) record(i int) []byte {
	if i < 0 || i >= len(p.offsets)-1 {
		return nil
	}
	return p.data[p.offsets[i]:p.offsets[i+1]]
}

// u16 and u32 return the number at an offset, 0 behind the end.
func u16(data []byte, at int) int {
	if at < 0 || at+2 > len(data) {
		return 0
	}
	return int(binary.BigEndian.Uint16(data[at:]))
}

func u32(data []byte, at int) int {
	if at < 0 || at+4 > len(data) {
		return 0
	}
	return int(binary.BigEndian.Uint32(data[at:]))
}

// expander returns what a record of text unpacks to.
type expander func(record []byte) []byte

// Ways in which text is packed.
const (
	packedNot  = 1
	packedLZ   = 2
	packedHuff = 17480
)

// maxExpanded is the size above which a record does not unpack: they hold 4 KiB of text each.
const maxExpanded = 64 << 10

func stored(record []byte) []byte { return record }

// unpackLZ unpacks a record of PalmDOC: single bytes, runs that are copied as they are, a space and a letter in one
// byte, and pairs of bytes that say how far back what comes next stands, and how long it is.
func unpackLZ(record []byte) []byte {
	out := make([]byte, 0, 4<<10)
	for i := 0; i < len(record) && len(out) < maxExpanded; {
		c := record[i]
		i++
		switch {
		case c >= 1 && c <= 8:
			n := min(int(c), len(record)-i)
			out = append(out, record[i:i+n]...)
			i += n
		case c < 0x80:
			out = append(out, c)
		case c >= 0xc0:
			out = append(out, ' ', c^0x80)
		case i < len(record):
			pair := int(c)<<8 | int(record[i])
			i++
			back := pair >> 3 & 0x7ff
			for range pair&7 + 3 {
				if back == 0 || back > len(out) {
					break
				}
				out = append(out, out[len(out)-back])
			}
		}
	}
	return out
}

// text returns the text of a book: records from 1 on, each without what stands behind its text. The error wraps
// document.ErrBounds.
func (p *palm) text(in *document.Input, first, count, trailing int, unpack expander) ([]byte, error) {
	var out []byte
	for i := first + 1; i <= first+count && i < len(p.offsets)-1; i++ {
		out = append(out, unpack(withoutTrailing(p.record(i), trailing))...)
		if len(out) > maxText {
			return nil, document.Bounds(humanize.IBytes(maxText) + " of a book")
		}
	}
	return out, nil
}

// withoutTrailing cuts off what follows the text of a record: for each flag above the first an entry whose size its own last
// bytes say; for the first, the rest of a character that began in the record.
func withoutTrailing(record []byte, flags int) []byte {
	for f := flags >> 1; f > 0; f >>= 1 {
		if f&1 == 0 {
			continue
		}
		size := 0
		for i := range min(4, len(record)) { // seven bits each, from the end
			c := record[len(record)-1-i]
			size |= int(c&0x7f) << (7 * i)
			if c&0x80 != 0 {
				break
			}
		}
		record = record[:max(len(record)-size, 0)]
	}
	if flags&1 != 0 && len(record) > 0 {
		record = record[:max(len(record)-int(record[len(record)-1]&3)-1, 0)]
	}
	return record
}
