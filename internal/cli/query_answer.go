package cli

import (
	"strings"

	"dowse/engine"
)

// doubtLegend explains engine.DoubtMark below an answer that has one.
const doubtLegend = engine.DoubtMark + " is not in the passages cited for it"

// answerText is an answer for people: its text, with what no passage supports
// marked, ending in an empty line. It is "" where there is none.
func answerText(paint func(style, string) string, a *engine.Answer) string {
	if a == nil || a.Text == "" {
		return ""
	}
	var b strings.Builder
	for _, p := range a.Pieces() {
		text := printable(p.Text)
		switch {
		case p.Citation > 0:
			text = paint(heading, text)
		case p.Highlight:
			text = paint(hit, text)
		case p.Doubt:
			text = paint(doubt, text)
		}
		b.WriteString(text)
	}
	if a.Doubtful() {
		b.WriteString("\n" + doubtLegend)
	}
	return b.String() + "\n\n"
}
