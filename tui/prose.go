package tui

import (
	"strings"

	"dowse/engine"

	"github.com/charmbracelet/lipgloss"
)

// prose is text in several styles, wrapped to the width of a pane. Answers are
// drawn with it.
type prose struct {
	styles styles
	lines  []proseLine
	width  int // of the laid rows
	rows   []proseRow
}

// proseLine is a sanitized line.
type proseLine struct {
	text  string
	spans []proseSpan // ascending, covering text
	hang  int         // cells by which all rows but the first are indented
}

// proseRow is one row of the screen: a stretch of a line.
type proseRow struct {
	line   int // index into lines
	text   textRange
	indent int // cells
}

// proseSpan is a stretch of a line in one style.
type proseSpan struct {
	end   int // it begins at the end of the one before
	piece engine.AnswerPiece
	ink   lipgloss.Style
}

func (p *prose) clear() { p.lines, p.width = []proseLine{{}}, 0 }

// unseenTokens is how many tokens a model writes at most, of a text that is shown, before any is seen: those of its
// words for declining. One that is further only checks what is quoted.
const unseenTokens = 8

// putReply appends a whole reply: quotations, and below them a model's text. An
// unfinished one says what it waits for.
func (p *prose) putReply(a *engine.Answer, done bool) {
	s := p.styles
	waits := a.Text == "" && !done
	if a.Quotation != nil && !a.Nearest() {
		p.putAnswer(a.Quotation)
		p.put("\n\n", s.soft)
	}
	switch {
	case a.Problem != "" && a.Text == "":
		p.put(a.Problem, s.problem)
	case waits && a.Sent != nil && a.Sent.Remote:
		p.put("asking "+a.How+ellipsis, s.problem)
	case waits && a.Sent != nil:
		p.put("asking "+a.How+ellipsis, s.soft)
	case waits && a.Reading != nil:
		p.put(a.How+" is "+a.Reading.Text()+ellipsis, s.soft)
	case waits && a.Quotation != nil && a.Generation != nil && a.Generation.Tokens > unseenTokens:
		p.put(a.How+" is checking what is quoted"+ellipsis, s.soft)
	case waits && a.Quotation != nil:
		p.put(a.How+" is writing"+ellipsis, s.soft)
	case waits:
		p.put("looking for an answer"+ellipsis, s.soft)
	case a.Nearest():
		p.putAnswer(a)
		p.put("\n", s.soft)
		p.putAnswer(a.Quotation)
	case a.Quotation != nil:
		p.put(engine.WrittenFrom+":\n", s.soft)
		p.putAnswer(a)
	default:
		p.putAnswer(a)
	}
	if waits && a.Note != "" {
		p.put("\n"+a.Note, s.soft)
	}
	for n := len(p.lines); n > 1 && p.lines[n-1].text == ""; n-- {
		p.lines = p.lines[:n-1]
	}
}

// putAnswer appends an answer's text and its remarks.
func (p *prose) putAnswer(a *engine.Answer) {
	caveat := a.Caveat()
	if caveat != "" && a.Quoted() {
		p.put(caveat+":\n", p.styles.muted)
	}
	short := *a
	short.Text = a.Text[:runeStart(a.Text, min(len(a.Text), maxAnswerBytes))]
	if a.How == "" || a.Quoted() || a.Declined {
		for _, piece := range short.Pieces() {
			p.putPiece(piece, p.ink(a, piece))
		}
	} else {
		p.putWritten(a, short.Pieces())
	}
	if caveat != "" && !a.Quoted() {
		p.put("\n"+caveat+".", p.styles.muted)
	}
	if a.Problem != "" {
		p.put("\n"+a.Problem, p.styles.problem)
	}
	if a.Note != "" {
		p.put("\n"+a.Note, p.styles.soft)
	}
}

// put appends the screen's own words.
func (p *prose) put(text string, ink lipgloss.Style) {
	p.putPiece(engine.AnswerPiece{Text: text}, ink)
}

func (p *prose) putPiece(piece engine.AnswerPiece, ink lipgloss.Style) {
	for i, text := range strings.Split(piece.Text, "\n") {
		if i > 0 {
			p.lines = append(p.lines, proseLine{})
		}
		line := &p.lines[len(p.lines)-1]
		line.text += sanitize(text)
		line.spans = append(line.spans, proseSpan{len(line.text), piece, ink})
	}
}

func (p *prose) ink(a *engine.Answer, piece engine.AnswerPiece) lipgloss.Style {
	switch {
	case piece.Citation > 0:
		return p.styles.accent
	case piece.Doubt:
		return p.styles.problem
	case a.Declined:
		return p.styles.soft
	case a.Confidence == engine.Perhaps, a.Confidence == engine.None:
		return p.styles.muted
	case piece.Highlight:
		return p.styles.hit
	}
	return p.styles.text
}

// layRows wraps the lines to w cells and at most most rows.
func (p *prose) layRows(w, most int) {
	if p.width == w {
		return
	}
	p.width, p.rows = w, p.rows[:0]
	for i, line := range p.lines {
		ranges, hang := hanging(line, w, max(most-len(p.rows), 1))
		for j, r := range ranges {
			row := proseRow{line: i, text: r}
			if j > 0 {
				row.indent = hang
			}
			p.rows = append(p.rows, row)
		}
	}
}

// cited lists the passages that a row cites.
func (p *prose) cited(row proseRow) []int {
	var numbers []int
	start := 0
	for _, span := range p.lines[row.line].spans {
		if span.piece.Citation > 0 && start < row.text.end && span.end > row.text.start {
			numbers = append(numbers, span.piece.Citation)
		}
		start = span.end
	}
	return numbers
}

// drawRow draws a stretch of a line, each span in its own style.
func (p *prose) drawRow(row proseRow) string {
	var out strings.Builder
	out.WriteString(blanks(row.indent))
	line, start := p.lines[row.line], 0
	for _, span := range line.spans {
		from, to := max(start, row.text.start), min(span.end, row.text.end)
		if from < to {
			out.WriteString(p.draw(span, line.text[from:to]))
		}
		start = span.end
	}
	return out.String()
}

// draw draws text of a span, shaded if it was drafted.
func (p *prose) draw(span proseSpan, text string) string {
	if span.piece.Drafted {
		return p.styles.drafted(span.ink, text)
	}
	return span.ink.Render(text)
}
