package office

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
)

// sheetReader reads the rows of a sheet of Excel.
type sheetReader struct {
	book    *workbook
	out     *rows
	headers map[int]bool // rows that name the columns of a table
	next    row
	column  int
	kind    string // of the cell: "s", "str", "inlineStr", "b", "e", "d", "n" or ""
	style   int
	value   strings.Builder
	inValue bool
	merges  []merge // in the order of their first rows
	active  []merge // that reach the row
	running []block // headers and footers
}

// merge is a cell that takes several rows. What stands in it belongs to each of them.
type merge struct {
	column, first, last int // column from 0, rows from 1
	text                string
}

// Limits of merged cells, above which they are as the file has them.
const (
	maxMerges = 20_000
	maxActive = 64 // that one row is in
)

// read reads a sheet of XML.
func (s *sheetReader) read(ctx context.Context, data []byte) error {
	if at := bytes.LastIndex(data, []byte("sheetData>")); at >= 0 { // they stand behind the rows
		s.merged(ctx, data[at+len("sheetData>"):])
	}
	return readXML(ctx, s.out.b, data, s)
}

// merged reads the merged cells from what stands behind the rows of a sheet. Where it cannot
// be read there are none; reading the sheet tells.
func (s *sheetReader) merged(ctx context.Context, tail []byte) {
	_ = readXML(ctx, s.out.b, bytes.Clone(tail), elements(func(e element) {
		if e.name != "mergeCell" || len(s.merges) >= maxMerges {
			return
		}
		from, to, _ := strings.Cut(e.attribute("ref"), ":")
		column, first := cellAt(from)
		if _, last := cellAt(to); column > 0 && last > first {
			s.merges = append(s.merges, merge{column: column - 1, first: first, last: last})
		}
	}))
	s.sortMerges()
}

func (s *sheetReader) sortMerges() {
	slices.SortStableFunc(s.merges, func(a, b merge) int { return cmp.Compare(a.first, b.first) })
}

// spread gives the row what merged cells that began above say.
func (s *sheetReader) spread() {
	n := s.next.number
	s.active = slices.DeleteFunc(s.active, func(m merge) bool { return m.last < n })
	for _, m := range s.active {
		at, found := slices.BinarySearchFunc(s.next.cells, m.column, func(c cell, column int) int { return cmp.Compare(c.column, column) })
		if !found && len(s.next.cells) > 0 { // a row that is empty otherwise says nothing
			s.next.cells = slices.Insert(s.next.cells, at, cell{column: m.column, text: m.text})
		}
	}
	for len(s.merges) > 0 && s.merges[0].first <= n {
		m := s.merges[0]
		s.merges = s.merges[1:]
		for _, c := range s.next.cells {
			if c.column == m.column && m.first == n && len(c.text) <= maxName && len(s.active) < maxActive {
				m.text = c.text
				s.active = append(s.active, m)
			}
		}
	}
}

func (s *sheetReader) start(e element) (skip bool) {
	switch e.name {
	case "row":
		s.next = row{number: e.number("r", s.next.number+1)}
		s.next.header = s.headers[s.next.number]
		s.column = -1
	case "c":
		s.column++
		if column, _ := cellAt(e.attribute("r")); column > 0 {
			s.column = column - 1
		}
		s.kind, s.style = e.attribute("t"), e.number("s", 0)
		s.value.Reset()
	case "v", "t":
		s.inValue = true
	case "f", "rPh", "extLst", "conditionalFormatting", "dataValidations", "sheetViews":
		return true
	case "oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter":
		s.inValue = true
		s.value.Reset()
	}
	return false
}

func (s *sheetReader) text(t string) {
	if s.inValue {
		s.value.WriteString(t)
	}
}

func (s *sheetReader) end(name string) {
	switch name {
	case "v", "t":
		s.inValue = false
	case "oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter":
		s.inValue = false
		if len(s.running) < maxFooters {
			s.running = append(s.running, block{text: headerText(s.value.String())})
		}
	case "c":
		text, number := s.cell()
		n := len(s.next.cells)
		if strings.TrimSpace(text) != "" && s.column < maxColumns && (n == 0 || s.next.cells[n-1].column < s.column) {
			s.next.cells = append(s.next.cells, cell{s.column, text, number})
		}
	case "row":
		if !s.out.b.Full() {
			s.spread()
			s.out.add(s.next)
		}
	}
}

// cell returns the text of the cell as a person reads it, "" for errors.
func (s *sheetReader) cell() (text string, number bool) {
	value := strings.TrimSpace(s.value.String())
	switch s.kind {
	case "s":
		if i, err := strconv.Atoi(value); err == nil && i >= 0 && i < len(s.book.strings) {
			return s.book.strings[i], false
		}
		return "", false
	case "str", "inlineStr":
		return unescapeString(s.value.String()), false
	case "b":
		return map[string]string{"1": "TRUE", "0": "FALSE"}[value], false
	case "e":
		return "", false
	case "d":
		return strings.TrimSuffix(value, "T00:00:00"), true
	}
	f, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return value, false
	}
	var format numberFormat
	if s.style >= 0 && s.style < len(s.book.formats) {
		format = s.book.formats[s.style]
	}
	return format.show(f, s.book.date1904), true
}

// cellAt returns the column and row, from 1, of a reference ("B3", "B3:D9"); 0 for what is
// none.
func cellAt(ref string) (column, row int) {
	ref, _, _ = strings.Cut(ref, ":")
	ref = strings.ReplaceAll(ref, "$", "")
	for i := 0; i < len(ref); i++ {
		switch c := ref[i]; {
		case c >= 'A' && c <= 'Z' && i < 3:
			column = column*26 + int(c-'A') + 1
		case c >= '1' && c <= '9' && i > 0:
			row, err := strconv.Atoi(ref[i:])
			if err != nil {
				return 0, 0
			}
			return column, row
		default:
			return 0, 0
		}
	}
	return 0, 0
}

// unescapeString decodes what Excel writes for characters that XML cannot hold: _x000D_.
func unescapeString(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var out strings.Builder
	for {
		at := strings.Index(s, "_x")
		if at < 0 {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:at])
		if s = s[at:]; len(s) >= 7 && s[6] == '_' {
			if n, err := strconv.ParseUint(s[2:6], 16, 16); err == nil {
				out.WriteRune(rune(n))
				s = s[7:]
				continue
			}
		}
		out.WriteString("_x")
		s = s[2:]
	}
}
