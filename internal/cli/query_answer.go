package cli

import (
	"strings"

	"dowse/engine"
)

// doubtLegend explains engine.DoubtMark below an answer that has one.
const doubtLegend = engine.DoubtMark + " is not in the passages cited for it"

// answerText is an answer for people, ending in an empty line: quotations and below them what a
// model wrote, or that there is no answer and below it the nearest quotation; ""
// without a text.
func answerText(paint func(style, string) string, a *engine.Answer) string {
	if a == nil || a.Text == "" {
		return ""
	}
	return quotationText(paint, a) + wordsText(paint, a) + nearestText(paint, a)
}

// nearestText is what stands below the words that decline; "" for nothing.
func nearestText(paint func(style, string) string, a *engine.Answer) string {
	if !a.Nearest() {
		return ""
	}
	return wordsText(paint, a.Quotation)
}

// quotationText is what stands above a text that a model writes; "" for none.
func quotationText(paint func(style, string) string, a *engine.Answer) string {
	if a.Quotation == nil || a.Nearest() {
		return ""
	}
	return wordsText(paint, a.Quotation) + paint(muted, engine.WrittenFrom+":") + "\n"
}

// wordsText is the text of an answer, with what no passage supports marked. One that
// is uncertain says so, and is muted.
func wordsText(paint func(style, string) string, a *engine.Answer) string {
	var b strings.Builder
	uncertain := a.Caveat() != ""
	if uncertain && a.Quoted() {
		b.WriteString(paint(muted, a.Caveat()+":") + "\n")
	}
	for _, p := range a.Pieces() {
		text := printable(p.Text)
		switch {
		case p.Citation > 0:
			text = paint(heading, text)
		case p.Doubt:
			text = paint(doubt, text)
		case uncertain:
			text = paint(muted, text)
		case p.Highlight:
			text = paint(hit, text)
		}
		b.WriteString(text)
	}
	if a.Doubtful() {
		b.WriteString("\n" + doubtLegend)
	}
	if uncertain && !a.Quoted() {
		b.WriteString("\n" + caveatBelow(paint, a))
	}
	return b.String() + "\n\n"
}

// caveatBelow says below a text that it is uncertain.
func caveatBelow(paint func(style, string) string, a *engine.Answer) string {
	return paint(muted, a.Caveat()+".")
}
