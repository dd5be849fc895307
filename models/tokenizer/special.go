package tokenizer

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedToken is an entry found in the text before the model sees it.
type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word,omitempty"` // not next to a letter, digit or underscore
	LStrip     bool   `json:"lstrip,omitempty"`      // takes the white space before it along
	RStrip     bool   `json:"rstrip,omitempty"`      // takes the white space after it along
	Normalized bool   `json:"normalized,omitempty"`  // is looked for in normalised text
	Special    bool   `json:"special,omitempty"`     // steers the model, is no part of a text
}

// addedSet finds added tokens, some in the raw and some in the normalised text.
type addedSet struct{ raw, normalized *matcher }

// tokenForms are added tokens' normalised forms, which may include the space
// before them, for search in normalised text.
type tokenForms map[int32][]byte

// specialIDs is the set of tokens that are no part of a text.
type specialIDs map[int32]struct{}

func newSpecialIDs(tokens []addedToken) specialIDs {
	s := make(specialIDs, len(tokens))
	for _, a := range tokens {
		s[a.ID] = struct{}{}
	}
	return s
}

func (s specialIDs) has(id int32) bool {
	_, ok := s[id]
	return ok
}

// rawTokens are those that are looked for before normalisation.
func rawTokens(tokens []addedToken) (raw []addedToken) {
	for _, a := range tokens {
		if !a.Normalized {
			raw = append(raw, a)
		}
	}
	return raw
}

// matcher finds added tokens, leftmost first, then longest.
type matcher struct {
	tokens []addedToken // ascending by content
	first  [256]bool    // whether a token starts with this byte
	only   string       // that byte, where it is one
}

func newMatcher(tokens []addedToken) *matcher {
	m := &matcher{tokens: slices.Clone(tokens)}
	slices.SortStableFunc(m.tokens, func(a, b addedToken) int { return cmp.Compare(a.Content, b.Content) })
	starts := ""
	for _, a := range m.tokens {
		if c := a.Content[:1]; !m.first[c[0]] {
			m.first[c[0]] = true
			starts += c
		}
	}
	if len(starts) == 1 {
		m.only = starts
	}
	return m
}

// next finds the first added token, text[start:end], at or after from; id is
// noToken without one.
func (m *matcher) next(text string, from int) (start, end int, id int32) {
	for at := from; ; at++ {
		i := m.candidate(text[at:])
		if i < 0 {
			return len(text), len(text), noToken
		}
		at += i
		// The longest token decides, as in the reference.
		a := m.longest(text[at:])
		if a == nil {
			continue
		}
		end := at + len(a.Content)
		if !a.SingleWord || !wordBefore(text[:at]) && !wordAfter(text[end:]) {
			start, end := a.strip(text, from, at, end)
			return start, end, a.ID
		}
	}
}

// candidate finds the next byte that an added token starts with.
func (m *matcher) candidate(text string) int {
	if len(m.tokens) == 0 {
		return -1
	}
	if m.only != "" {
		return strings.IndexByte(text, m.only[0])
	}
	for i := range len(text) {
		if m.first[text[i]] {
			return i
		}
	}
	return -1
}

// longest finds the longest token that text starts with, narrowing the sorted
// list down byte by byte.
func (m *matcher) longest(text string) (found *addedToken) {
	low, high := 0, len(m.tokens)
	for depth := 0; ; depth++ {
		for low < high && len(m.tokens[low].Content) == depth {
			found = &m.tokens[low]
			low++
		}
		if low == high || depth == len(text) {
			return found
		}
		c := text[depth]
		group := m.tokens[low:high]
		start := sort.Search(len(group), func(i int) bool { return group[i].Content[depth] >= c })
		end := sort.Search(len(group), func(i int) bool { return group[i].Content[depth] > c })
		low, high = low+start, low+end
	}
}

// strip widens a match by the token's white space.
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
