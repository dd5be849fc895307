package tokenizer

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"dowse/models/tokenizer/internal/split"
)

// composeAligned brings text into Normalization Form C (Unicode Standard Annex
// 15). The library's own function is asked only whether there is anything to
// do, because it breaks up long runs of marks (the stream-safe format), which
// the reference does not.
func composeAligned(a aligned) aligned {
	done := norm.NFC.QuickSpanString(a.text)
	if done == len(a.text) {
		return a
	}
	w := newRewrite(a)
	for at := 0; at < len(a.text); {
		end := at + segmentLength(a.text[at:])
		if segment := a.text[at:end]; end-at == 1 || !utf8.ValidString(segment) {
			w.Keep(at, end)
		} else if composed := compose(segment); composed == segment {
			w.Keep(at, end)
		} else {
			w.Put(composed, at, end)
		}
		at = end
	}
	return w.done()
}

// segmentLength returns the length of the first character and of those after
// it that can interact with it. A byte that is not UTF-8 stands alone.
func segmentLength(text string) int {
	r, at := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && at == 1 {
		return at
	}
	for at < len(text) {
		p := norm.NFC.PropertiesString(text[at:])
		if p.Size() == 0 || p.BoundaryBefore() {
			break
		}
		r, width := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && width == 1 {
			break
		}
		at += width
	}
	return at
}

// compose decomposes a segment, orders its marks and composes what composes.
func compose(segment string) string {
	var runes []rune
	for _, r := range segment {
		runes = appendDecomposed(runes, r)
	}
	for start := 0; start < len(runes); {
		end := start + 1
		if composeClass(runes[start]) != 0 {
			for end < len(runes) && composeClass(runes[end]) != 0 {
				end++
			}
			slices.SortStableFunc(runes[start:end], func(a, b rune) int {
				return int(composeClass(a)) - int(composeClass(b))
			})
		}
		start = end
	}
	return string(composeOrdered(runes))
}

func appendDecomposed(runes []rune, r rune) []rune {
	if !isHangulSyllable(r) {
		return append(runes, decompose(r)...)
	}
	s := r - hangulFirst
	runes = append(runes, hangulLeading+s/(hangulVowels*hangulTrailers),
		hangulVowel+s%(hangulVowels*hangulTrailers)/hangulTrailers)
	if trailer := s % hangulTrailers; trailer > 0 {
		runes = append(runes, hangulTrailing+trailer)
	}
	return runes
}

// composeOrdered joins each character with the last starter before it, unless
// another character of the same or a higher class stands between them.
func composeOrdered(runes []rune) []rune {
	out := runes[:0:0]
	starter, lastClass := -1, uint32(0)
	for _, r := range runes {
		class := composeClass(r)
		blocked := starter >= 0 && starter < len(out)-1 && lastClass >= class
		if starter >= 0 && !blocked {
			if c, ok := composePair(out[starter], r); ok {
				out[starter] = c
				continue
			}
		}
		if class == 0 {
			starter = len(out)
		}
		lastClass = class
		out = append(out, r)
	}
	return out
}

// composePair returns the character that a and b compose to.
func composePair(a, b rune) (rune, bool) {
	if leading, vowel := a-hangulLeading, b-hangulVowel; leading >= 0 && leading < hangulLeaders && vowel >= 0 && vowel < hangulVowels {
		return hangulFirst + (leading*hangulVowels+vowel)*hangulTrailers, true
	}
	if isHangulSyllable(a) {
		trailer := b - hangulTrailing
		if (a-hangulFirst)%hangulTrailers == 0 && trailer > 0 && trailer < hangulTrailers {
			return a + trailer, true
		}
		return 0, false
	}
	both := norm.NFC.String(string(a) + string(b))
	r, width := utf8.DecodeRuneInString(both)
	return r, width == len(both) && !newDecompositions.Contains(r)
}

// composeClass returns the canonical combining class of r.
func composeClass(r rune) uint32 {
	if newClasses.Contains(r) {
		return 0
	}
	return combiningClass(r)
}

// newClasses are the marks that the reference does not know to be some, and so
// neither orders nor looks past.
var newClasses = split.Ranges{
	{0x7fd, 0x7fd}, {0x898, 0x89f}, {0x8ca, 0x8d3}, {0x9fe, 0x9fe}, {0xc3c, 0xc3c}, {0xd3b, 0xd3c}, {0xeba, 0xeba},
	{0x1715, 0x1715}, {0x1abf, 0x1ace}, {0x1df6, 0x1dfa}, {0xa82c, 0xa82c}, {0x10d24, 0x10d27}, {0x10eab, 0x10eac},
	{0x10efd, 0x10eff}, {0x10f46, 0x10f50}, {0x10f82, 0x10f85}, {0x11070, 0x11070}, {0x1133b, 0x1133b},
	{0x1145e, 0x1145e}, {0x11839, 0x1183a}, {0x1193d, 0x1193e}, {0x11943, 0x11943}, {0x119e0, 0x119e0},
	{0x11a34, 0x11a34}, {0x11a47, 0x11a47}, {0x11a99, 0x11a99}, {0x11d42, 0x11d42}, {0x11d44, 0x11d45},
	{0x11d97, 0x11d97}, {0x11f41, 0x11f42}, {0x16ff0, 0x16ff1}, {0x1e08f, 0x1e08f}, {0x1e130, 0x1e136},
	{0x1e2ae, 0x1e2ae}, {0x1e2ec, 0x1e2ef}, {0x1e4ec, 0x1e4ef},
}
