package tui

import (
	"fmt"
	"strings"

	"dowse/engine"
)

// shades tell pools apart without colour, the one with the largest peak first.
var shades = []string{"█", "▓", "▒", "░"}

// shade returns the shade of the pool at a place of the list.
func shade(at int) string { return shades[min(at, len(shades)-1)] }

const (
	chartLeast = 3 // rows below which a chart says nothing
	chartMost  = 8
	chartLabel = 7 // cells of the size at the left
)

// chartScale returns the top of the chart and which part of the budget that is:
// the budget halved as often as all samples still fit.
func (m *machinePanel) chartScale() (top int64, part int64) {
	var most int64 = 1
	for _, n := range m.totals {
		most = max(most, n)
	}
	budget := m.budget()
	if budget == nil || budget.Bytes < most {
		return most, 0
	}
	top, part = budget.Bytes, 1
	for top/2 >= most {
		top, part = top/2, part*2
	}
	return top, part
}

func (m *machinePanel) budget() *engine.Budget {
	if m.status == nil {
		return nil
	}
	return m.status.Budget
}

// chart draws the pools on top of each other in rows lines: a column for each
// second, the newest at the right, and the top of the scale at the left.
func (m *machinePanel) chart(w, rows int) []string {
	top, _ := m.chartScale()
	cells := w - chartLabel - 3
	if rows < chartLeast || cells < 1 || len(m.totals) == 0 {
		return nil
	}
	columns := min(cells, len(m.totals))
	stacks := make([][]string, columns)
	for c := range stacks {
		stacks[c] = m.stack(len(m.totals)-columns+c, top, rows)
	}
	lines := make([]string, rows)
	for r := range lines {
		label := ""
		switch r {
		case 0:
			label = size(top)
		case rows - 1:
			label = "0"
		}
		var row strings.Builder
		for _, stack := range stacks {
			row.WriteString(stack[rows-1-r])
		}
		lines[r] = " " + m.styles.faint.Render(padLeft(label, chartLabel)) + m.styles.line.Render("▕") +
			pad(m.styles.bar.Render(row.String()), cells)
	}
	return lines
}

// stack draws the sample at a place as rows cells from below. A cell shows the
// pool at its middle; the uppermost, which is not full, how far it is.
func (m *machinePanel) stack(at int, top int64, rows int) []string {
	const eighth = 8
	filled := int((m.totals[at]*int64(rows)*eighth + top/2) / top) // in eighths of a cell
	out := make([]string, rows)
	for r := range out {
		switch rest := filled - r*eighth; {
		case rest >= eighth:
			out[r] = shade(m.poolAt(at, (int64(2*r+1)*top)/int64(2*rows)))
		case rest > 0:
			out[r] = string(heights[rest-1])
		default:
			out[r] = " "
		}
	}
	return out
}

// poolAt returns the place of the pool that the byte at some height of a stack
// belongs to.
func (m *machinePanel) poolAt(at int, height int64) int {
	for i, p := range m.pools {
		past := m.history[p.Pool]
		if j := at - (len(m.totals) - len(past)); j >= 0 {
			height -= past[j]
		}
		if height < 0 {
			return i
		}
	}
	return max(len(m.pools)-1, 0)
}

// memoryTitle says what is held in all and of what budget.
func (m *machinePanel) memoryTitle() string {
	if len(m.totals) == 0 {
		return "memory"
	}
	title := "memory: " + size(m.totals[len(m.totals)-1])
	if b := m.budget(); b != nil {
		title += " of " + size(b.Bytes)
	}
	return title
}

// scaleText explains the top of the chart.
func (m *machinePanel) scaleText() string {
	switch top, part := m.chartScale(); part {
	case 0:
		return size(top) + ", the most so far"
	case 1:
		return size(top) + ", the budget"
	default:
		return fmt.Sprintf("%s, 1/%d of the budget", size(top), part)
	}
}
