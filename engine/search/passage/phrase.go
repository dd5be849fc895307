package passage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/internal/fold"
)

// SureTerms gives the words that every chunk has in which a phrase stands, each with the
// terms of which one stands for it, and says whether the phrase is a single word and they
// are its terms. Of a name in a program only the whole is sure: which parts it has depends on
// capitals, which a phrase leaves open. A single character of a script without spaces is
// not, since it is indexed together with its neighbours. Minor words, which are no terms, come last. For a part of a compound the whole stands too.
//
// A word without its accents has the terms of its spellings with some (lexical.Spellings): where
// a stemmer treats it differently with others, chunks that have it so are passed over.
func SureTerms(analyzer *lexical.Analyzer, text string, in lexical.Languages) (words [][]string, single bool) {
	typed := strings.ToLower(strings.TrimSpace(fold.Visible(text)))
	text = withoutMarkup(typed) // emphasis and targets of links need not stand in a text
	end := 0
	var starts []int // of the words
	for _, w := range analyzer.Words(text, in) {
		if w.Joined { // in the place of any of its parts
			for i := len(starts) - 1; i >= 0 && starts[i] >= w.Start; i-- {
				words[i] = append(words[i], w.Forms()...)
			}
			continue
		}
		if w.End <= end {
			continue
		}
		end = w.End
		if w.Stop == 0 && characters(text[w.Start:w.End]) > 1 {
			terms := append(w.Forms(), analyzer.Spellings(text[w.Start:w.End], in)...)
			words, starts = append(words, terms), append(starts, w.Start)
			single = w.Start == 0 && w.End == len(text) && text == typed
		}
	}
	return append(words, analyzer.Minors(text, in)...), single
}

// characters counts the characters of a word, each with the marks on it.
func characters(word string) int {
	n := 0
	for _, r := range word {
		if !lexical.IsMark(r) {
			n++
		}
	}
	return n
}

// Phrase is a text to look for: case, accents, runs of white space, markup, how quotation marks
// and dashes are typed, and whether a compound has its hyphens do not matter, and it must begin and
// end where words do.
type Phrase struct {
	words  []string // folded, split at white space
	joined []string // the same without the hyphens of compounds
	soft   []string // the same of the softened text
}

// NewPhrase folds a text to look for.
func NewPhrase(text string) Phrase {
	folded := fold.String(text)
	return Phrase{strings.Fields(folded), strings.Fields(withoutBytes(folded, lexical.Hyphens(folded))), strings.Fields(soften(folded).text)}
}

// Find returns where the phrase stands in text, ascending and disjoint.
func (p Phrase) Find(text string) []engine.Range {
	if len(p.words) == 0 {
		return nil
	}
	of := fold.Of(text)
	var found []engine.Range
	add := func(start, end int) {
		if from, to, ok := of.Range(start, end); ok {
			found = append(found, engine.Range{Start: from, End: to})
		}
	}
	eachAt(of.Folded, p.words, add)
	if soft := soften(of.Folded); len(p.soft) > 0 && (soft.at != nil || !slices.Equal(p.words, p.soft)) {
		eachAt(soft.text, p.soft, func(start, end int) { add(soft.place(start, end)) })
		found = mergeRanges(found)
	}
	hyphens := lexical.Hyphens(of.Folded)
	if len(hyphens) == 0 && slices.Equal(p.words, p.joined) {
		return found
	}
	eachAt(withoutBytes(of.Folded, hyphens), p.joined, func(start, end int) {
		add(withBytes(start, hyphens), withBytes(end, hyphens))
	})
	return mergeRanges(found)
}

// withoutBytes is a text without its bytes at some places.
func withoutBytes(text string, places []int) string {
	if len(places) == 0 {
		return text
	}
	var out strings.Builder
	last := 0
	for _, at := range places {
		out.WriteString(text[last:at])
		last = at + 1
	}
	out.WriteString(text[last:])
	return out.String()
}

// withBytes is where a byte stands in a text that its place was counted in without the
// bytes at some places. They are within words, and no range ends there.
func withBytes(place int, places []int) int {
	for _, at := range places {
		if place < at {
			break
		}
		place++
	}
	return place
}

// eachAt calls fn for the places of some words in a text that is folded as they are.
func eachAt(text string, words []string, fn func(start, end int)) {
	for at := 0; at < len(text); {
		next := strings.Index(text[at:], words[0])
		if next < 0 {
			return
		}
		at += next
		if end, ok := wordsAt(text, at, words); ok && wordEdge(text, at) && wordEdge(text, end) {
			fn(at, end)
			at = end
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
}

// wordsAt matches words at a byte of a text and returns where they end.
func wordsAt(text string, at int, words []string) (end int, ok bool) {
	for i, word := range words {
		if i > 0 {
			rest := strings.TrimLeftFunc(text[at:], unicode.IsSpace)
			if len(rest) == len(text)-at {
				return 0, false
			}
			at = len(text) - len(rest)
		}
		if !strings.HasPrefix(text[at:], word) {
			return 0, false
		}
		at += len(word)
	}
	return at, true
}

// wordEdge reports whether no word runs across a byte of text. Scripts that put
// no spaces between words have an edge everywhere, except before a mark. A mark belongs to what
// stands before it, so that one on a blank is in no word.
func wordEdge(text string, at int) bool {
	before, size := utf8.DecodeLastRuneInString(strings.TrimRightFunc(text[:at], lexical.IsMark))
	if size == 0 {
		return true
	}
	after, size := utf8.DecodeRuneInString(text[at:])
	if size == 0 || !lexical.IsWord(before) || !lexical.IsWord(after) {
		return true
	}
	return !lexical.IsMark(after) && (lexical.IsDense(before) || lexical.IsDense(after))
}
