package tui

import (
	"strings"

	"dowse/engine"

	"github.com/charmbracelet/lipgloss"
)

// answerLine is a line of the answer's text, safe to draw.
type answerLine struct {
	text  string
	spans []answerSpan // ascending, all of text
}

// answerSpan is a stretch of a line that is drawn in one way.
type answerSpan struct {
	end   int // its first byte is the end of the one before
	piece engine.AnswerPiece
	ink   lipgloss.Style
}

// write makes lines of the answer: what is quoted, and below it what a model writes
// from that.
func (p *answerPane) write() {
	p.lines, p.width = []answerLine{{}}, 0
	a, s := &p.answer, p.styles
	waits := a.Text == "" && !p.done
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
	for n := len(p.lines); n > 1 && p.lines[n-1].text == ""; n-- {
		p.lines = p.lines[:n-1]
	}
}

// putAnswer appends the text of an answer, and what is to be said of it.
func (p *answerPane) putAnswer(a *engine.Answer) {
	caveat := a.Caveat()
	if caveat != "" && a.Quoted() {
		p.put(caveat+":\n", p.styles.muted)
	}
	short := *a
	short.Text = a.Text[:runeStart(a.Text, min(len(a.Text), maxAnswerBytes))]
	for _, piece := range short.Pieces() {
		p.putPiece(piece, p.ink(a, piece))
	}
	if caveat != "" && !a.Quoted() {
		p.put("\n"+caveat+".", p.styles.muted)
	}
	if a.Problem != "" {
		p.put("\n"+a.Problem, p.styles.problem)
	}
}

// put appends words of the screen's own to the lines.
func (p *answerPane) put(text string, ink lipgloss.Style) {
	p.putPiece(engine.AnswerPiece{Text: text}, ink)
}

// putPiece appends a piece of an answer to the lines.
func (p *answerPane) putPiece(piece engine.AnswerPiece, ink lipgloss.Style) {
	for i, text := range strings.Split(piece.Text, "\n") {
		if i > 0 {
			p.lines = append(p.lines, answerLine{})
		}
		line := &p.lines[len(p.lines)-1]
		line.text += sanitize(text)
		line.spans = append(line.spans, answerSpan{len(line.text), piece, ink})
	}
}

// ink returns the style of a piece of an answer.
func (p *answerPane) ink(a *engine.Answer, piece engine.AnswerPiece) lipgloss.Style {
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
