package lexical

import (
	"unicode"
	"unicode/utf8"

	"dowse/internal/fold"
)

// span is a word of a text: a run of letters, digits, marks and underscores.
// dense says that it is of a script that puts no spaces between words.
type span struct {
	start, end int
	dense      bool
}

// denseScripts put no spaces between words, or, as Korean, hang so much on
// words that parts of them serve search better.
var denseScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// Classes of characters.
const (
	classOther = iota
	classWord
	classMark // belongs to the word before it
	classDense
)

// asciiClass is the class of each ASCII character.
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
			return classMark // a soft hyphen ends no word
		}
		return classOther
	case IsDense(r):
		return classDense
	}
	return classWord
}

// isSoundMark reports whether r is the Japanese sound mark, which belongs to both
// kana and so to neither script.
func isSoundMark(r rune) bool { return r == 0x30FC || r == 0xFF70 }

// isVoicing reports whether r is a half-width mark of Japanese, which is a letter to
// Unicode and belongs to the character before it.
func isVoicing(r rune) bool { return r == 0xFF9E || r == 0xFF9F }

// IsWord reports whether a character belongs to a word: a letter, a number, an
// underscore, or a mark on one of these.
func IsWord(r rune) bool { return classOf(r) != classOther }

// IsMark reports whether a character is a mark on the one before it.
func IsMark(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Mc) || isVoicing(r) || isJamoAfter(r)
}

// isJamoAfter reports whether r is a vowel or a last consonant of Korean, as macOS writes
// syllables in the names of files: in parts, of which the first begins a character.
func isJamoAfter(r rune) bool {
	return 0x1160 <= r && r <= 0x11FF || 0xD7B0 <= r && r <= 0xD7FF
}

// IsDense reports whether a character, which may be a mark, is of a script that
// is indexed by pairs of characters.
func IsDense(r rune) bool {
	return isSoundMark(r) || r >= 0x0E00 && unicode.In(r, denseScripts...)
}

// nextWord finds the first word at or after from; ok is false at the end.
// A word ends where spaced and dense scripts meet.
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

// pairs calls emit with the byte ranges of every two neighbouring characters
// of a word of a dense script, marks included, or of its only one.
func pairs(text string, w span, emit func(start, end int)) {
	var starts [3]int // of the last characters
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

// lastCharacter returns where the last character of a word begins, with its marks.
func lastCharacter(word string) int {
	last := 0
	for i, r := range word {
		if classOf(r) != classMark {
			last = i
		}
	}
	return last
}
