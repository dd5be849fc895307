package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dowse/engine"
)

const helpKeyCells = 19

// helpOverlay covers the body with all keys, the mouse and the query syntax, or
// with another text.
type helpOverlay struct {
	styles  styles
	keys    keyMap
	version string
	open    bool
	other   func(w int) []string // another text than the help, or nil
	top     int
	area    rect
}

// helpSection is a titled list of keys and effects.
type helpSection struct {
	title string
	rows  [][2]string
}

func (o *helpOverlay) toggle() { o.open, o.other, o.top = !o.open, nil, 0 }

func (o *helpOverlay) show(text func(w int) []string) { o.open, o.other, o.top = true, text, 0 }

func (o *helpOverlay) setArea(area rect) {
	o.area = area
	o.scroll(0)
}

func (o *helpOverlay) scroll(n int) {
	o.top = max(min(o.top+n, len(o.lines(o.area.w))-o.area.h), 0)
}

// columns returns the sections in the two columns of a wide screen.
func (o *helpOverlay) columns() (left, right []helpSection) {
	for _, g := range o.keys.groups() {
		section := helpSection{title: g.title}
		for _, b := range g.bindings {
			if b.Help().Key != "" {
				section.rows = append(section.rows, [2]string{b.Help().Key, b.Help().Desc})
			}
		}
		if g.title == "Query line" {
			right = append(right, section)
		} else {
			left = append(left, section)
		}
	}
	query := helpSection{"What a query can say", engine.QueryHelp}
	return left, append([]helpSection{query, {"Mouse", mouseHelp}, {"What marks an answer", answerHelp}}, right...)
}

// lines draws the whole text for a screen of w cells.
func (o *helpOverlay) lines(w int) []string {
	if o.other != nil {
		return o.other(w)
	}
	left, right := o.columns()
	if w < 2*minWidth {
		return o.drawSections(append(right[:1:1], append(left, right[1:]...)...), w)
	}
	half := (w - 2) / 2
	a, b := o.drawSections(left, half), o.drawSections(right, half)
	lines := make([]string, max(len(a), len(b)))
	for i := range lines {
		var l, r string
		if i < len(a) {
			l = a[i]
		}
		if i < len(b) {
			r = b[i]
		}
		lines[i] = pad(l, half) + "  " + r
	}
	return lines
}

func (o *helpOverlay) drawSections(sections []helpSection, w int) []string {
	s := o.styles
	var lines []string
	for i, section := range sections {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, " "+s.title.Render(section.title))
		for _, row := range section.rows {
			line := "  " + s.accent.Render(pad(row[0], helpKeyCells)) + s.text.Render(row[1])
			lines = append(lines, fit(line, w))
		}
	}
	return lines
}

// hint says how to leave, and that there is more below.
func (o *helpOverlay) hint() string {
	hint := "esc closes"
	if len(o.lines(o.area.w)) > o.area.h {
		hint = "↑ ↓ scroll · " + hint
	}
	return hint
}

// Render draws the part in sight as h lines of w cells.
func (o *helpOverlay) Render(w, h int) []string {
	lines := o.lines(w)
	return block(lines[min(o.top, len(lines)):], w, h)
}

// name returns the program's name and version.
func (o *helpOverlay) name() string {
	return strings.TrimSpace("dowse " + sanitize(o.version))
}

type leftOutDone struct {
	left []engine.LeftOut
	err  error
}

// toggleLeftOut shows the files that are not in the index over the body, or
// closes that list.
func (m *model) toggleLeftOut() tea.Cmd {
	if m.help.open && m.help.other != nil {
		m.help.toggle()
		return nil
	}
	m.help.show(func(int) []string { return []string{" " + m.styles.soft.Render("looking at the folders…")} })
	return func() tea.Msg {
		left, err := m.searcher.LeftOut(m.ctx)
		return leftOutDone{left, err}
	}
}

// onLeftOut shows the list if it is still awaited.
func (m *model) onLeftOut(msg leftOutDone) {
	if !m.help.open || m.help.other == nil {
		return
	}
	m.help.show(func(w int) []string { return m.leftOutLines(msg, w) })
}

// leftOutLines draws each reason with its files.
func (m *model) leftOutLines(msg leftOutDone, w int) []string {
	s := m.styles
	switch {
	case msg.err != nil:
		return []string{fit(" "+s.problem.Render(sanitize(msg.err.Error())), w)}
	case len(msg.left) == 0:
		return []string{" " + s.soft.Render("Nothing is left out.")}
	}
	counts := map[string]int{}
	for _, l := range msg.left {
		counts[l.Reason]++
	}
	var lines []string
	reason := ""
	for _, l := range msg.left {
		if l.Reason != reason {
			if reason != "" {
				lines = append(lines, "")
			}
			reason = l.Reason
			lines = append(lines, " "+s.title.Render(sanitize(reason))+s.faint.Render("  "+count(counts[reason])))
		}
		line := "  " + s.text.Render(m.names.short(l.Path, max(w-4, 20)))
		if l.Detail != "" {
			line += s.faint.Render("  " + sanitize(l.Detail))
		}
		lines = append(lines, fit(line, w))
	}
	return lines
}
