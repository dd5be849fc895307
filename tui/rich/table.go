package rich

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// maxColumn is the widest column, in cells, to which others are aligned.
const maxColumn = 32

// table shows the table that begins at line i, and returns the line behind it.
func (r *reader) table(i int) int {
	end := i + 2
	for end < len(r.lines) && strings.Contains(r.lines[end].Text, "|") {
		end++
	}
	rows := make([][]Line, 0, end-i)
	var widths []int
	for j := i; j < end; j++ {
		if j == i+1 {
			rows = append(rows, nil)
			continue
		}
		row := r.cells(j)
		for k, cell := range row {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], min(ansi.StringWidth(cell.Text), maxColumn))
		}
		rows = append(rows, row)
	}
	for j, row := range rows {
		r.out[i+j] = r.row(row, widths, j == 1)
	}
	return end
}

// cells returns the cells of a row.
func (r *reader) cells(i int) []Line {
	src := r.lines[i].Text
	from, to := 0, len(strings.TrimRight(src, " "))
	for from < to && src[from] == ' ' {
		from++
	}
	if from < to && src[from] == '|' {
		from++
	}
	var out []Line
	add := func(start, end int) {
		m := r.maker(i)
		for start < end && src[start] == ' ' {
			start++
		}
		for end > start && src[end-1] == ' ' {
			end--
		}
		inliner{m, r.plain}.inline(start, end, 0)
		out = append(out, m.line())
	}
	start := from
	for at := from; at < to; at++ {
		switch src[at] {
		case '\\':
			at++
		case '|':
			add(start, at)
			start = at + 1
		}
	}
	if start < to {
		add(start, to)
	}
	return out
}

// row joins the cells of a row; of a table's rule it draws one.
func (r *reader) row(cells []Line, widths []int, isRule bool) Line {
	m := &maker{}
	switch {
	case isRule && r.plain:
	case isRule:
		for k, w := range widths {
			if k > 0 {
				m.put("─┼─", Faint)
			}
			m.put(strings.Repeat("─", w), Faint)
		}
	default:
		for k, cell := range cells {
			if k > 0 && r.plain {
				m.put(" · ", 0)
			} else if k > 0 {
				m.put(" │ ", Faint)
			}
			m.append(cell)
			if !r.plain && k < len(widths) && k < len(cells)-1 {
				m.put(strings.Repeat(" ", max(widths[k]-ansi.StringWidth(cell.Text), 0)), 0)
			}
		}
	}
	return m.line()
}

// append shows a line that was made.
func (m *maker) append(l Line) {
	base := m.out.Len()
	m.out.WriteString(l.Text)
	for _, s := range l.Spans {
		m.spans = append(m.spans, Span{s.Start + base, s.End + base, s.Look})
	}
	for _, h := range l.Hits {
		h.Start, h.End = h.Start+base, h.End+base
		m.moved = append(m.moved, h)
	}
	for _, k := range l.Marks {
		m.kept = append(m.kept, Mark{k.Start + base, k.End + base, k.ID})
	}
}
