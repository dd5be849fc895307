package answer

import (
	"regexp"
	"strings"
)

// namedCell is how a cell begins that says which column it is of: "Warranty until: ".
var namedCell = regexp.MustCompile(`^[\pL\d][^:;.!?\n]{0,39}: `)

// isTable reports whether a paragraph is rows as they are taken out of sheets, tables and
// heads of messages: "Item: desk; Cost: 30", a line each. The first may name the columns alone.
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

// namesColumns reports whether a row is what the cells of the next one are named by. It
// says nothing by itself.
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

// row says what stands in a row of a table: each cell behind the name of its
// column, where there is a first row that names them.
func (m *marked) row(passage, i int) string {
	pieces := m.pieces[passage]
	if !strings.HasPrefix(m.textOf(passage, pieces[i]), "|") { // its cells are named already
		return m.plain(passage, i)
	}
	cells := cellsOf(m.textOf(passage, pieces[i]))
	var names []string
	if first := m.tableStart(passage, i); first < i {
		names = cellsOf(m.textOf(passage, pieces[first]))
	}
	var said []string
	for n, cell := range cells {
		switch {
		case cell == "":
		case n < len(names) && names[n] != "":
			said = append(said, names[n]+": "+cell)
		default:
			said = append(said, cell)
		}
	}
	return strings.Join(said, ", ")
}

// tableStart is the row that a table begins with, if a rule below it says that it
// names columns; otherwise it is i itself.
func (m *marked) tableStart(passage, i int) int {
	pieces, text := m.pieces[passage], m.passages[passage].Text
	first, ruled := i, false
	for first > 0 && pieces[first-1].Kind == Row {
		between := text[pieces[first-1].End:pieces[first].Start]
		if strings.Trim(between, "|-: \t\n\r") != "" || strings.Contains(strings.ReplaceAll(between, "\r", ""), "\n\n") {
			break
		}
		first--
		ruled = strings.Contains(between, "-")
	}
	if !ruled {
		return i
	}
	return first
}

// cellsOf cuts a row at its bars. A bar behind a backslash is part of a cell.
func cellsOf(row string) []string {
	row = strings.ReplaceAll(strings.Trim(row, " \t|"), `\|`, "\x00")
	cells := strings.Split(row, "|")
	for i, c := range cells {
		cells[i] = plain(strings.ReplaceAll(c, "\x00", "|"), Row)
	}
	return cells
}
