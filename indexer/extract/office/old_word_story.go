package office

import (
	"context"
	"encoding/binary"
	"sort"
	"unicode/utf16"

	"dowse/indexer/document"
	"dowse/indexer/extract/codepage"
)

// Characters of Word that are none ([MS-DOC] 2.4.1).
const (
	wordCell       = 0x07 // the end of a cell or a row
	wordLine       = 0x0b
	wordPageEnd    = 0x0c
	wordColumn     = 0x0e
	wordParagraph  = 0x0d
	wordFieldBegin = 0x13 // the code of a field follows
	wordFieldShown = 0x14 // what it shows follows
	wordFieldEnd   = 0x15
	wordHyphen     = 0x1e // one that is no place to break at
	maxWordFields  = 1000 // within each other
)

// wordStory reads a stretch of a document: its text, its footnotes, ...
type wordStory struct {
	r       *wordReader
	flow    flow
	text    document.Shifted // of the paragraph
	held    []uint16         // of it, before they are written
	narrow  []byte           // likewise
	fields  []bool           // those that are open: the code is being read
	inTable bool
	newRow  bool
	newCell bool
	empty   bool // a cell has just ended
}

// read reads the characters between two.
func (s *wordStory) read(ctx context.Context, from, to int) error {
	s.flow.size = s.r.size
	for _, p := range s.r.pieces {
		width := 2
		if p.narrow {
			width = 1
		}
		for at := max(from, p.from); at < min(to, p.to); at++ {
			if at%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			byteAt := p.at + (at-p.from)*width
			if byteAt+width > len(s.r.main) {
				break
			}
			c := uint16(s.r.main[byteAt])
			if !p.narrow {
				c = binary.LittleEndian.Uint16(s.r.main[byteAt:])
			}
			s.char(c, byteAt, p.narrow)
		}
	}
	s.end(wordParagraph, wordFormat{})
	if s.inTable {
		s.flow.end(true)
	}
	return nil
}

// char takes a character.
func (s *wordStory) char(c uint16, at int, narrow bool) {
	switch c {
	case wordFieldBegin:
		if len(s.fields) < maxWordFields {
			s.fields = append(s.fields, true)
		}
		return
	case wordFieldShown, wordFieldEnd:
		if n := len(s.fields); n > 0 && c == wordFieldShown {
			s.fields[n-1] = false
		} else if n > 0 {
			s.fields = s.fields[:n-1]
		}
		return
	case wordCell, wordParagraph, wordPageEnd, wordColumn:
		if c == wordParagraph && s.r.chars.formatAt(at).deleted { // it goes on in the next one
			return
		}
		s.end(c, s.r.paras.formatAt(at))
		return
	}
	for _, code := range s.fields {
		if code {
			return
		}
	}
	f := s.r.chars.formatAt(at)
	if f.deleted {
		return
	}
	switch {
	case c == wordLine:
		c = '\n'
	case c == wordHyphen:
		c = '-'
	case c < ' ' && c != '\t':
		return
	}
	if f.shift != s.text.At {
		s.flush(true)
		s.flush(false)
		s.text.Turn(f.shift, string(rune(c)))
	}
	if narrow && c >= ' ' {
		s.flush(false)
		s.narrow = append(s.narrow, byte(c))
		return
	}
	s.flush(true)
	s.held = append(s.held, c)
}

// flush writes the characters that are held: of one width, or of both.
func (s *wordStory) flush(narrow bool) {
	if narrow && len(s.narrow) > 0 {
		s.text.WriteString(codepage.Decode(s.r.page, s.narrow))
		s.narrow = s.narrow[:0]
	}
	if !narrow && len(s.held) > 0 {
		s.text.WriteString(string(utf16.Decode(s.held)))
		s.held = s.held[:0]
	}
}

// end ends a paragraph, a cell or a row.
func (s *wordStory) end(mark uint16, f wordFormat) {
	s.flush(true)
	s.flush(false)
	text := s.text.String()
	s.text.Reset()
	inTable := f.inTable || mark == wordCell
	switch {
	case inTable && !s.inTable:
		s.flow.begin(true)
		s.newRow = true
	case !inTable && s.inTable:
		s.flow.end(true)
	}
	s.inTable = inTable
	if mark == wordCell && (f.rowEnd || !f.known && text == "" && s.empty) {
		if f.header {
			s.flow.headerRow()
		}
		s.newRow, s.empty = true, false
		return
	}
	if inTable {
		if s.newRow {
			s.flow.beginRow()
		}
		if s.newRow || s.newCell {
			s.flow.beginCell(1, false)
		}
		s.newRow, s.newCell = false, mark == wordCell
	}
	s.empty = mark == wordCell
	s.flow.beginParagraph(f.kind, f.level)
	s.flow.write(text)
	s.flow.end(false)
}

// wordFormat is what matters of the format of a paragraph or of characters.
type wordFormat struct {
	known           bool
	kind            blockKind
	level           int
	inTable, rowEnd bool
	header          bool // the row names the columns
	deleted         bool
	shift           document.Shift
}

// wordRun has a format up to where the next one begins.
type wordRun struct {
	from, to int // bytes of the main stream
	format   wordFormat
}

// wordRuns ascend.
type wordRuns []wordRun

// formatAt returns the format of the byte at an offset.
func (w wordRuns) formatAt(at int) wordFormat {
	i := sort.Search(len(w), func(i int) bool { return w[i].to > at })
	if i < len(w) && w[i].from <= at {
		return w[i].format
	}
	return wordFormat{}
}
