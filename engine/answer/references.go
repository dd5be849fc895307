package answer

import (
	"strings"

	"dowse/internal/pattern"
)

// Marks of references to footnotes and sources within a sentence, as articles and notes
// copied from them have: [3], [^3], [\[3\]](#cite-3), [[3]](https://x.y/3). A run of them is
// taken out whole, with what stands between them.
const (
	// noteMark is a mark that nothing else looks like.
	noteMark = `(?:\[\^[^\]\s]{1,32}\]|\[\\?\[[0-9]{1,3}\\?\]\](?:\([^)\n]*\))?|\[[0-9]{1,3}\]\(#[^)\n]*\)|\[citation needed\])`
	// sourceMark is one too, where it is not an index, as in a[1], or the name of a source
	// in the sentence, as in "see [3]".
	sourceMark = `(?:` + noteMark + `|\\?\[[0-9]{1,3}(?:, ?[0-9]{1,3})*\\?\])`
	between    = `(?:\s?[,;–-]\s?|\s)?`
)

var (
	noteMarks   = pattern.New(`\s?` + noteMark + `(?:` + between + sourceMark + `)*:?`)
	sourceMarks = pattern.New(`([.,;:!?%"”’)])` + sourceMark + `(?:` + between + sourceMark + `)*`)
	markRuns    = pattern.New(`\s?` + sourceMark + `(?:` + between + sourceMark + `)+`)
	leadingMark = pattern.New(`^[\s,;–-]*` + sourceMark + `(?:` + between + sourceMark + `)*[\s,;]*`)
	codeSpan    = pattern.New("`[^`\n]+`")
)

// withoutReferences is a text of one piece without marks of references; spans of code stay
// as they are, and a text that is nothing else.
func withoutReferences(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	var b strings.Builder
	at := 0
	for _, span := range append(codeSpan.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		b.WriteString(withoutMarks(text[at:span[0]], at == 0))
		b.WriteString(text[span[0]:span[1]])
		at = span[1]
	}
	if clean := b.String(); strings.TrimSpace(clean) != "" {
		return clean
	}
	return text
}

// withoutMarks is withoutReferences of what lies between spans of code.
func withoutMarks(text string, begins bool) string {
	text = noteMarks.ReplaceAllString(text, "")
	text = sourceMarks.ReplaceAllString(text, "$1")
	text = markRuns.ReplaceAllString(text, "")
	if begins {
		text = leadingMark.ReplaceAllString(text, "")
		text = strings.TrimLeft(text, ",; ")
	}
	return text
}
