package guess

import (
	_ "embed" // the table of languages
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// languagesTable has a line a language: costs, and behind each the pairs of letters that have it.
// A cost is -2*log2 of the share that a pair has among all pairs with a letter outside of ASCII
// in running text; "_" is the edge of a word. Of Chinese (zh, and zt in traditional characters),
// Japanese and Korean it has single characters. The counts are of the word frequencies of
// wordfreq 3.1.1 (PyPI), for Thai of the words of hunspell-th, for Serbian of wordfreq's in
// Cyrillic letters, for Vietnamese with the tone behind its letter. Pairs that cost more than 20
// (alphabets that are not Latin) or 22 were left out, as were characters behind the first 500 to 700.
//
//go:embed languages.txt
var languagesTable string

// Costs, in half bits, of what no table has.
const (
	costOther    = 24 // a pair of letters that the language has not
	costNeighbor = 8  // more than in another language of the encoding
	costCapital  = 2  // more than the small letter
	costMidWord  = 30 // a capital behind a small letter
	costMixed    = 36 // a letter of ASCII beside one of another alphabet
	costEdge     = 10 // two letters of ASCII once they are small
	costDigit    = 8  // more than the edge of a word
	costControl  = 40
)

// language has what pairs of letters, or single characters, cost.
type language map[[2]rune]int

const edge = '_'

// languages are those of the table, by name.
var languages = sync.OnceValue(func() map[string]language {
	all := map[string]language{}
	for line := range strings.Lines(languagesTable) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		l := language{}
		cost := 0
		for field := range strings.FieldsSeq(rest) {
			if n, err := strconv.Atoi(field); err == nil {
				cost = n
				continue
			}
			runes := []rune(field)
			step := 2
			if isIdeographic(name) {
				step = 1
			}
			for i := 0; i+step <= len(runes); i += step {
				l[[2]rune{runes[i], runes[i+step-1]}] = cost
			}
		}
		all[name] = l
	}
	return all
})

// isIdeographic reports whether the table has single characters of a language.
func isIdeographic(name string) bool {
	return name == "zh" || name == "zt" || name == "ja" || name == "ko"
}

// union has what a pair costs in that of some languages where it costs least.
func union(of []language) language {
	all := language{}
	for _, l := range of {
		for pair, cost := range l {
			if known, ok := all[pair]; !ok || cost < known {
				all[pair] = cost
			}
		}
	}
	return all
}

// isWord reports whether a character is part of words.
func isWord(r rune) bool {
	return unicode.IsLetter(r) && r != 'ª' && r != 'º' || unicode.IsMark(r)
}

// pairCost returns what it costs that b follows a, one of which is outside of ASCII, in a
// language; all has what it costs in the languages of its neighbours.
func (l language) pairCost(all language, a, b rune) int {
	switch {
	case a == utf8.RuneError || b == utf8.RuneError || a >= 0x80 && unicode.IsControl(a) || b >= 0x80 && unicode.IsControl(b):
		return costControl
	case a >= 0x80 && !isWord(a) || b >= 0x80 && !isWord(b):
		return signCost(a, b)
	case isWord(a) && isWord(b) && unicode.IsLower(a) && unicode.IsUpper(b):
		return costMidWord
	case isASCIILetter(a) && isWord(b) && !unicode.In(b, unicode.Latin, unicode.Mn), isASCIILetter(b) && isWord(a) && !unicode.In(a, unicode.Latin, unicode.Mn):
		return costMixed
	}
	more := 0
	for _, r := range [...]*rune{&a, &b} {
		switch {
		case !isWord(*r):
			if '0' <= *r && *r <= '9' {
				more += costDigit
			}
			*r = edge
		case unicode.IsUpper(*r):
			if *r >= 0x80 {
				more += costCapital
			}
			*r = unicode.ToLower(*r)
		}
	}
	if a < 0x80 && b < 0x80 { // a capital with a dot is a small letter without one more
		return costEdge + more
	}
	if cost, ok := l[[2]rune{a, b}]; ok {
		return cost + more
	}
	if cost, ok := all[[2]rune{a, b}]; ok {
		return min(cost+costNeighbor, costOther) + more
	}
	return costOther + more
}
