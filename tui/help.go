package tui

import (
	"strings"

	"dowse/engine"
)

const helpKeyCells = 19

// helpOverlay lists every key, the mouse and the query syntax, or what another text in its
// place says. It covers the body and scrolls where it is longer.
type helpOverlay struct {
	styles  styles
	keys    keyMap
	version string
	open    bool
	other   func(w int) []string // draws the text in the place of the help; nil for none
	top     int
	area    rect
}

// helpSection is a titled list of what to do and what then happens.
type helpSection struct {
	title string
	rows  [][2]string
}

func (o *helpOverlay) toggle() { o.open, o.other, o.top = !o.open, nil, 0 }

// show opens it with another text.
func (o *helpOverlay) show(text func(w int) []string) { o.open, o.other, o.top = true, text, 0 }

func (o *helpOverlay) setArea(area rect) {
	o.area = area
	o.scroll(0)
}

func (o *helpOverlay) scroll(n int) {
	o.top = max(min(o.top+n, len(o.lines(o.area.w))-o.area.h), 0)
}

// columns returns the sections, in the two columns of a wide screen.
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

// lines draws all of the text for a screen of w cells.
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

// hint returns how to leave, and that there is more below.
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

// name returns what the program calls itself.
func (o *helpOverlay) name() string {
	return strings.TrimSpace("dowse " + sanitize(o.version))
}
