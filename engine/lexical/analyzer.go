package lexical

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

// Version names the analysis and the ranking; it is part of what an index
// was built with.
const Version = "lexical-4"

const (
	// maxTermBytes bounds a term: longer words are found by their beginning.
	maxTermBytes = 64
	// maxWordBytes bounds what is looked at of a word at all.
	maxWordBytes = 512
	// cacheWords bounds the cache of analysed words; when it is full it
	// starts over, which frequent words survive at little cost.
	cacheWords = 1 << 16
)

// stopWords are the 33 English words that Lucene leaves out by default.
var stopWords = func() map[string]bool {
	words := make(map[string]bool)
	for _, w := range strings.Fields(`a an and are as at be but by for if in into is it no not of on or
		such that the their then there these they this to was will with`) {
		words[w] = true
	}
	return words
}()

// Token is a term and the bytes of the text that it stands for.
type Token struct {
	Term       string
	Start, End int // half open
}

// Query is what was asked for: distinct terms in order of first appearance.
type Query []QueryTerm

// QueryTerm is a term and what it weighs: how often the query has it, or less where it
// is of a text that is asked for beside the query.
type QueryTerm struct {
	Term   string
	Weight float64
}

// Terms lists the terms of the query.
func (q Query) Terms() []string {
	terms := make([]string, len(q))
	for i, t := range q {
		terms[i] = t.Term
	}
	return terms
}

// Analyzer turns text into terms: words of two or more letters, digits and
// underscores, lower case, accents folded, English stop words left out, the
// rest reduced by the Snowball stemmer for English; of scripts without
// spaces, pairs of characters; of names in programs, their parts too; of hashes, keys
// and other jumbles the beginning. An Analyzer may be used from several
// goroutines; it remembers the words it has seen.
type Analyzer struct {
	mu    sync.RWMutex
	cache map[string][]Token // word as written -> its terms, places in the word
}

// NewAnalyzer returns an Analyzer with an empty memory.
func NewAnalyzer() *Analyzer {
	return &Analyzer{cache: make(map[string][]Token)}
}

// Append appends the terms of text to dst, repeated as often as they occur.
func (a *Analyzer) Append(dst []string, text string) []string {
	a.each(text, func(term string, _, _ int) { dst = append(dst, term) })
	return dst
}

// Tokens returns the terms of text with their places. A word that counts as
// several terms gives one token for each.
func (a *Analyzer) Tokens(text string) []Token {
	var tokens []Token
	a.each(text, func(term string, start, end int) {
		tokens = append(tokens, Token{Term: term, Start: start, End: end})
	})
	return tokens
}

// Query analyses what a person asked.
func (a *Analyzer) Query(text string) Query {
	var q Query
	at := make(map[string]int)
	a.each(text, func(term string, _, _ int) {
		i, seen := at[term]
		if !seen {
			i = len(q)
			at[term] = i
			q = append(q, QueryTerm{Term: term})
		}
		q[i].Weight++
	})
	return q
}

func (a *Analyzer) each(text string, emit func(term string, start, end int)) {
	for at := 0; ; {
		w, ok := nextWord(text, at)
		if !ok {
			return
		}
		at = w.end
		if w.dense {
			pairs(text, w, func(start, end int) { emit(fold(text[start:end]), start, end) })
			continue
		}
		for _, t := range a.word(text[w.start:w.end]) {
			emit(t.Term, w.start+t.Start, w.start+t.End)
		}
	}
}

// word returns the terms of one word, from memory when it was seen before.
func (a *Analyzer) word(word string) []Token {
	a.mu.RLock()
	terms, known := a.cache[word]
	a.mu.RUnlock()
	if known {
		return terms
	}
	terms = analyseWord(word)
	if len(word) > 2*maxTermBytes {
		return terms // such words do not come back
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.cache) >= cacheWords {
		clear(a.cache)
	}
	a.cache[strings.Clone(word)] = terms
	return terms
}

// analyseWord returns what word remembers: the word itself and, of a name of
// program text, its parts.
func analyseWord(word string) []Token {
	if len(word) > maxWordBytes {
		word = cutBytes(word, maxWordBytes)
	}
	if keep := jumbleBytes(word); keep > 0 {
		return []Token{{Term: strings.ToLower(word[:keep]), Start: 0, End: len(word)}}
	}
	whole, ok := termOf(word)
	if !ok {
		return nil
	}
	terms := []Token{{Term: whole, Start: 0, End: len(word)}}
	if isMixed(word) {
		return terms
	}
	for _, part := range identifierParts(word) {
		if term, ok := termOf(word[part[0]:part[1]]); ok && term != whole {
			terms = append(terms, Token{Term: term, Start: part[0], End: part[1]})
		}
	}
	return terms
}

// termOf folds and stems a word; false when it is too short or a stop word.
func termOf(word string) (string, bool) {
	folded := fold(word)
	if utf8.RuneCountInString(folded) < 2 || stopWords[folded] {
		return "", false
	}
	return cutBytes(stem(folded), maxTermBytes), true
}

// fold lowers the case and takes accents off: compatible forms are unified
// (NFKD), combining diacritical marks dropped, the rest composed again.
func fold(word string) string {
	lower := strings.ToLower(word)
	if isASCII(lower) {
		return lower
	}
	decomposed := norm.NFKD.String(lower)
	stripped := strings.Map(func(r rune) rune {
		if r >= 0x0300 && r <= 0x036F {
			return -1
		}
		return unicode.ToLower(r)
	}, decomposed)
	return norm.NFC.String(stripped)
}

func stem(word string) string {
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// cutBytes cuts a string to limit bytes at most, at the boundary of a
// character.
func cutBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := limit
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
