package office

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// The records of binary workbooks (.xlsb) that are read, as [MS-XLSB] 2.3.2 numbers them.
const (
	brtRowHdr            = 0
	brtCellRk            = 2
	brtCellBool          = 4
	brtCellReal          = 5
	brtCellSt            = 6
	brtCellIsst          = 7
	brtFmlaString        = 8
	brtFmlaNum           = 9
	brtFmlaBool          = 10
	brtShortRk           = 13
	brtShortIsst         = 18
	brtSSTItem           = 19
	brtFmt               = 44
	brtXF                = 47
	brtCellRString       = 62
	brtWbProp            = 153
	brtBundleSh          = 156
	brtMergeCell         = 176
	brtBeginList         = 343
	brtBeginHeaderFooter = 479
	brtBeginCellXFs      = 617
	brtEndCellXFs        = 618
	brtBeginComment      = 635
	brtCommentText       = 637
)

var errRecord = errors.New("a record is longer than the part")

// biff tells fn the records of a binary part: what they are, and their bytes. The error is of a record that the
// part cuts off, or the context's.
func biff(ctx context.Context, data []byte, fn func(kind int, r payload)) error {
	for n := 0; len(data) > 0; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		kind, rest := sevenBits(data, 2)
		size, rest := sevenBits(rest, 4)
		if size > len(rest) {
			return errRecord
		}
		fn(kind, rest[:size])
		data = rest[size:]
	}
	return nil
}

// sevenBits reads a number of up to most bytes, of which all but the last have their highest bit set.
func sevenBits(data []byte, most int) (int, []byte) {
	n := 0
	for i := range min(most, len(data)) {
		n |= int(data[i]&0x7f) << (7 * i)
		if data[i]&0x80 == 0 {
			return n, data[i+1:]
		}
	}
	return n, data[min(most, len(data)):]
}

// payload is what a record of a binary part holds. What lies behind its end is zero.
type payload []byte

// from returns the record from an offset on.
func (r payload) from(offset int) payload { return r[min(offset, len(r)):] }

// number returns the first four bytes.
func (r payload) number() uint32 {
	var four [4]byte
	copy(four[:], r)
	return binary.LittleEndian.Uint32(four[:])
}

// real returns the first eight bytes.
func (r payload) real() float64 {
	var eight [8]byte
	copy(eight[:], r)
	return math.Float64frombits(binary.LittleEndian.Uint64(eight[:]))
}

// wide returns the text at the beginning, and what follows it.
func (r payload) wide() (string, payload) {
	n := int(r.number())
	if r = r.from(4); n == math.MaxUint32 { // a null string
		return "", r
	}
	n = min(n, len(r)/2)
	units := make([]uint16, n)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(r[2*i:])
	}
	return string(utf16.Decode(units)), r[2*n:]
}

// rich returns a text that begins with what else is said of it.
func (r payload) rich() string {
	s, _ := r.from(1).wide()
	return s
}

// binary reads the rows of a binary sheet.
func (s *sheetReader) binary(ctx context.Context, data []byte) error {
	err := biff(ctx, data, func(kind int, r payload) {
		first, last, column := int(r.number())+1, int(r.from(4).number())+1, int(r.from(8).number())
		if kind == brtMergeCell && last > first && len(s.merges) < maxMerges {
			s.merges = append(s.merges, merge{column: column, first: first, last: last})
		}
	})
	if err != nil {
		return err
	}
	s.sortMerges()
	open := false
	err = biff(ctx, data, func(kind int, r payload) {
		switch {
		case kind == brtRowHdr:
			if open {
				s.end("row")
			}
			open = true
			number := int(r.number()) + 1
			s.next, s.column = row{number: number, header: s.headers[number]}, -1
		case kind == brtBeginHeaderFooter:
			for rest := r.from(2); len(rest) > 0 && len(s.running) < maxFooters; {
				var text string
				text, rest = rest.wide()
				s.running = append(s.running, block{text: headerText(text)})
			}
		case kind >= brtShortRk && kind <= brtShortIsst: // the column is the next one
			s.column++
			s.binaryCell(kind-brtShortRk+brtCellRk, r.number(), r.from(4))
		case kind == brtCellRString, kind >= brtCellRk && kind <= brtFmlaBool:
			s.column = int(r.number())
			s.binaryCell(kind, r.from(4).number(), r.from(8))
		}
	})
	if open {
		s.end("row")
	}
	return err
}

// binaryCell takes a cell as one of XML is taken.
func (s *sheetReader) binaryCell(kind int, style uint32, value payload) {
	s.style, s.kind = int(style&0xffffff), "n"
	text := ""
	switch kind {
	case brtCellRk:
		text = strconv.FormatFloat(rk(value.number()), 'g', -1, 64)
	case brtCellReal, brtFmlaNum:
		text = strconv.FormatFloat(value.real(), 'g', -1, 64)
	case brtCellBool, brtFmlaBool:
		s.kind, text = "b", strconv.Itoa(int(value.number()&1))
	case brtCellSt, brtFmlaString:
		s.kind = "str"
		text, _ = value.wide()
	case brtCellRString:
		s.kind, text = "str", value.rich()
	case brtCellIsst:
		s.kind, text = "s", strconv.FormatUint(uint64(value.number()), 10)
	default: // an error
		return
	}
	s.value.Reset()
	s.value.WriteString(text)
	s.end("c")
}

// record takes a comment of a binary sheet.
func (c *commentReader) record(kind int, r payload) {
	switch n := len(c.said); {
	case kind == brtBeginComment && n < maxComments:
		c.said = append(c.said, comment{cellName(int(r.from(12).number()), int(r.from(4).number())), &strings.Builder{}})
	case kind == brtCommentText && n > 0:
		c.said[n-1].text.WriteString(r.rich())
	}
}

// cellName returns the reference of a cell, of which both numbers are from 0: B3.
func cellName(column, row int) string {
	name := ""
	for n := min(column, maxColumns) + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name + strconv.Itoa(row+1)
}
