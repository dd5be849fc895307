package document

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shift says whether text stands on its line.
type Shift byte

// Shifts, as plain text writes them.
const (
	OnLine  Shift = 0
	Raised  Shift = '^' // superscript
	Lowered Shift = '_' // subscript
)

// ShiftNamed returns the shift that elements, commands and attributes of this name give, OnLine for other names.
func ShiftNamed(name string) Shift {
	switch strings.ToLower(name) {
	case "sup", "superscript":
		return Raised
	case "sub", "subscript":
		return Lowered
	}
	return OnLine
}

// Shifted is text that is written piece by piece.
type Shifted struct {
	strings.Builder
	At Shift // of the last piece
}

// Turn writes what keeps the next piece apart, if that has another shift than the last one.
func (t *Shifted) Turn(shift Shift, next string) {
	if shift != t.At {
		t.At = shift
		t.WriteString(shift.Mark(t.String(), next))
	}
}

// Reset empties the text.
func (t *Shifted) Reset() {
	t.Builder.Reset()
	t.At = OnLine
}

// shortWord is the most letters that a unit or a symbol has: what is raised behind a longer word is the mark of a note.
const shortWord = 3

// Mark returns what keeps text apart from the text before it, so that plain text does not join them to another number
// or word: "10^5", "101_2", "shown^1". It is empty where people write both as one: "m2", "CO2", "5th".
func (s Shift) Mark(before, text string) string {
	if s == OnLine || !isNumber(text) {
		return ""
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case before == "" || unicode.IsSpace(last):
		return ""
	case unicode.IsDigit(last):
		return string(s)
	case s == Lowered:
		return ""
	case unicode.IsLetter(last):
		end := before[max(0, len(before)-(shortWord+1)*utf8.UTFMax):]
		if utf8.RuneCountInString(end[strings.LastIndexFunc(end, notLetter)+1:]) <= shortWord {
			return ""
		}
	}
	return string(s)
}

// isNumber reports whether a text begins with a digit or a sign.
func isNumber(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsDigit(first) || strings.ContainsRune("+-−–", first)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }
