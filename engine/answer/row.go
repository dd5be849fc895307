package answer

import (
	"strings"

	"dowse/internal/pattern"
)

// namedCell begins a cell with its column's name: "Warranty until: ".
var namedCell = pattern.New(`^[\pL\d][^:;.!?\n]{0,39}: `)

// isTable reports whether a paragraph is rows from sheets, tables or heads of
// messages: "Item: desk; Cost: 30", a line each. The first may hold the names
// alone.
func isTable(text string, block Range) bool {
	lines := linesOf(text, block)
	rows := 0
	for _, line := range lines {
		cells := strings.Split(strings.TrimRight(text[line.Start:line.End], space), "; ")
		named := 0
		for _, cell := range cells {
			if namedCell.MatchString(cell) {
				named++
			}
		}
		if named >= 2 && 4*named >= 3*len(cells) {
			rows++
		}
	}
	return rows > 0 && 2*rows >= len(lines)
}

// namesColumns reports whether a row holds the next row's column names, and so
// says nothing itself.
func (m *marked) namesColumns(passage, i int) bool {
	pieces := m.pieces[passage]
	if i+1 >= len(pieces) || pieces[i].Kind != Row || pieces[i+1].Kind != Row {
		return false
	}
	names, next := m.textOf(passage, pieces[i]), "; "+m.textOf(passage, pieces[i+1])
	named, cells := 0, strings.Split(names, "; ")
	for _, name := range cells {
		if strings.Contains(next, "; "+name+": ") {
			named++
		}
	}
	return len(cells) > 1 && 2*named > len(cells)
}

// headsTable reports whether a rule below makes a row the table's head.
func (m *marked) headsTable(passage, i int) bool {
	pieces := m.pieces[passage]
	if i+1 >= len(pieces) || pieces[i+1].Kind != Row {
		return false
	}
	first, _ := m.tableStart(passage, i+1)
	return first == i
}

// row renders a row: each cell behind its column's name, where there is one.
func (m *marked) row(passage, i int) string {
	pieces := m.pieces[passage]
	if !strings.HasPrefix(m.textOf(passage, pieces[i]), "|") { // cells name themselves
		return m.plain(passage, i)
	}
	var said []string
	for _, c := range m.cells(passage, i) {
		value := plain(unbarred(c.value), Row)
		if c.name != "" {
			value = c.name + ": " + value
		}
		said = append(said, value)
	}
	return strings.Join(said, ", ")
}

// columnNames returns the column names of a row's table, nil if unnamed; its
// first row may stand above the passage.
func (m *marked) columnNames(passage, i int) []string {
	first, top := m.tableStart(passage, i)
	switch {
	case first < i:
		return cellsOf(m.textOf(passage, m.pieces[passage][first]))
	case top:
		return cellsOf(m.passages[passage].Columns)
	}
	return nil
}

// tableStart is the row that begins a table if a rule below it says so;
// otherwise i. top: the table begins the passage.
func (m *marked) tableStart(passage, i int) (first int, top bool) {
	pieces, text := m.pieces[passage], m.passages[passage].Text
	first = i
	ruled := false
	for first > 0 && pieces[first-1].Kind == Row {
		between := text[pieces[first-1].End:pieces[first].Start]
		if strings.Trim(between, "|-: \t\n\r") != "" || strings.Contains(strings.ReplaceAll(between, "\r", ""), "\n\n") {
			break
		}
		first--
		ruled = strings.Contains(between, "-")
	}
	if !ruled {
		return i, first == 0
	}
	return first, first == 0
}

// cellsOf cuts a row at its unescaped bars.
func cellsOf(row string) []string {
	row = strings.ReplaceAll(strings.Trim(row, " \t|"), `\|`, "\x00")
	cells := strings.Split(row, "|")
	for i, c := range cells {
		cells[i] = plain(strings.ReplaceAll(c, "\x00", "|"), Row)
	}
	return cells
}

// cell is a cell of a row.
type cell struct {
	name  string // of its column; "" if unnamed
	value string
	Range // of the value in its passage
}

// cells cuts a row into its non-empty cells.
func (m *marked) cells(passage, i int) []cell {
	p := m.pieces[passage][i]
	text := m.textOf(passage, p)
	if strings.HasPrefix(text, "|") {
		return m.barred(passage, i)
	}
	var found []cell
	at := p.Start
	for _, part := range strings.SplitAfter(text, "; ") {
		c := cell{Range: trim(m.passages[passage].Text, Range{Start: at, End: at + len(strings.TrimSuffix(part, "; "))})}
		at += len(part)
		said := m.passages[passage].Text[c.Start:c.End]
		if name := namedCell.FindString(said + " "); name != "" {
			c.name = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(name), ":"))
			c.Start = min(c.End, c.Start+len(name))
			c.value = m.passages[passage].Text[c.Start:c.End]
		} else {
			c.value = said
		}
		if c.value != "" {
			found = append(found, c)
		}
	}
	return found
}

func (m *marked) barred(passage, i int) []cell {
	p, text := m.pieces[passage][i], m.passages[passage].Text
	names := m.columnNames(passage, i)
	var found []cell
	start, n := p.Start+1, 0
	for at := start; at <= p.End; at++ {
		if at < p.End && (text[at] != '|' || text[at-1] == '\\') {
			continue
		}
		c := cell{Range: trim(text, Range{Start: start, End: at})}
		c.value = text[c.Start:c.End]
		if n < len(names) {
			c.name = names[n]
		}
		if c.value != "" {
			found = append(found, c)
		}
		start, n = at+1, n+1
	}
	return found
}

// unbarred unescapes a cell's bars.
func unbarred(cell string) string { return strings.ReplaceAll(cell, `\|`, "|") }
