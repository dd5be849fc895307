package tui

import (
	"slices"
	"strings"

	"dowse/engine"
)

const (
	// maxAnswerBytes and maxAnswerRows bound the drawn part of an answer.
	maxAnswerBytes = 16 << 10
	maxAnswerRows  = 200
	minAnswerRows  = 2 // a line of text and the rule below it
)

// answerPane shows the answer above the results that it cites.
type answerPane struct {
	open     bool // requested or shown
	done     bool // nothing more will come
	outdated bool // the index has changed since
	answer   engine.Answer
	passages []engine.Passage // numbered by the answer; nil before they are known
	next     int              // index of the next citation to visit
	by       string           // the model that writes below a quotation; "" of none

	area rect
	prose
	top   int
	moved bool // the person scrolled: what comes does not
}

// begin opens the pane for a requested answer.
func (p *answerPane) begin() {
	*p = answerPane{prose: prose{styles: p.styles}, area: p.area, open: true}
	p.write()
}

func (p *answerPane) write() {
	p.clear()
	p.putReply(&p.answer, p.done)
}

func (p *answerPane) drop() { *p = answerPane{prose: prose{styles: p.styles}} }

// grow shows the answer so far.
func (p *answerPane) grow(a engine.Answer) {
	if p.answer = a; a.Quotation != nil && !a.Quoted() {
		p.by = a.How
	}
	p.write()
}

// finish shows the complete answer and the passages of its numbers.
func (p *answerPane) finish(a *engine.Answer, passages []engine.Passage) {
	if a == nil {
		a = &engine.Answer{Problem: "no answer came"}
	}
	p.done, p.passages = true, passages
	p.grow(*a)
}

// running reports whether an answer is being made.
func (p *answerPane) running() bool { return p.open && !p.done }

// soFar returns what stands of a running answer when it is stopped: what is quoted, or else what was written; nil where
// nothing is.
func (p *answerPane) soFar() *engine.Answer {
	stands := p.answer
	switch {
	case !p.running():
		return nil
	case stands.Quotation != nil:
		stands = *stands.Quotation
		stands.Note = stoppedNote
	case stands.Text == "" || stands.Declined:
		return nil
	case stands.Quoted():
		stands.Note = uncheckedNote
	default:
		stands.Note = unfinishedNote
	}
	return &stands
}

// height returns the rows that the pane wants at a width of w cells; 0 when
// closed.
func (p *answerPane) height(w int) int {
	if !p.open {
		return 0
	}
	p.layRows(w-2, maxAnswerRows)
	return len(p.rows) + 1
}

func (p *answerPane) setArea(area rect) {
	p.area = area
	p.follow()
}

// follow reveals what a model writes below a quotation, from where it begins, unless the person scrolled.
func (p *answerPane) follow() {
	if !p.moved && p.answer.Quotation != nil && p.answer.Text != "" && !p.answer.Declined {
		for i, row := range p.rows {
			if p.lines[row.line].text == engine.WrittenFrom+":" && len(p.rows)-p.top > p.room() {
				p.top = i
			}
		}
	}
	p.scroll(0)
}

// page scrolls by half of what is in sight, for the person.
func (p *answerPane) page(n int) {
	p.moved = true
	p.scroll(n * max(p.room()/2, 1))
}

// room returns the rows of text in sight.
func (p *answerPane) room() int { return max(p.area.h-1, 0) }

func (p *answerPane) scroll(n int) {
	p.top = max(min(p.top+n, len(p.rows)-p.room()), 0)
}

// mark is a citation in the text: the nth one, from 0, of passage n.
type mark struct{ n, nth int }

// marks lists the citations of the text, and the row of each.
func (p *answerPane) marks() (marks []mark, rows []int) {
	times := map[int]int{}
	for i, row := range p.rows {
		for _, n := range p.cited(row) {
			marks, rows = append(marks, mark{n, times[n]}), append(rows, i)
			times[n]++
		}
	}
	return marks, rows
}

// reveal scrolls to a citation.
func (p *answerPane) reveal(to mark) {
	marks, rows := p.marks()
	if i := slices.Index(marks, to); i >= 0 {
		p.moved = true
		p.top = max(min(p.top, rows[i]-1), rows[i]-p.room()+1) // the row above leads up to it
		p.scroll(0)
	}
}

// at returns the citation on screen row y, or the next after it.
func (p *answerPane) at(y int) (mark, bool) {
	marks, rows := p.marks()
	for i, row := range rows {
		if row >= p.top+y-p.area.y {
			return marks[i], true
		}
	}
	return mark{}, false
}

// advance returns the next citation, the first after the last.
func (p *answerPane) advance() (mark, bool) {
	list := p.places()
	if len(list) == 0 {
		return mark{}, false
	}
	i := p.next % len(list)
	p.next = i + 1
	next := mark{n: list[i].N}
	for _, c := range list[:i] {
		if c.N == next.n {
			next.nth++
		}
	}
	return next, true
}

// places returns the cited places by first mention.
func (p *answerPane) places() []engine.AnswerCitation {
	if p.answer.Quotation != nil {
		return p.answer.Quotation.Citations
	}
	return p.answer.Citations
}

// linesOf returns the lines that a citation points at. A text may cite one
// place several times, and several places of one passage. The result is empty
// where the answer does not cite the passage.
func (p *answerPane) linesOf(m mark) (found lineSpan) {
	for _, c := range p.places() {
		if c.N != m.n {
			continue
		}
		if found == (lineSpan{}) || m.nth >= 0 {
			found = lineSpan{c.LineStart, c.LineEnd}
		}
		m.nth--
	}
	return found
}

// Render draws the rows in sight and a rule below them, h lines of w cells.
func (p *answerPane) Render(w, h int) []string {
	if h <= 0 {
		return nil
	}
	p.layRows(w-2, maxAnswerRows)
	lines := make([]string, 0, h)
	for _, row := range p.rows[min(p.top, len(p.rows)):min(p.top+h-1, len(p.rows))] {
		lines = append(lines, " "+p.drawRow(row))
	}
	return append(block(lines, w, h-1), p.rule(w))
}

// rule returns the line between answer and results: the answer's source and
// what is out of sight.
func (p *answerPane) rule(w int) string {
	facts, more := []string{"answer"}, len(p.rows)-p.top-p.room()
	if p.answer.Confidence == engine.Perhaps {
		facts = []string{"perhaps"}
	}
	if p.answer.Sent != nil && p.answer.Sent.Remote {
		facts = append(facts, "sent to another machine")
	}
	switch {
	case !p.done && p.answer.Reading != nil && more > 0: // what is waited for is out of sight
		facts = []string{p.answer.Reading.Text()}
	case !p.done && p.answer.How == "":
	case p.outdated:
		facts = []string{"answer from before your files changed"}
	case p.answer.Problem != "" && p.answer.Text == "":
		facts = []string{"no answer"}
	case p.answer.Declined, p.answer.How == "":
	case p.answer.How == engine.Extracted:
		facts = append(facts, "word for word")
		if p.done && p.answer.Generation != nil && p.by != "" {
			facts = append(facts, "checked by "+sanitize(p.by))
		}
	default:
		facts = append(facts, sanitize(p.answer.How))
	}
	if p.done && p.answer.Millis > 0 {
		facts = append(facts, millis(p.answer.Millis))
	}
	if p.answer.Doubtful() {
		facts = append(facts, engine.DoubtMark+" unsupported")
	}
	if p.top > 0 {
		facts = append(facts, "↑ "+count(p.top))
	}
	if more > 0 {
		facts = append(facts, "↓ "+counted(more, "line"))
	}
	s := p.styles
	label := fit(strings.Join(facts, " · "), w-6)
	return s.line.Render(strings.Repeat("─", max(w-width(label)-4, 0))+" ") + s.soft.Render(label) + s.line.Render(" ──")
}
