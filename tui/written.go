package tui

import (
	"strings"

	"dowse/engine"
	"dowse/internal/pattern"
	"dowse/tui/rich"

	"github.com/charmbracelet/lipgloss"
)

// putWritten appends pieces of a model's text, which is Markdown, as it is meant.
func (p *prose) putWritten(a *engine.Answer, pieces []engine.AnswerPiece) {
	sources := []rich.Source{{}}
	for id, piece := range pieces {
		for i, text := range strings.Split(piece.Text, "\n") {
			if i > 0 {
				sources = append(sources, rich.Source{})
			}
			line := &sources[len(sources)-1]
			start := len(line.Text)
			line.Text += sanitize(text)
			if end := len(line.Text); end > start && (engine.AnswerPiece{Text: piece.Text}) != piece {
				line.Marks = append(line.Marks, rich.Mark{Start: start, End: end, ID: id})
			}
		}
	}
	for i, line := range rich.Markdown(sources, true, false) {
		blank := strings.TrimSpace(line.Text) == ""
		if blank && p.lines[len(p.lines)-1].text == "" {
			continue // a fence beside an empty line
		}
		if i > 0 {
			p.lines = append(p.lines, proseLine{})
		}
		p.putLine(a, line, pieces)
	}
	for n := len(p.lines); n > 1 && p.lines[n-1].text == ""; n-- {
		p.lines = p.lines[:n-1]
	}
}

// itemLead matches what stands before the text of an item or a quotation.
var itemLead = pattern.New(`^ *(?:│ )*(?:[•☐☑] |\d{1,3}[.)] )?`)

// putLine appends a line in the inks of what it means and of the pieces that it has.
func (p *prose) putLine(a *engine.Answer, line rich.Line, pieces []engine.AnswerPiece) {
	to := &p.lines[len(p.lines)-1]
	base := len(to.text)
	to.text += line.Text
	if base == 0 {
		to.hang = width(itemLead.FindString(line.Text))
	}
	looks, marks := line.Spans, line.Marks
	for at := 0; at < len(line.Text); {
		end, look, piece := len(line.Text), rich.Look(0), engine.AnswerPiece{}
		for len(looks) > 0 && looks[0].End <= at {
			looks = looks[1:]
		}
		for len(marks) > 0 && marks[0].End <= at {
			marks = marks[1:]
		}
		if len(looks) > 0 && looks[0].Start <= at {
			look, end = looks[0].Look, min(end, looks[0].End)
		} else if len(looks) > 0 {
			end = min(end, looks[0].Start)
		}
		if len(marks) > 0 && marks[0].Start <= at {
			piece, end = pieces[marks[0].ID], min(end, marks[0].End)
		} else if len(marks) > 0 {
			end = min(end, marks[0].Start)
		}
		to.spans = append(to.spans, proseSpan{base + end, piece, p.writtenInk(a, piece, look)})
		at = end
	}
}

// writtenInk returns the style of a piece that is meant so: what marks the piece goes first.
func (p *prose) writtenInk(a *engine.Answer, piece engine.AnswerPiece, look rich.Look) lipgloss.Style {
	ink := p.ink(a, piece)
	switch {
	case piece.Citation > 0 || piece.Doubt:
		return ink
	case piece.Highlight:
		look &= rich.Strong | rich.Emphasis | rich.Strike
	}
	return p.styles.look(ink, look)
}

// hanging wraps a line to w cells and at most most rows, of which all but the first are indented by hang.
func hanging(line proseLine, w, most int) (ranges []textRange, hang int) {
	if line.hang == 0 || line.hang > w/2 || most < 2 {
		ranges, _ = wrap(line.text, w, most)
		return ranges, 0
	}
	ranges, more := wrap(line.text, w, 1)
	if !more {
		return ranges, 0
	}
	start := ranges[0].end
	if strings.HasPrefix(line.text[start:], " ") {
		start++
	}
	rest, _ := wrap(line.text[start:], w-line.hang, most-1)
	for _, r := range rest {
		ranges = append(ranges, textRange{r.start + start, r.end + start})
	}
	return ranges, line.hang
}
