package fold

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text is a folded text that knows where each of its bytes comes from.
type Text struct {
	Folded string
	size   int     // of the text as it is written
	from   []int32 // by byte of Folded: where what it came from begins; nil where nothing moved
}

// Of folds a text as String does.
func Of(s string) Text {
	t := Text{size: len(s)}
	if isASCII(s) {
		t.Folded = strings.ToLower(s)
		return t
	}
	var out strings.Builder
	out.Grow(len(s))
	t.from = make([]int32, 0, len(s))
	for at := 0; at < len(s); {
		end := nextUnit(s, at)
		unit := s[at:end]
		if !isWhole(unit) {
			unit = String(unit)
		} else if unit[0] < utf8.RuneSelf {
			unit = strings.ToLower(unit)
		}
		out.WriteString(unit)
		for range len(unit) {
			t.from = append(t.from, int32(at))
		}
		at = end
	}
	t.Folded = out.String()
	return t
}

// Range returns the bytes of the text as it is written that bytes of Folded stand for; false
// where these begin or end within a character.
func (t *Text) Range(start, end int) (from, to int, ok bool) {
	if t.from == nil {
		return start, end, true
	}
	if t.isWithin(start) || t.isWithin(end) {
		return 0, 0, false
	}
	return t.at(start), t.at(end), true
}

func (t *Text) at(i int) int {
	if i == len(t.from) {
		return t.size
	}
	return int(t.from[i])
}

// isWithin reports whether a byte of Folded stands within what one character became.
func (t *Text) isWithin(i int) bool {
	return i > 0 && i < len(t.from) && t.from[i] == t.from[i-1]
}

// nextUnit returns where the characters end that fold as one: a character and what combines
// with it, those that are ignored between them as well.
func nextUnit(s string, at int) int {
	if s[at] < utf8.RuneSelf && (at+1 == len(s) || s[at+1] < utf8.RuneSelf) {
		return at + 1
	}
	_, size := utf8.DecodeRuneInString(s[at:])
	for at += size; at < len(s) && s[at] >= utf8.RuneSelf; at += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[at:])
		if !Ignorable(r) && norm.NFKC.PropertiesString(s[at:]).BoundaryBefore() {
			break
		}
	}
	return at
}

// isWhole reports whether a unit is a single character without another form: most
// characters are, those of Chinese texts among them.
func isWhole(unit string) bool {
	if unit[0] < utf8.RuneSelf {
		return len(unit) == 1
	}
	r, size := utf8.DecodeRuneInString(unit)
	return size == len(unit) && 0x3400 <= r && r < 0xA000
}
