package guess

import (
	"strings"
	"unicode"
)

// sides are what signs outside of ASCII cost beside a letter, beside a digit, and beside
// anything else, before the sign and behind it, in half bits.
type sides struct{ letter, digit, other int }

// signs says where such signs stand in texts.
var signs = []struct {
	signs         string
	before, after sides
}{
	{"„‚«‹¿¡", sides{36, 24, 8}, sides{8, 10, 14}},
	{"“‘", sides{16, 12, 8}, sides{12, 12, 10}},
	{"’", sides{8, 8, 12}, sides{10, 12, 8}},
	{"”", sides{10, 8, 12}, sides{24, 18, 8}},
	{"»›", sides{18, 10, 10}, sides{18, 18, 8}},
	{"…", sides{8, 8, 8}, sides{12, 12, 8}},
	{"–—", sides{18, 8, 7}, sides{18, 8, 7}},
	{"\u00a0", sides{16, 6, 20}, sides{20, 8, 8}},
	{"\u00ad", sides{12, 20, 20}, sides{12, 20, 20}},
	{"\u200c\u200d", sides{8, 12, 10}, sides{8, 12, 10}},
	{"\u200e\u200f", sides{16, 12, 10}, sides{16, 12, 10}},
	{"°º", sides{16, 6, 12}, sides{10, 14, 8}},
	{"ª", sides{24, 8, 16}, sides{24, 16, 10}},
	{"€£", sides{36, 8, 8}, sides{36, 8, 8}},
	{"²³™®", sides{10, 14, 14}, sides{22, 20, 10}},
	{"½¼¾×±§©•·µ№†", sides{30, 10, 10}, sides{30, 10, 10}},
}

// Costs of other signs.
const (
	costBox     = 4 // a line of a drawing goes on
	costBoxEdge = 14
	costBoxWord = 30
	costPair    = 30 // two signs
	costSpaced  = 10 // a sign and a space that does not break
	costSign    = 24
	costInWord  = 36
)

// signCost returns what it costs that b follows a, one of which is a sign outside of ASCII.
func signCost(a, b rune) int {
	if isBox(a) || isBox(b) {
		switch {
		case a == b:
			return costBox
		case isBox(a) && isBox(b):
			return costPair
		case isWord(a) || isWord(b):
			return costBoxWord
		}
		return costBoxEdge
	}
	aIs, bIs := a >= 0x80 && !isWord(a), b >= 0x80 && !isWord(b)
	switch {
	case aIs && bIs && (a == '\u00a0' || b == '\u00a0'):
		return costSpaced
	case aIs && bIs:
		return costPair
	case aIs:
		return sideCost(a, b, false)
	}
	return sideCost(b, a, true)
}

// sideCost returns what it costs that a sign has a neighbour, which stands before it or behind.
func sideCost(sign, neighbour rune, before bool) int {
	for _, s := range signs {
		if !strings.ContainsRune(s.signs, sign) {
			continue
		}
		side := s.after
		if before {
			side = s.before
		}
		switch {
		case isWord(neighbour):
			return side.letter
		case unicode.IsDigit(neighbour):
			return side.digit
		}
		return side.other
	}
	if isWord(neighbour) {
		return costInWord
	}
	return costSign
}

// isBox reports whether a character is a part of drawings.
func isBox(r rune) bool { return 0x2500 <= r && r <= 0x259f }
