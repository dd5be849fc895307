package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// table is a run of rows whose pieces stand below each other.
type table struct {
	names []string // of the columns; nil where no row says them
	cells [][]string
}

// span is where a column stands.
type span struct{ x0, x1 float64 }

// What makes a table of rows.
const (
	minRows     = 3   // with several pieces
	minShare    = 0.6 // of the rows that have several
	maxColumns  = 40
	maxStep     = 3.5 // between rows, in sizes of characters
	proseLetter = 30  // in the mean of the pieces of each column: columns of prose
	proseRows   = 4
)

// tableAt returns how many rows from the first one on may be a table, and where its
// columns stand; 0 for none.
func tableAt(rows []row) (n int, columns []span) {
	several := 0
	for n < len(rows) {
		r := &rows[n]
		if n > 0 && (r.turn != rows[n-1].turn || r.y > rows[n-1].y+0.3*r.size || rows[n-1].y-r.y > maxStep*max(r.size, rows[n-1].size)) {
			break
		}
		if len(r.segments) > 1 {
			several++
			columns = join(columns, r.segments)
		} else if n == 0 || r.flow || !within(columns, r.segments[0]) {
			break
		}
		if len(columns) < 2 || len(columns) > maxColumns {
			break
		}
		n++
	}
	for n > 0 && len(rows[n-1].segments) == 1 {
		n--
	}
	columns = nil
	for i := range rows[:n] {
		columns = join(columns, rows[i].segments)
	}
	if several < minRows || float64(several) < minShare*float64(n) || len(columns) < 2 {
		return 0, nil
	}
	return n, columns
}

// join widens columns by the segments that stand in them, and adds those that do not.
func join(columns []span, segments []segment) []span {
	all := slices.Clone(columns)
	for _, s := range segments {
		all = append(all, span{s.x0, s.x1})
	}
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Compare(a.x0, b.x0) })
	joined := all[:1]
	for _, v := range all[1:] {
		if last := &joined[len(joined)-1]; v.x0 < last.x1 {
			last.x1 = max(last.x1, v.x1)
		} else {
			joined = append(joined, v)
		}
	}
	return joined
}

// within reports whether a segment stands in one of the columns and in no other.
func within(columns []span, s segment) bool {
	touched := 0
	for _, c := range columns {
		if s.x0 < c.x1 && s.x1 > c.x0 {
			touched++
		}
	}
	return touched == 1
}

// columnOf returns the column in which a segment stands.
func columnOf(columns []span, s segment) int {
	i, _ := slices.BinarySearchFunc(columns, s.x0, func(c span, x float64) int { return cmp.Compare(c.x1, x) })
	return min(i, len(columns)-1)
}

// asProse returns the rows of a would-be table column by column, where they are columns
// of prose whose lines the file has side by side; nil where they are a table.
func asProse(rows []row, columns []span) []row {
	letters, lines := make([]int, len(columns)), make([]int, len(columns))
	for i := range rows {
		last := -1
		for _, s := range rows[i].segments {
			c := columnOf(columns, s)
			letters[c] += len([]rune(s.text))
			if c != last { // not another piece of a line with wide spaces
				lines[c]++
			}
			last = c
		}
	}
	for c := range columns {
		if lines[c] < proseRows || letters[c] < proseLetter*lines[c] {
			return nil
		}
	}
	var out []row
	for c := range columns {
		for i := range rows {
			var line row
			for _, s := range rows[i].segments {
				switch {
				case columnOf(columns, s) != c:
				case line.segments == nil:
					line = row{segments: []segment{s}, x0: s.x0, x1: s.x1, y: s.y, size: s.size, turn: s.turn, flow: true}
				default:
					line.segments, line.x1 = append(line.segments, s), s.x1
				}
			}
			if line.segments != nil {
				out = append(out, line.inOne())
			}
		}
	}
	return out
}

// newTable fills the cells of a table.
func newTable(rows []row, columns []span) table {
	var t table
	for i := range rows {
		cells := make([]string, len(columns))
		for _, s := range rows[i].segments {
			c := columnOf(columns, s)
			cells[c] = strings.TrimSpace(cells[c] + " " + s.text)
		}
		if n := len(t.cells); n > 1 && goesOn(t.cells[n-1], cells) {
			for c, text := range cells {
				t.cells[n-1][c] = strings.TrimSpace(t.cells[n-1][c] + " " + text)
			}
			continue
		}
		t.cells = append(t.cells, cells)
	}
	if isHeader(t.cells, rows[0].bold() && !rows[1].bold()) {
		t.names, t.cells = t.cells[0], t.cells[1:]
	}
	return t
}

// goesOn reports whether cells are the next lines of those of the row above: the first
// one is empty, and none is a number.
func goesOn(above, cells []string) bool {
	if cells[0] != "" || above[0] == "" {
		return false
	}
	for c, text := range cells {
		if text != "" && (above[c] == "" || hasDigit(text)) {
			return false
		}
	}
	return true
}

// maxName is how many letters the name of a column has.
const maxName = 40

// isHeader reports whether the first row names the columns: it has words and no numbers,
// others of them, and is set in bold where the next row is not, or stands above numbers.
func isHeader(cells [][]string, stressed bool) bool {
	if len(cells) < 2 {
		return false
	}
	seen, filled := map[string]bool{}, 0
	for c, name := range cells[0] {
		if name == "" {
			continue
		}
		if seen[name] || hasDigit(name) || len([]rune(name)) > maxName || c > 0 && !strings.ContainsFunc(name, unicode.IsLetter) {
			return false
		}
		seen[name] = true
		filled++
	}
	if filled < 2 || filled < len(cells[0])-1 {
		return false
	}
	if stressed {
		return true
	}
	for c := range cells[0] {
		numbers := 0
		for _, row := range cells[1:] {
			if isNumber(row[c]) {
				numbers++
			}
		}
		if 5*numbers >= 3*(len(cells)-1) {
			return true
		}
	}
	return false
}

func hasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }

// isNumber reports whether a cell is a number, with its unit if need be.
func isNumber(s string) bool {
	digits, letters := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits > 0 && letters <= digits+2
}
