package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/internal/fold"
)

// hasMarkedLatin reports whether a word has Latin letters beyond ASCII, and so another
// form without marks.
func hasMarkedLatin(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf && unicode.Is(unicode.Latin, r) })
}

// analyseHidden is analyseWord for a word with characters that nobody sees: its terms are
// those without.
func analyseHidden(l Language, word, visible string) []Token {
	terms := analyseWord(l, visible)
	for i := range terms {
		if t := &terms[i]; t.End < len(visible) {
			t.End = unhidden(word, t.End)
		} else {
			t.End = len(word)
		}
		terms[i].Start = unhidden(word, terms[i].Start)
	}
	return terms
}

// unhidden returns where in a word the byte stands that is at a place of its visible form.
func unhidden(word string, place int) int {
	for i, r := range word {
		switch {
		case fold.Ignorable(r):
		case place <= 0:
			return i
		default:
			place -= utf8.RuneLen(r)
		}
	}
	return len(word)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
