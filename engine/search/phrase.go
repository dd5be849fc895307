package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
	"dowse/engine/lexical"
)

// sureTerms gives the words that every chunk has in which a phrase stands, each with the
// terms of which one stands for it, and says whether the phrase is a single word and they
// are its terms. Of a name in a program only the whole is sure: which parts it has depends on
// capitals, which a phrase leaves open. A single character of a script without spaces is
// not, since it is indexed together with its neighbours, nor what is a stop word in one of
// the languages of the index.
func sureTerms(analyzer *lexical.Analyzer, text string, in lexical.Languages) (words [][]string, single bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	end := 0
	for _, w := range analyzer.Words(text, in) {
		if w.End <= end {
			continue
		}
		end = w.End
		if w.Stop == 0 && characters(text[w.Start:w.End]) > 1 {
			words = append(words, w.Forms())
			single = w.Start == 0 && w.End == len(text)
		}
	}
	return words, single
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

// phrase is a text to look for: case and runs of white space do not matter,
// and it must begin and end where words do.
type phrase struct {
	words []string // lower case, split at white space
}

func newPhrase(text string) phrase {
	return phrase{words: strings.Fields(strings.ToLower(text))}
}

// find returns where the phrase stands in text, ascending and disjoint.
func (p phrase) find(text string) []engine.Range {
	if len(p.words) == 0 {
		return nil
	}
	var found []engine.Range
	for at := 0; at < len(text); {
		if end, ok := p.at(text, at); ok && wordEdge(text, at) && wordEdge(text, end) {
			found = append(found, engine.Range{Start: at, End: end})
			at = end
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return found
}

// at matches the phrase at a byte of text and returns where it ends.
func (p phrase) at(text string, at int) (end int, ok bool) {
	for i, word := range p.words {
		if i > 0 {
			blank := at
			for at < len(text) {
				r, size := utf8.DecodeRuneInString(text[at:])
				if !unicode.IsSpace(r) {
					break
				}
				at += size
			}
			if at == blank {
				return 0, false
			}
		}
		if at, ok = foldPrefix(text, at, word); !ok {
			return 0, false
		}
	}
	return at, true
}

// foldPrefix matches a lower-case word at a byte of text, ignoring case.
func foldPrefix(text string, at int, word string) (end int, ok bool) {
	for _, want := range word {
		got, size := utf8.DecodeRuneInString(text[at:])
		if size == 0 || unicode.ToLower(got) != want {
			return 0, false
		}
		at += size
	}
	return at, true
}

// wordEdge reports whether no word runs across a byte of text. Scripts that put
// no spaces between words have an edge everywhere, except before a mark.
func wordEdge(text string, at int) bool {
	before, size := utf8.DecodeLastRuneInString(text[:at])
	if size == 0 {
		return true
	}
	after, size := utf8.DecodeRuneInString(text[at:])
	if size == 0 || !lexical.IsWord(before) || !lexical.IsWord(after) {
		return true
	}
	return !lexical.IsMark(after) && (lexical.IsDense(before) || lexical.IsDense(after))
}
