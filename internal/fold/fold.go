package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// String folds a text: two texts that people take for the same have the same one.
func String(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	decomposed := norm.NFKD.String(strings.ToLower(Visible(s)))
	var out strings.Builder
	out.Grow(len(decomposed))
	for _, r := range decomposed {
		if isOptional(r) {
			continue
		}
		r = unicode.ToLower(r) // of compatible forms
		if plain := plainOf(r); plain != "" {
			out.WriteString(plain)
		} else {
			out.WriteRune(r)
		}
	}
	return norm.NFC.String(out.String())
}

// Lower is a text in small letters, in the composed forms that stemmers and lists of words
// have, its accents kept.
func Lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return norm.NFKC.String(strings.ToLower(Visible(s)))
}

// Visible is a text without the characters that Ignorable reports.
func Visible(s string) string {
	if isASCII(s) || strings.IndexFunc(s, Ignorable) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if Ignorable(r) {
			return -1
		}
		return r
	}, s)
}

// Ignorable reports whether a character only says how others are to be shown or divided: the
// soft hyphen, spaces without width, joiners, marks of direction, selectors of variants. It is
// no end of a word, and no part of one. (Default ignorable code points of Unicode, of
// categories Cf and Mn.)
func Ignorable(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return false
	case r == 0x00AD:
		return true
	case r < 0x061C || 0x2070 <= r && r < 0xFE00 && !isHangul(r):
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isHangul reports whether a character is the filler of Korean, in either of its forms.
func isHangul(r rune) bool { return r == 0x3164 || r == 0xFFA0 }

// optional are marks that people leave out when they type: accents, and the vowels and
// stretched lines of Arabic and Hebrew.
var optional = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0300, Hi: 0x036F, Stride: 1},
	{Lo: 0x0591, Hi: 0x05BD, Stride: 1}, {Lo: 0x05BF, Hi: 0x05C1, Stride: 2}, {Lo: 0x05C2, Hi: 0x05C4, Stride: 2}, {Lo: 0x05C5, Hi: 0x05C7, Stride: 2},
	{Lo: 0x0640, Hi: 0x064B, Stride: 0x0B}, {Lo: 0x064C, Hi: 0x0652, Stride: 1}, {Lo: 0x0670, Hi: 0x0670, Stride: 1},
}}

func isOptional(r rune) bool { return r >= 0x0300 && r <= 0x0670 && unicode.Is(optional, r) }

// plainOf returns what people without the key for a character type in its place, where it is
// no letter with a mark to Unicode; "" of others.
func plainOf(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'þ':
		return "th"
	case 'ø', 'ɵ':
		return "o"
	case 'đ', 'ð', 'ɖ', 'ɗ':
		return "d"
	case 'ł', 'ƚ', 'ɫ':
		return "l"
	case 'ı', 'ɨ':
		return "i"
	case 'ħ', 'ɦ':
		return "h"
	case 'ŧ', 'ⱦ', 'ƭ', 'ʈ':
		return "t"
	case 'ŋ', 'ɲ', 'ƞ':
		return "n"
	case 'ĸ', 'ƙ':
		return "k"
	case 'ƀ', 'ɓ':
		return "b"
	case 'ƶ', 'ȥ':
		return "z"
	case 'ǥ', 'ɠ':
		return "g"
	case 'ʉ':
		return "u"
	case 'ƴ', 'ɏ':
		return "y"
	case 'ȼ', 'ƈ':
		return "c"
	case 'ɉ', 'ȷ':
		return "j"
	case 'ɍ':
		return "r"
	case 'ɇ':
		return "e"
	case 'ⱥ':
		return "a"
	case 'ς':
		return "σ"
	case 0x2010, 0x2011, 0x2012, 0x2013, 0x2212:
		return "-"
	case 0x2018, 0x2019:
		return "'"
	}
	return ""
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
