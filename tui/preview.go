package tui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dowse/engine"
)

const (
	previewReach = 300 // lines requested first on both sides of the passage
	wheelLines   = 3
	// maxLineBytes and maxLineRows bound one line of a file; minified files
	// have lines of megabytes.
	maxLineBytes = 8 << 10
	maxLineRows  = 40
	// previewBytes bounds a preview before its long lines are cut, down to
	// minLineBytes.
	previewBytes = 1 << 20
	minLineBytes = 512
)

// previewRow is one row of the screen: a stretch of a line.
type previewRow struct {
	line  int // index into lines
	text  textRange
	first bool // starts its line and carries its number
	cut   bool // the line goes on beyond maxLineRows
}

// lineSpan is a range of lines; empty where first is 0.
type lineSpan struct{ first, last int }

// previewPane shows a stretch of a file with the passage highlighted.
type previewPane struct {
	styles styles
	names  *names

	passage engine.Passage // shown or requested
	drawn   engine.Passage // that data belongs to
	shown   bool           // a passage is chosen
	expired bool           // the file may have changed since it was read
	reach   int            // lines requested on both sides
	cutLong bool           // long lines take one row
	cited   lineSpan       // lines that an answer cites
	finds   finds          // of the text that is looked for
	data    *engine.Preview
	problem string

	area  rect
	lines []marked // of data, sanitized
	rows  []previewRow
	inked inkedRows // drawn
	top   int
}

// inkedRows are rows as they were drawn while lines were cited.
type inkedRows struct {
	cited lineSpan
	rows  map[int]string
}

// setArea resizes the pane; the top line stays on top.
func (p *previewPane) setArea(area rect) {
	if p.area == area {
		return
	}
	line, had := p.topLine()
	p.area = area
	p.layRows()
	if had {
		p.top = p.rowOf(line)
	}
	p.clamp()
}

// wait awaits a passage's preview. The one before stays until then, so that
// moving does not flicker.
func (p *previewPane) wait(passage engine.Passage) {
	p.passage, p.shown, p.expired = passage, true, false
	p.reach, p.problem, p.cited = previewReach, "", lineSpan{}
}

// has reports whether a passage is shown or requested, with its matched words.
func (p *previewPane) has(passage engine.Passage) bool {
	return p.shown && !p.expired && p.problem == "" && samePassage(p.passage, passage) &&
		slices.Equal(p.passage.Highlights, passage.Highlights)
}

// samePassage reports whether two passages are the same stretch of the same
// text.
func samePassage(a, b engine.Passage) bool {
	return samePlace(a, b) && a.LineEnd == b.LineEnd && a.Text == b.Text
}

func samePlace(a, b engine.Passage) bool {
	return a.Path == b.Path && a.LineStart == b.LineStart
}

func (p *previewPane) drop() {
	*p = previewPane{styles: p.styles, names: p.names, area: p.area, cutLong: p.cutLong}
}

// set shows data and its sanitized lines. For the place already shown, the view
// stays; otherwise the passage is revealed.
func (p *previewPane) set(data *engine.Preview, lines []marked) {
	line, had := p.topLine()
	stay := had && samePlace(p.drawn, p.passage)
	p.data, p.drawn, p.problem, p.lines = data, p.passage, "", lines
	p.layRows()
	if stay {
		p.top = p.rowOf(line)
	} else {
		p.scrollTo(max(data.LineStart, p.cited.first))
	}
	p.clamp()
	if p.finds.open {
		p.find(p.finds.text)
	}
}

// scrollTo scrolls to a line, with a third of the pane above it for context.
func (p *previewPane) scrollTo(line int) {
	p.top = p.rowOf(line) - p.rowsInSight()/3
	p.clamp()
}

// cite marks and reveals the cited lines, now or when they arrive.
func (p *previewPane) cite(lines lineSpan) {
	p.cited = lines
	if lines.first > 0 && p.data != nil && samePassage(p.drawn, p.passage) {
		p.scrollTo(lines.first)
	}
}

func (p *previewPane) fail(err error) {
	p.drawn = p.passage
	p.data, p.lines, p.rows = nil, nil, nil
	p.problem = sanitize(err.Error())
}

func (p *previewPane) layRows() {
	p.rows, p.inked = p.rows[:0], inkedRows{}
	if p.data == nil {
		return
	}
	room, most := p.area.w-p.gutter(), maxLineRows
	if p.cutLong {
		room, most = room-1, 1 // for the mark that it goes on
	}
	for i, line := range p.lines {
		ranges, more := wrap(line.text, room, most)
		for j, r := range ranges {
			p.rows = append(p.rows, previewRow{line: i, text: r, first: j == 0})
		}
		if n := len(p.rows); n > 0 {
			p.rows[n-1].cut = more
		}
	}
}

// toggleWrap wraps long lines or cuts them; the line on top stays there.
func (p *previewPane) toggleWrap() {
	line, had := p.topLine()
	p.cutLong = !p.cutLong
	p.layRows()
	if had {
		p.top = p.rowOf(line)
	}
	p.clamp()
}

// gutter returns the width of mark and line numbers.
func (p *previewPane) gutter() int {
	last := p.data.FirstLine + len(p.data.Lines)
	return max(len(strconv.Itoa(last)), 3) + 3
}

// topLine returns the number of the line on top.
func (p *previewPane) topLine() (int, bool) {
	if p.data == nil || p.top < 0 || p.top >= len(p.rows) {
		return 0, false
	}
	return p.data.FirstLine + p.rows[p.top].line, true
}

func (p *previewPane) rowOf(line int) int {
	for i, r := range p.rows {
		if p.data.FirstLine+r.line >= line {
			return i
		}
	}
	return max(len(p.rows)-1, 0)
}

func (p *previewPane) clamp() {
	p.top = max(min(p.top, len(p.rows)-p.rowsInSight()), 0)
}

// scroll moves by n rows, and reports whether the file goes on beyond the
// reached edge.
func (p *previewPane) scroll(n int) (wantMore bool) {
	p.top += n
	p.clamp()
	if p.data == nil || len(p.data.Lines) == 0 {
		return false
	}
	last := p.data.FirstLine + len(p.data.Lines) - 1
	atTop, atEnd := p.top == 0, p.top >= len(p.rows)-p.rowsInSight()
	return n < 0 && atTop && p.data.FirstLine > 1 || n > 0 && atEnd && last < p.data.LineTotal
}

// Render draws a title and the rows in sight as h lines of w cells.
func (p *previewPane) Render(w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	switch {
	case !p.shown:
		return block(nil, w, h)
	case p.problem != "":
		lines := []string{p.title(w), ""}
		for _, line := range wrapPlain(p.problem, w-3, h-2) {
			lines = append(lines, " "+p.styles.problem.Render(line))
		}
		return block(lines, w, h)
	case p.data == nil:
		return block(nil, w, h)
	}
	lines := append([]string{p.title(w)}, p.about(w, h)...)
	for i := p.top; i < len(p.rows) && len(lines) < h; i++ {
		lines = append(lines, p.row(i))
	}
	return block(lines, w, h)
}

// title returns the file's place and, where they fit, the lists that found it
// and its length.
func (p *previewPane) title(w int) string {
	s := p.styles
	var facts []string
	if p.drawn.LexicalRank > 0 {
		facts = append(facts, fmt.Sprintf("words #%d", p.drawn.LexicalRank))
	}
	if p.drawn.VectorRank > 0 {
		facts = append(facts, fmt.Sprintf("meaning #%d", p.drawn.VectorRank))
	}
	if p.data != nil {
		facts = append(facts, counted(p.data.LineTotal, "line"))
	}
	place := ""
	if p.drawn.Extracted {
		place = whereText(p.drawn.Where, 0, w)
	}
	name := width("…/"+sanitize(filepath.Base(p.drawn.Path))) + width(place)
	for len(facts) > 0 && name+width(strings.Join(facts, " · "))+4 > w {
		facts = facts[:len(facts)-1]
	}
	right := strings.Join(facts, " · ")
	left := p.names.short(p.drawn.Path, w-width(right)-width(place)-4) + place
	return spread(" "+s.title.Render(left), s.faint.Render(right)+" ", w)
}

// row draws the row at a place, or finds it drawn.
func (p *previewPane) row(i int) string {
	if p.finds.open {
		return p.drawRow(p.rows[i])
	}
	if p.inked.rows == nil || p.inked.cited != p.cited {
		p.inked = inkedRows{p.cited, make(map[int]string)}
	}
	drawn, ok := p.inked.rows[i]
	if !ok {
		drawn = p.drawRow(p.rows[i])
		p.inked.rows[i] = drawn
	}
	return drawn
}

func (p *previewPane) drawRow(r previewRow) string {
	s := p.styles
	number := p.data.FirstLine + r.line
	lit := number >= p.data.LineStart && number <= p.data.LineEnd
	mark, ink, digits := " ", s.faint, s.faint
	if lit {
		mark, ink, digits = s.accent.Render("▎"), s.text, s.soft
		if number >= p.cited.first && number <= p.cited.last {
			mark, digits = s.accent.Render("▌"), s.accent
		}
	}
	label := ""
	if r.first {
		label = strconv.Itoa(number)
	}
	text, here := p.found(r.line)
	if here {
		mark, digits = s.accent.Render("›"), s.accent
	}
	line := mark + digits.Render(padLeft(label, p.gutter()-3)) + "  " + drawMarked(text, r.text, ink, s.hit, s)
	if r.cut {
		line += ink.Render(ellipsis)
	}
	return line
}

func wrapPlain(text string, w, rows int) []string {
	ranges, _ := wrap(text, w, max(rows, 1))
	lines := make([]string, len(ranges))
	for i, r := range ranges {
		lines[i] = text[r.start:r.end]
	}
	return lines
}
