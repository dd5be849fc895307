package office

import (
	"strings"
	"time"

	"dowse/indexer/document"
)

// sheetPlace returns what names the rows of a sheet.
func sheetPlace(name string) func(row int) []document.Part {
	return func(row int) []document.Part {
		return []document.Part{{Unit: document.Sheet, Name: name}, {Unit: document.Row, Number: row}}
	}
}

// beginSheet writes the head of a sheet and returns what writes its rows.
func beginSheet(b *document.Builder, name string) *rows {
	b.Place(document.Part{Unit: document.Sheet, Name: name})
	b.Heading(1, name)
	return &rows{b: b, place: sheetPlace(name)}
}

// odsSheet reads a sheet of OpenDocument, row by row.
type odsSheet struct {
	b      *document.Builder
	rows   *rows
	next   row
	number int // of the row that comes next, from 1
	repeat int // of the row
	column int
	span   int // how often the cell is repeated
	kind   string
	value  string // of the cell, as the file keeps it
	shown  strings.Builder
	texts  int // open paragraphs
	note   int // open comments
	notes  []*strings.Builder
	tables int // tables within this one
}

func newODSSheet(b *document.Builder, name string) *odsSheet {
	return &odsSheet{b: b, rows: beginSheet(b, name), number: 1}
}

func (s *odsSheet) start(e element) (skip bool) {
	switch e.name {
	case "table":
		s.tables++
	case "table-row":
		s.next, s.column = row{}, 0
		s.repeat = max(e.number("number-rows-repeated", 1), 1)
	case "table-cell", "covered-table-cell":
		s.span = max(e.number("number-columns-repeated", 1), 1)
		s.kind = e.attribute("value-type")
		s.value = e.attribute("value")
		switch s.kind {
		case "date":
			s.value = e.attribute("date-value")
		case "boolean":
			s.value = strings.ToUpper(e.attribute("boolean-value"))
		case "time":
			s.value = odfClock(e.attribute("time-value"))
		}
		s.shown.Reset()
	case "p":
		if s.texts++; s.shown.Len() > 0 {
			s.shown.WriteByte(' ')
		}
	case "annotation":
		s.note++
		s.notes = append(s.notes, &strings.Builder{})
	case "creator", "date", "date-string", "forms", "table-source", "scenario", "tracked-changes", "creator-initials":
		return true
	case "tab", "line-break", "s":
		s.text(" ")
	}
	return false
}

// odfClock returns a time that a file writes as PT18H30M00S as it is shown, "" where it is none.
func odfClock(value string) string {
	d, err := time.ParseDuration(strings.ToLower(strings.TrimPrefix(value, "PT")))
	if err != nil || d < 0 {
		return ""
	}
	seconds := int64(d.Seconds())
	return clock(seconds, seconds%60 > 0)
}

func (s *odsSheet) text(t string) {
	switch {
	case s.texts == 0:
	case s.note > 0:
		s.notes[len(s.notes)-1].WriteString(t)
	default:
		s.shown.WriteString(t)
	}
}

// end sees the end of an element and reports whether it is that of the sheet.
func (s *odsSheet) end(name string) bool {
	switch name {
	case "p":
		s.texts = max(s.texts-1, 0)
	case "annotation":
		s.note = max(s.note-1, 0)
	case "table-cell", "covered-table-cell":
		s.cell()
	case "table-row":
		s.row()
	case "table":
		if s.tables--; s.tables < 0 {
			s.rows.flush()
			s.comments()
			return true
		}
	}
	return false
}

// cell takes the cell that has ended.
func (s *odsSheet) cell() {
	text := strings.TrimSpace(s.shown.String())
	if s.kind == "date" && s.value != "" {
		day, clock, _ := strings.Cut(s.value, "T")
		if text = day; strings.Trim(clock, "0:.,") != "" {
			text += " " + clock
		}
	} else if text == "" {
		text = s.value
	}
	for n := 0; text != "" && n < s.span && s.column+n < maxColumns && s.b.Step(1); n++ {
		number := s.kind != "" && s.kind != "string" && s.kind != "boolean"
		s.next.cells = append(s.next.cells, cell{column: s.column + n, text: text, number: number})
	}
	s.column = min(s.column+s.span, maxColumns)
	s.shown.Reset()
	s.value, s.span = "", 0
}

// row writes the row that has ended, as often as it stands there.
func (s *odsSheet) row() {
	for n := 0; n < s.repeat && len(s.next.cells) > 0 && s.b.Step(len(s.next.cells)); n++ {
		s.next.number = s.number + n
		s.rows.add(s.next)
	}
	s.number += min(s.repeat, 1<<21)
	s.comments()
	s.next = row{}
}

// comments writes what was said of the cells.
func (s *odsSheet) comments() {
	for _, n := range s.notes {
		if strings.TrimSpace(n.String()) != "" {
			s.rows.flush()
			s.b.Row([]string{"Comment"}, []string{n.String()})
		}
	}
	s.notes = nil
}
