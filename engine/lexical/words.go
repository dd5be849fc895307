package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/internal/fold"
)

// span is a word of a text: a run of letters, digits, marks and underscores; dense if its script
// puts no spaces between words.
type span struct {
	start, end int
	dense      bool
}

// denseScripts put no spaces between words, or like Korean attach so much to words that pairs of
// characters serve search better.
var denseScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// Classes of characters.
const (
	classOther = iota
	classWord
	classMark // belongs to the preceding word
	classDense
)

var asciiClass = func() (table [utf8.RuneSelf]uint8) {
	for c := range table {
		if c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			table[c] = classWord
		}
	}
	return table
}()

func classOf(r rune) uint8 {
	switch {
	case r < utf8.RuneSelf:
		return asciiClass[r]
	case isSoundMark(r):
		return classDense
	case IsMark(r):
		return classMark
	case !unicode.In(r, unicode.L, unicode.N):
		if fold.Ignorable(r) {
			return classMark // a soft hyphen does not end a word
		}
		return classOther
	case IsDense(r):
		return classDense
	}
	return classWord
}

// isSoundMark reports whether r is the Japanese sound mark, which belongs to both kana.
func isSoundMark(r rune) bool { return r == 0x30FC || r == 0xFF70 }

// isVoicing reports whether r is a half-width Japanese mark, which Unicode counts as a letter.
func isVoicing(r rune) bool { return r == 0xFF9E || r == 0xFF9F }

// IsWord reports whether a character belongs to a word: a letter, number, underscore or mark.
func IsWord(r rune) bool { return classOf(r) != classOther }

// IsMark reports whether a character is a mark on the one before it.
func IsMark(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Mc) || isVoicing(r) || isJamoAfter(r)
}

// isJamoAfter reports whether r is a Korean vowel or last consonant, as macOS decomposes
// syllables in file names.
func isJamoAfter(r rune) bool {
	return 0x1160 <= r && r <= 0x11FF || 0xD7B0 <= r && r <= 0xD7FF
}

// IsDense reports whether a character, or a mark, is of a script that is indexed by pairs.
func IsDense(r rune) bool {
	return isSoundMark(r) || r >= 0x0E00 && unicode.In(r, denseScripts...)
}

// nextWord finds the first word at or after from; ok is false at the end. A word ends where
// spaced and dense scripts meet.
func nextWord(text string, from int) (w span, ok bool) {
	state := uint8(classOther)
	for i := from; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		class := classOf(r)
		switch {
		case state == classOther:
			if class == classWord || class == classDense {
				state, w.start = class, i
			}
		case class != state && class != classMark:
			w.end, w.dense = i, state == classDense
			return w, true
		}
		i += size
	}
	if state == classOther {
		return span{}, false
	}
	w.end, w.dense = len(text), state == classDense
	return w, true
}

// pairs calls emit with the byte ranges of every two neighbouring characters of a dense word,
// marks included, or of its only one.
func pairs(text string, w span, emit func(start, end int)) {
	var starts [3]int // of the previous characters
	n := 0
	for i := w.start; i < w.end; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if n == 0 || classOf(r) != classMark {
			if n >= 2 {
				emit(starts[0], i)
				starts[0] = starts[1]
				n--
			}
			starts[n] = i
			n++
		}
		i += size
	}
	if n > 0 {
		emit(starts[0], w.end)
	}
}

// lastCharacter returns where the last character of a word begins, marks included.
func lastCharacter(word string) int {
	last := 0
	for i, r := range word {
		if classOf(r) != classMark {
			last = i
		}
	}
	return last
}

// hasMarkedLatin reports whether a word has Latin letters beyond ASCII.
func hasMarkedLatin(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf && unicode.Is(unicode.Latin, r) })
}

// analyseHidden is analyseWord for a word with invisible characters, which are ignored.
func analyseHidden(l Language, word, visible string) (whole string, parts []Token) {
	whole, parts = analyseWord(l, visible)
	for i := range parts {
		if t := &parts[i]; t.End < len(visible) {
			t.End = unhidden(word, t.End)
		} else {
			t.End = len(word)
		}
		parts[i].Start = unhidden(word, parts[i].Start)
	}
	return whole, parts
}

// unhidden maps a byte of a word's visible form to the word.
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
