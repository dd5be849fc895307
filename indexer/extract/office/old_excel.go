package office

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/cfb"
	"dowse/indexer/extract/codepage"
)

// Records of Excel ([MS-XLS] 2.3) that matter.
const (
	biffBOF       = 0x809
	biffEOF       = 0x0a
	biffContinue  = 0x3c
	biffSheet     = 0x85
	biffStrings   = 0xfc
	biffFormat    = 0x41e
	biffFormat5   = 0x1e
	biffXF        = 0xe0
	biffDates     = 0x22
	biffCodePage  = 0x42
	biffPassword  = 0x2f
	biffShared    = 0xfd // a cell with a string of the table
	biffLabel     = 0x204
	biffRich      = 0xd6
	biffNumber    = 0x203
	biffRK        = 0x27e
	biffManyRK    = 0xbd
	biffFormula   = 0x06
	biffFormula3  = 0x206
	biffFormula4  = 0x406
	biffResult    = 0x207 // the text of the formula before
	biffTruth     = 0x205
	biffMerged    = 0xe5
	biffText      = 0x1b6 // of a comment or a text box
	biffVersion8  = 0x600
	biffWorksheet = 0
	biffMacros    = 1
)

// excelReader reads a workbook of Excel 5 to 2003.
type excelReader struct {
	data   []byte
	wide   bool // it is of Excel 97 or later
	page   int  // code page of earlier ones
	book   workbook
	codes  map[int]string // of number formats
	sheets []oldSheet
	left   int // bytes of sheets that are read still
}

// oldSheet is a sheet and where it begins.
type oldSheet struct {
	name string
	at   int
}

// record is one of a workbook.
type record struct {
	kind int
	data []byte
}

// next cuts the first record off.
func nextRecord(data []byte) (r record, rest []byte, ok bool) {
	if len(data) < 4 {
		return record{}, nil, false
	}
	size := min(4+int(binary.LittleEndian.Uint16(data[2:])), len(data))
	return record{int(binary.LittleEndian.Uint16(data)), data[4:size]}, data[size:], true
}

// readExcel reads a workbook, sheet by sheet; hidden ones too.
func readExcel(ctx context.Context, in *document.Input, root *cfb.Storage, data []byte) (*document.Document, error) {
	r := &excelReader{data: data, page: 1252, codes: map[int]string{}, left: 2 * len(data)}
	if err := r.globals(); err != nil {
		return nil, err
	}
	b := in.Builder()
	seen := map[int]bool{}
	for _, s := range r.sheets {
		if s.at < 0 || s.at >= len(data) || seen[s.at] {
			continue
		}
		seen[s.at] = true
		if err := r.sheet(ctx, b, s); err != nil {
			return nil, err
		}
	}
	return b.Document("xls", summary(root).Said()), nil
}

// globals reads what the sheets share. The error is document.ErrEncrypted, or says that it is no workbook.
func (r *excelReader) globals() error {
	first, rest, ok := nextRecord(r.data)
	if !ok || first.kind != biffBOF || len(first.data) < 4 {
		return errors.New("it does not begin as a workbook")
	}
	r.wide = binary.LittleEndian.Uint16(first.data) >= biffVersion8
	for {
		var next record
		if next, rest, ok = nextRecord(rest); !ok || next.kind == biffEOF {
			return nil
		}
		d := next.data
		switch {
		case next.kind == biffPassword:
			return document.ErrEncrypted
		case next.kind == biffStrings && len(d) >= 8:
			var parts [][]byte
			for parts = append(parts, d[8:]); ; {
				more, after, ok := nextRecord(rest)
				if !ok || more.kind != biffContinue {
					break
				}
				parts, rest = append(parts, more.data), after
			}
			r.book.strings = sharedOld(parts)
		case next.kind == biffSheet && len(d) >= 7:
			if kind := d[5]; kind == biffWorksheet || kind == biffMacros {
				r.sheets = append(r.sheets, oldSheet{r.text(d[6:], 1), int(binary.LittleEndian.Uint32(d))})
			}
		case (next.kind == biffFormat || next.kind == biffFormat5) && len(d) >= 4:
			size := 1
			if r.wide {
				size = 2
			}
			r.codes[int(binary.LittleEndian.Uint16(d))] = r.text(d[2:], size)
		case next.kind == biffXF && len(d) >= 4 && len(r.book.formats) < maxStyles:
			id := int(binary.LittleEndian.Uint16(d[2:]))
			code, ok := r.codes[id]
			if !ok {
				code = builtinFormats[id]
			}
			r.book.formats = append(r.book.formats, parseNumberFormat(code))
		case next.kind == biffDates && len(d) >= 2:
			r.book.date1904 = d[0] != 0
		case next.kind == biffCodePage && len(d) >= 2:
			r.codePage(int(binary.LittleEndian.Uint16(d)))
		}
	}
}

// codePage takes that of a workbook before Excel 97.
func (r *excelReader) codePage(n int) {
	switch n {
	case 0x8000:
		n = 10000
	case 0x8001:
		n = 1252
	}
	if codepage.Encoding(n) != nil {
		r.page = n
	}
}

// text reads a text behind its length, of one byte or two.
func (r *excelReader) text(data []byte, size int) string {
	if len(data) < size {
		return ""
	}
	n := int(data[0])
	if size == 2 {
		n = int(binary.LittleEndian.Uint16(data))
	}
	data = data[size:]
	if !r.wide {
		return codepage.Decode(r.page, data[:min(n, len(data))])
	}
	if len(data) == 0 {
		return ""
	}
	s := stringReader{parts: [][]byte{data}}
	flags := s.byte()
	s.skipHead(flags)
	return s.chars(n, flags)
}

// cell returns the text of a number as its style shows it.
func (r *excelReader) number(v float64, style int) string {
	var format numberFormat
	if style < len(r.book.formats) {
		format = r.book.formats[style]
	}
	return format.show(v, r.book.date1904)
}

// rk returns a number of the short form: an integer or the upper half of a float, of which one is a hundredth.
func rk(n uint32) float64 {
	v := math.Float64frombits(uint64(n&^3) << 32)
	if n&2 != 0 {
		v = float64(int32(n) >> 2)
	}
	if n&1 != 0 {
		v /= 100
	}
	return v
}

// stringReader reads strings that go on from record to record.
type stringReader struct {
	parts [][]byte // the first of them is read
}

// more goes on to the next record where one is at its end, and reports whether there is anything to read.
func (s *stringReader) more() bool {
	for len(s.parts) > 0 && len(s.parts[0]) == 0 {
		s.parts = s.parts[1:]
	}
	return len(s.parts) > 0
}

func (s *stringReader) byte() int {
	if !s.more() {
		return 0
	}
	c := s.parts[0][0]
	s.parts[0] = s.parts[0][1:]
	return int(c)
}

func (s *stringReader) short() int { return s.byte() | s.byte()<<8 }

// skip passes over some bytes.
func (s *stringReader) skip(n int) {
	for n > 0 && s.more() {
		step := min(n, len(s.parts[0]))
		s.parts[0] = s.parts[0][step:]
		n -= step
	}
}

// Flags of a string.
const (
	stringWide = 0x01 // two bytes a letter
	stringExt  = 0x04 // how it is pronounced follows
	stringRich = 0x08 // formats follow
)

// skipHead passes over the counts of what follows the letters, and returns how much that is.
func (s *stringReader) skipHead(flags int) (behind int) {
	if flags&stringRich != 0 {
		behind += 4 * s.short()
	}
	if flags&stringExt != 0 {
		behind += s.short() | s.short()<<16
	}
	return behind
}

// chars reads some letters. Where they go on in another record, that says anew how wide they are.
func (s *stringReader) chars(n, flags int) string {
	var units []byte // of UTF-16
	for n > 0 && len(s.parts) > 0 {
		if len(s.parts[0]) == 0 {
			if s.more() {
				flags = s.byte()
			}
			continue
		}
		width := 1 + flags&stringWide
		part := s.parts[0]
		step := min(n, len(part)/width)
		for i := range step {
			if width == 2 {
				units = append(units, part[2*i], part[2*i+1])
			} else {
				units = append(units, part[i], 0)
			}
		}
		n -= step
		if s.parts[0] = part[step*width:]; n > 0 { // what is left is half a letter
			s.parts[0] = nil
		}
	}
	return strings.ReplaceAll(unicodeText(units), "\x00", "")
}

// sharedOld reads the table of strings. How many there are is said wrongly by some programs.
func sharedOld(parts [][]byte) []string {
	s := stringReader{parts: parts}
	var all []string
	for s.more() {
		n := s.short()
		flags := s.byte()
		behind := s.skipHead(flags)
		all = append(all, s.chars(n, flags))
		s.skip(behind)
	}
	return all
}
