package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold lowers the case and takes accents off: compatible forms are unified
// (NFKD), combining diacritical marks dropped, the rest composed again.
func fold(word string) string {
	lower := strings.ToLower(word)
	if isASCII(lower) {
		return lower
	}
	decomposed := norm.NFKD.String(lower)
	stripped := strings.Map(func(r rune) rune {
		if r >= 0x0300 && r <= 0x036F {
			return -1
		}
		return unicode.ToLower(r)
	}, decomposed)
	return norm.NFC.String(stripped)
}

// foldIn folds a word of a language. In other languages than English, letters that are no
// letter with a mark in Unicode, but are typed as one without, are replaced too.
func foldIn(l Language, word string) string {
	word = fold(word)
	if l == English || isASCII(word) {
		return word
	}
	return plainLetters.Replace(word)
}

// plainLetters are what people without the key type for letters that do not decompose.
var plainLetters = strings.NewReplacer("ß", "ss", "ø", "o", "æ", "ae", "œ", "oe", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ς", "σ")

// lower is a word in small letters, in the composed forms that stemmers know.
func lower(word string) string {
	lower := strings.ToLower(word)
	if isASCII(lower) {
		return lower
	}
	return norm.NFKC.String(lower)
}

// hasMarkedLatin reports whether a word has Latin letters beyond ASCII, and so another
// form without marks.
func hasMarkedLatin(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf && unicode.Is(unicode.Latin, r) })
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
