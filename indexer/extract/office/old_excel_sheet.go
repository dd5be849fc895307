package office

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"dowse/indexer/document"
)

// oldSheetReader reads the cells of a sheet of Excel before 2007.
type oldSheetReader struct {
	sheetReader
	excel  *excelReader
	result int // column of a formula whose text follows; -1 of none
	texts  []string
}

// sheet writes a sheet: its cells by rows, then comments and text boxes.
func (r *excelReader) sheet(ctx context.Context, b *document.Builder, s oldSheet) error {
	out := oldSheetReader{excel: r, sheetReader: sheetReader{out: beginSheet(b, s.name)}, result: -1}
	out.mergedOld(r.data[s.at:])
	depth, boxes := 0, false
	for rest, n := r.data[s.at:], 0; r.left > 0 && !b.Full(); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next, after, ok := nextRecord(rest)
		if !ok {
			break
		}
		r.left -= len(rest) - len(after)
		rest = after
		switch next.kind {
		case biffBOF: // a chart within the sheet is one in turn
			depth++
			continue
		case biffEOF:
			depth--
		case biffText:
			boxes = true
			continue
		case biffContinue:
			if boxes && len(next.data) > 1 {
				out.texts = append(out.texts, r.box(next.data))
			}
		default:
			if depth == 1 {
				out.record(next)
			}
		}
		boxes = false
		if depth <= 0 {
			break
		}
	}
	out.endRow()
	out.out.flush()
	for _, text := range out.texts {
		b.Paragraph(text)
	}
	return nil
}

// box returns the text of a comment or a text box.
func (r *excelReader) box(data []byte) string {
	s := stringReader{parts: [][]byte{data[1:]}}
	return strings.ReplaceAll(s.chars(len(data), int(data[0])), "\r", "\n")
}

// mergedOld reads the merged cells, which stand behind the others.
func (s *oldSheetReader) mergedOld(rest []byte) {
	for depth := 0; s.excel.left > 0; {
		next, after, ok := nextRecord(rest)
		if !ok {
			break
		}
		s.excel.left -= (len(rest) - len(after)) / 8 // it is looked at and passed over
		rest = after
		switch next.kind {
		case biffBOF:
			depth++
		case biffEOF:
			depth--
		case biffMerged:
			for d := next.data; len(d) >= 10 && len(s.merges) < maxMerges; d = d[8:] {
				first, last := int(binary.LittleEndian.Uint16(d[2:])), int(binary.LittleEndian.Uint16(d[4:]))
				if last > first {
					s.merges = append(s.merges, merge{column: int(binary.LittleEndian.Uint16(d[6:])), first: first + 1, last: last + 1})
				}
			}
		}
		if depth <= 0 {
			break
		}
	}
	slices.SortStableFunc(s.merges, func(a, b merge) int { return cmp.Compare(a.first, b.first) })
}

// record takes one of the sheet.
func (s *oldSheetReader) record(r record) {
	d := r.data
	if r.kind == biffResult {
		if column := s.result; column >= 0 {
			s.add(column, s.excel.text(d, 2), false)
		}
		s.result = -1
		return
	}
	if len(d) < 6 {
		return
	}
	number, column, style := int(binary.LittleEndian.Uint16(d)), int(binary.LittleEndian.Uint16(d[2:])), int(binary.LittleEndian.Uint16(d[4:]))
	switch r.kind {
	case biffShared, biffLabel, biffRich, biffNumber, biffRK, biffManyRK, biffFormula, biffFormula3, biffFormula4, biffTruth:
	default:
		return
	}
	if number+1 != s.next.number {
		s.endRow()
		s.next = row{number: number + 1}
	}
	s.result = -1
	switch {
	case r.kind == biffLabel || r.kind == biffRich:
		s.add(column, s.excel.text(d[6:], 2), false)
	case r.kind == biffManyRK:
		for d = d[4:]; len(d) >= 8; d = d[6:] {
			s.add(column, s.excel.number(rk(binary.LittleEndian.Uint32(d[2:])), int(binary.LittleEndian.Uint16(d))), true)
			column++
		}
	case r.kind == biffTruth && len(d) >= 8:
		if d[7] == 0 {
			s.add(column, map[bool]string{false: "FALSE", true: "TRUE"}[d[6] != 0], false)
		}
	case len(d) < 10:
	case r.kind == biffShared:
		if i := int(binary.LittleEndian.Uint32(d[6:])); i >= 0 && i < len(s.excel.book.strings) {
			s.add(column, s.excel.book.strings[i], false)
		}
	case r.kind == biffRK:
		s.add(column, s.excel.number(rk(binary.LittleEndian.Uint32(d[6:])), style), true)
	case len(d) < 14:
	case r.kind == biffNumber:
		s.add(column, s.excel.number(math.Float64frombits(binary.LittleEndian.Uint64(d[6:])), style), true)
	default:
		s.formula(column, style, d[6:14])
	}
}

// formula takes what a formula gave last.
func (s *oldSheetReader) formula(column, style int, value []byte) {
	switch {
	case binary.LittleEndian.Uint16(value[6:]) != 0xffff:
		s.add(column, s.excel.number(math.Float64frombits(binary.LittleEndian.Uint64(value)), style), true)
	case value[0] == 0: // a text, in a record of its own
		s.result = column
	case value[0] == 1:
		s.add(column, map[bool]string{false: "FALSE", true: "TRUE"}[value[2] != 0], false)
	}
}

// add puts a cell into the row.
func (s *oldSheetReader) add(column int, text string, number bool) {
	n := len(s.next.cells)
	if strings.TrimSpace(text) != "" && column < maxColumns && (n == 0 || s.next.cells[n-1].column < column) {
		s.next.cells = append(s.next.cells, cell{column, text, number})
	}
}

// endRow writes the row.
func (s *oldSheetReader) endRow() {
	if len(s.next.cells) > 0 {
		s.spread()
		s.out.add(s.next)
	}
	s.next = row{}
}
