package answer

import (
	"regexp"
	"strings"
	"unicode"
)

// Marks of Markdown that plain removes.
var (
	imageMark    = regexp.MustCompile(`!\[([^\]\n]*)\]\([^)\n]*\)`)
	linkMark     = regexp.MustCompile(`\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])`)
	emphasisMark = regexp.MustCompile(`(\*\*|__)(\S(?:[^*_\n]*\S)?)(?:\*\*|__)`)
	stressMark   = regexp.MustCompile(`(^|[\s("'])([*_])(\pL[\pL\pN '’-]*)[*_]($|[\s.,;:!?)"'])`)
	quoteMark    = regexp.MustCompile(`(?m)^[ \t]*(?:>[ \t]?)+`)
)

// plain is a piece as shown: code as it is, other text on one line without
// marks of links, emphasis and quotes, without control characters.
func plain(text string, k Kind) string {
	text = withoutControls(text)
	if k == Code {
		return strings.Trim(text, "\n")
	}
	text = quoteMark.ReplaceAllString(text, "")
	text = imageMark.ReplaceAllString(text, "$1")
	text = linkMark.ReplaceAllString(text, "$1")
	text = emphasisMark.ReplaceAllString(text, "$2")
	text = stressMark.ReplaceAllString(text, "$1$3$4")
	return strings.Join(strings.Fields(text), " ")
}

// withoutControls drops control and format characters, which move cursors, hide
// text or reverse it, and invalid UTF-8; it keeps line ends and tabs.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\u2028' || r == '\u2029':
			return '\n'
		case r == unicode.ReplacementChar || unicode.IsControl(r):
			return -1
		case r == '\u200d' || r == '\u200c': // parts of emoji and words
			return r
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
}
