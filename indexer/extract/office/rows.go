package office

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/indexer/document"
)

const (
	maxColumns = 16384 // of a sheet, as in Excel
	headRows   = 24    // by which it is decided whether the first row names the columns
	maxNotes   = 10    // rows that may stand above the names
	maxName    = 80    // bytes of a column's name; what is longer is a text
	allPlaces  = 5000  // rows of a sheet that have a place each; of those after, every 20th
)

// cell is a cell that is not empty.
type cell struct {
	column int // from 0
	text   string
	number bool // it is a number or date, whatever it looks like
}

// row is a row that has cells. They ascend by column.
type row struct {
	number int // from 1
	header bool
	cells  []cell
}

// rows writes a table row by row, each with the names of its columns. A row that names
// them is known by what stands below it.
type rows struct {
	b     *document.Builder
	place func(row int) []document.Part // nil where rows have none, as some may
	names map[int]string
	held  []row // until it is decided about the first
	known bool  // names hold until there is a gap
	last  int   // the number of the last row
}

// add takes the next row.
func (r *rows) add(next row) {
	if len(next.cells) == 0 {
		return
	}
	if next.number > r.last+1 && r.last > 0 { // perhaps another table begins
		r.flush()
		r.known = false
	}
	r.last = next.number
	if r.known && !next.header {
		r.write(next)
		return
	}
	if r.held = append(r.held, next); len(r.held) >= headRows {
		r.flush()
	}
}

// flush writes what is held.
func (r *rows) flush() {
	held := r.held
	r.held = nil
	if !r.known {
		// Titles stand above the names, in a cell of their own.
		for len(held) > 1 && len(held[0].cells) == 1 && !held[0].header && wider(held[1:]) {
			r.title(held[0])
			held = held[1:]
		}
	}
	if at := headerAt(held, r.names == nil); at >= 0 {
		for _, above := range held[:at] {
			r.writeCells(above, nil)
		}
		r.names = make(map[int]string, len(held[at].cells))
		for _, c := range held[at].cells {
			if len(c.text) <= maxName {
				r.names[c.column] = strings.TrimSuffix(strings.TrimSpace(c.text), ":")
			}
		}
		r.writeCells(held[at], nil)
		held = held[at+1:]
	}
	r.known = r.known || len(held) > 0
	for _, h := range held {
		r.write(h)
	}
}

// wider reports whether a row has more than one cell.
func wider(held []row) bool {
	for _, h := range held {
		if len(h.cells) > 1 {
			return true
		}
	}
	return false
}

// title writes a row that is a line of text.
func (r *rows) title(t row) {
	r.setPlace(t.number)
	r.b.Paragraph(t.cells[0].text)
}

// setPlace notes the place of a row.
func (r *rows) setPlace(number int) {
	if r.place == nil {
		return
	}
	if parts := r.place(number); len(parts) > 0 {
		r.b.Place(parts...)
	}
}

// write writes a row under the names of its columns.
func (r *rows) write(next row) {
	names := r.names
	if c := next.cells; len(names) == 0 && len(c) == 2 && strings.HasSuffix(c[0].text, ":") {
		names = map[int]string{c[1].column: strings.TrimSuffix(c[0].text, ":")} // a form
		next.cells = c[1:]
	}
	r.writeCells(next, names)
}

func (r *rows) writeCells(next row, names map[int]string) {
	if next.number <= allPlaces || next.number%20 == 1 {
		r.setPlace(next.number)
	}
	named := make([]string, len(next.cells))
	texts := make([]string, len(next.cells))
	for i, c := range next.cells {
		named[i], texts[i] = names[c.column], c.text
	}
	r.b.Row(named, texts)
}

// headerAt returns which of some rows names the columns, -1 for none: the one that the file
// says, or one with numbers below; else the first, where a guess is allowed. Notes may stand
// above it.
func headerAt(held []row, guess bool) int {
	for i := range min(len(held), maxNotes) {
		if _, sure := isHeader(held[i:]); held[i].header || sure {
			return i
		}
	}
	if len(held) > 0 && guess {
		if header, _ := isHeader(held); header {
			return 0
		}
	}
	return -1
}

// isHeader reports whether the first of some rows names the columns: all of it are short
// texts that differ and do not recur below. It is sure where the next row has numbers.
func isHeader(held []row) (header, sure bool) {
	first, below := held[0], held[1:]
	if len(first.cells) < 2 || len(below) == 0 {
		return false, false
	}
	names := map[string]bool{}
	texts := 0
	for _, c := range first.cells {
		text := strings.TrimSpace(c.text)
		if len(text) > maxName || strings.HasSuffix(text, ":") || strings.HasSuffix(text, ".") && len(text) > 20 || names[text] {
			return false, false
		}
		names[text] = true
		switch {
		case isYear(text):
		case c.number || looksNumeric(text):
			return false, false
		default:
			texts++
		}
	}
	width, recurs := 0, false
	for i, h := range below {
		width = max(width, len(h.cells))
		for _, c := range h.cells {
			if c.number || looksNumeric(c.text) {
				sure = sure || i == 0
			} else {
				recurs = recurs || names[strings.TrimSpace(c.text)]
			}
		}
	}
	header = texts > 0 && len(first.cells)*10 >= width*6
	return header && !recurs, header && sure
}

// isYear reports whether a name is a year, as columns of figures are called.
func isYear(s string) bool {
	return len(s) == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20")) && strings.Trim(s, "0123456789") == ""
}

// looksNumeric reports whether a text is a number, an amount or a date.
func looksNumeric(s string) bool {
	s = strings.TrimLeft(s, "+-−–(~<>≈ \u00a0")
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsDigit(first) && !unicode.Is(unicode.Sc, first) {
		return false
	}
	letters, digits := 0, 0
	for _, c := range s {
		switch {
		case unicode.IsDigit(c):
			digits++
		case unicode.IsLetter(c):
			letters++
		}
	}
	return digits > 0 && letters <= 3
}
