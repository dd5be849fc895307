package answer

import "strings"

// row says what stands in a row of a table: each cell behind the name of its
// column, where there is a first row that names them.
func (m *marked) row(passage, i int) string {
	pieces := m.pieces[passage]
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
