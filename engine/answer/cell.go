package answer

import "strings"

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
