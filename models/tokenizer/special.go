package tokenizer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// matcher finds added tokens in raw text, leftmost first, then longest.
type matcher struct {
	tokens []addedToken // longest first
	first  string       // the distinct first bytes, when all are ASCII
}

func newMatcher(tokens []addedToken) matcher {
	m := matcher{tokens: slices.Clone(tokens)}
	slices.SortStableFunc(m.tokens, func(a, b addedToken) int {
		return cmp.Compare(len(b.Content), len(a.Content))
	})
	for _, a := range m.tokens {
		if c := a.Content[:1]; !strings.Contains(m.first, c) {
			m.first += c
		}
	}
	return m
}

// next finds the first added token in text at or after from. The match covers
// text[start:end]; id is noToken when there is none.
func (m *matcher) next(text string, from int) (start, end int, id int32) {
	for at := from; ; at++ {
		i := m.candidate(text[at:])
		if i < 0 {
			return len(text), len(text), noToken
		}
		at += i
		for _, a := range m.tokens {
			if !strings.HasPrefix(text[at:], a.Content) {
				continue
			}
			end := at + len(a.Content)
			if !a.SingleWord || !wordBefore(text[:at]) && !wordAfter(text[end:]) {
				start, end := a.strip(text, from, at, end)
				return start, end, a.ID
			}
			break // the longest token decides, as in the reference
		}
	}
}

// candidate finds the next byte that an added token starts with.
func (m *matcher) candidate(text string) int {
	if len(m.first) == 1 {
		return strings.IndexByte(text, m.first[0])
	}
	for i := range len(text) {
		if strings.IndexByte(m.first, text[i]) >= 0 {
			return i
		}
	}
	return -1
}

// strip widens a match by the white space that the token takes along.
func (a *addedToken) strip(text string, from, start, end int) (int, int) {
	if a.LStrip {
		start = from + len(strings.TrimRightFunc(text[from:start], unicode.IsSpace))
	}
	if a.RStrip {
		end = len(text) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
	}
	return start, end
}

func wordBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && isWordCharacter(r)
}

func wordAfter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && isWordCharacter(r)
}

func isWordCharacter(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || unicode.Is(unicode.Pc, r)
}
