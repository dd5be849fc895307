package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"dowse/engine"
	"dowse/internal/pattern"
	"dowse/tui"
)

// liveAnswer writes passages, and below them an answer that grows. Written text is never taken
// back: whether the passages support the answer is told when it is complete.
type liveAnswer struct {
	out     io.Writer
	paint   func(style, string) string
	shown   bool   // the passages
	quoted  bool   // the quotation
	written string // of the answer's text, without white space at its ends
	open    bool   // the cursor stands behind text
	escapes bool   // out takes them: what the person waits for may be shown
	waiting bool   // it is, on the cursor's line
	failed  error  // the first error of out
	lines   int    // of a passage
}

// found writes the passages, once: a search that is made again finds them again.
func (l *liveAnswer) found(passages []engine.Passage) {
	if l.shown || len(passages) == 0 {
		return
	}
	l.shown = true
	l.write(passagesText(l.paint, passages, true, l.lines) + "\n")
}

// quote writes what is quoted, once, above what a model writes from it.
func (l *liveAnswer) quote(a *engine.Answer) {
	if !l.quoted && a.Quotation != nil && !a.Nearest() {
		l.quoted = true
		l.write(quotationText(l.paint, a))
	}
}

// grow writes what a longer text adds. A text that does not begin with what was
// written waits for the end.
func (l *liveAnswer) grow(a *engine.Answer) {
	l.quote(a)
	l.wait(a)
	text := strings.TrimSpace(withoutBegunCitation(a.Text))
	if more, ok := strings.CutPrefix(text, l.written); ok && more != "" {
		l.write(paintCitations(l.paint, printable(more)))
		l.written, l.open = text, true
	}
}

// wait shows on one line what the first word waits for, until something else is
// written.
func (l *liveAnswer) wait(a *engine.Answer) {
	if l.escapes && !l.open && a.Text == "" && a.Reading != nil {
		l.write(l.paint(muted, printable(a.How)+" is "+a.Reading.Text()+"…"))
		l.waiting = true
	}
}

// endWait removes what was waited for.
func (l *liveAnswer) endWait() {
	if l.waiting {
		l.waiting = false
		l.write("\r\x1b[K")
	}
}

// endLine ends a line that has begun.
func (l *liveAnswer) endLine() {
	l.endWait()
	if l.open {
		l.write("\n")
		l.open = false
	}
}

// finish writes what is missing: of a growing answer its end, what no passage
// supports, the places that it cites, and who wrote it.
func (l *liveAnswer) finish(result *engine.Result) error {
	l.found(result.Passages)
	l.answered(result.Answer)
	l.write(contextText(l.paint, result.Context))
	return l.failed
}

// answered writes what is missing of the answer.
func (l *liveAnswer) answered(a *engine.Answer) {
	if a == nil || a.Text == "" {
		l.endLine()
		return
	}
	l.quote(a)
	rest, grown := strings.CutPrefix(a.Text, l.written)
	switch {
	case l.quoted && (a.Quotation == nil || a.Nearest()): // what was written did not follow from the quotation
		l.endLine()
		l.write(l.withdrawn(a))
	case l.written != "" && grown:
		l.write(paintCitations(l.paint, printable(rest)) + "\n" + doubtsText(a) + l.caveat(a))
	case strings.HasPrefix(l.written, a.Text): // its end was dropped
		l.write(" …\n" + doubtsText(a) + l.caveat(a))
	default: // it did not grow, or another one takes its place
		l.endLine()
		l.write(strings.TrimSuffix(wordsText(l.paint, a)+nearestText(l.paint, a), "\n"))
	}
	l.open = false
	l.write(sourcesText(l.paint, a))
}

// withdrawn says what became of a text that was written below a quotation and is not
// part of the answer.
func (l *liveAnswer) withdrawn(a *engine.Answer) string {
	switch {
	case a.Problem != "":
		return ""
	case a.Declined:
		return engine.UnansweredText + l.paint(muted, " What is quoted is the nearest that they say.") + "\n"
	}
	return l.paint(muted, "The passages do not say all of this: what is quoted stands.") + "\n"
}

// caveat is a line below an answer that was written and is uncertain.
func (l *liveAnswer) caveat(a *engine.Answer) string {
	if a.Caveat() == "" {
		return ""
	}
	return caveatBelow(l.paint, a) + "\n"
}

func (l *liveAnswer) write(text string) {
	l.endWait()
	if _, err := io.WriteString(l.out, text); l.failed == nil {
		l.failed = err
	}
}

// sourcesText lists the places that an answer cites, and who wrote it.
func sourcesText(paint func(style, string) string, a *engine.Answer) string {
	var b strings.Builder
	for _, c := range a.Citations {
		place := tui.Sanitize(shorten(c.Path) + c.Behind(c.LineStart))
		fmt.Fprintf(&b, "%s %s\n", paint(heading, fmt.Sprintf("[%d]", c.N)), paint(path, place))
	}
	if facts := authorText(a); facts != "" {
		b.WriteString(facts + "\n")
	}
	return b.String()
}

// authorText says which model wrote an answer, and how fast; "" for none.
func authorText(a *engine.Answer) string {
	if a.How == "" || a.How == engine.Extracted {
		return ""
	}
	facts := []string{"by " + printable(a.How)}
	if g := a.Generation; g != nil {
		facts = append(facts, fmt.Sprintf("%d tokens", g.Tokens))
		if g.Speed > 0 {
			facts = append(facts, fmt.Sprintf("%.0f a second", g.Speed))
		}
		if g.Drafted > 0 {
			facts = append(facts, fmt.Sprintf("%d of %d drafted accepted", g.Accepted, g.Drafted))
		}
		if back := g.Restored + g.Recomputed; back > 0 {
			took := time.Duration(g.RestoreMillis * float64(time.Millisecond)).Round(time.Millisecond)
			facts = append(facts, fmt.Sprintf("%s tokens of the conversation back in %s", humanize.Comma(int64(back)), took))
		}
	}
	facts = append(facts, time.Duration(a.Millis*float64(time.Millisecond)).Round(10*time.Millisecond).String())
	return strings.Join(facts, ", ")
}

const (
	mostDoubt  = 60 // letters that are shown of a piece
	mostDoubts = 4  // pieces
)

// doubtsText lists what no passage supports of an answer that was written
// without marks; "" where there is nothing.
func doubtsText(a *engine.Answer) string {
	var pieces []string
	for _, s := range a.Sentences {
		for _, u := range s.Unsupported {
			piece := clip(printable(strings.Join(strings.Fields(a.Text[u.Start:u.End]), " ")), mostDoubt)
			if u.Elsewhere > 0 {
				piece += fmt.Sprintf(" (but in [%d])", u.Elsewhere)
			}
			pieces = append(pieces, piece)
		}
	}
	if len(pieces) == 0 {
		return ""
	}
	if more := len(pieces) - mostDoubts; more > 0 {
		pieces = append(pieces[:mostDoubts], fmt.Sprintf("and %d more", more))
	}
	return doubtLegend + ": " + strings.Join(pieces, "; ") + "\n"
}

var begunCitation = pattern.New(`\[[0-9, ]{0,16}$`)

// paintCitations colours [1] and [1, 2].
func paintCitations(paint func(style, string) string, text string) string {
	return engine.CitationMark.ReplaceAllStringFunc(text, func(mark string) string { return paint(heading, mark) })
}

// withoutBegunCitation leaves out a citation at the end that has only begun.
func withoutBegunCitation(text string) string {
	return begunCitation.ReplaceAllString(text, "")
}
