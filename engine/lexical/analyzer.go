package lexical

import (
	"strings"
	"sync"
	"unicode/utf8"

	"dowse/internal/fold"
)

// Version names the analysis and the ranking; it is part of what an index
// was built with.
const Version = "lexical-6"

const (
	// maxTermBytes bounds a term: longer words are found by their beginning.
	maxTermBytes = 64
	// maxWordBytes bounds what is looked at of a word at all.
	maxWordBytes = 512
	// cacheWords bounds the cache of analysed words; when it is full it
	// starts over, which frequent words survive at little cost.
	cacheWords = 1 << 16
)

// Token is a term and the bytes of the text that it stands for.
type Token struct {
	Term       string
	Start, End int // half open
}

// Analyzer turns text into terms: words of two or more letters, digits and
// underscores, lower case, accents folded, English stop words left out, the rest reduced
// by the Snowball stemmer of their language; of scripts without
// spaces, pairs of characters; of names in programs, their parts too; of hashes, keys
// and other jumbles the beginning. An Analyzer may be used from several
// goroutines; it remembers the words it has seen.
type Analyzer struct {
	mu    sync.RWMutex
	cache map[seenWord][]Token // the terms of a word, places in the word
}

// seenWord is a word as written, in a language.
type seenWord struct {
	language Language
	word     string
}

// NewAnalyzer returns an Analyzer with an empty memory.
func NewAnalyzer() *Analyzer {
	return &Analyzer{cache: make(map[seenWord][]Token)}
}

// Append appends the terms of text to dst, repeated as often as they occur. It takes
// the text for English.
func (a *Analyzer) Append(dst []string, text string) []string {
	a.each(English, text, func(term string, _, _ int) { dst = append(dst, term) })
	return dst
}

// Tokens returns the terms of a text taken for English, with their places. A word that
// counts as several terms gives one token for each.
func (a *Analyzer) Tokens(text string) []Token {
	var tokens []Token
	a.each(English, text, func(term string, start, end int) {
		tokens = append(tokens, Token{Term: term, Start: start, End: end})
	})
	return tokens
}

func (a *Analyzer) each(l Language, text string, emit func(term string, start, end int)) {
	for w := range wordsOf(text) {
		if w.dense {
			pairs(text, w.span, func(start, end int) { emit(fold.String(text[start:end]), start, end) })
			continue
		}
		if w.parts != nil {
			if t, ok := a.joined(l, text, w); ok && isIndexed(text, w) {
				emit(t, w.start, w.end)
			}
			continue
		}
		for _, t := range a.word(l, text[w.start:w.end]) {
			emit(t.Term, w.start+t.Start, w.start+t.End)
		}
	}
}

// word returns the terms of one word, from memory when it was seen before.
func (a *Analyzer) word(l Language, word string) []Token {
	key := seenWord{l, word}
	a.mu.RLock()
	terms, known := a.cache[key]
	a.mu.RUnlock()
	if known {
		return terms
	}
	terms = analyseWord(l, word)
	if len(word) > 2*maxTermBytes {
		return terms // such words do not come back
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.cache) >= cacheWords {
		clear(a.cache)
	}
	a.cache[seenWord{l, strings.Clone(word)}] = terms
	return terms
}

// analyseWord returns what word remembers: the word itself and, of a name of
// program text, its parts.
func analyseWord(l Language, word string) []Token {
	if visible := fold.Visible(word); visible != word {
		return analyseHidden(l, word, visible)
	}
	if len(word) > maxWordBytes {
		word = cutBytes(word, maxWordBytes)
	}
	if keep := jumbleBytes(word); keep > 0 {
		return []Token{{Term: strings.ToLower(word[:keep]), Start: 0, End: len(word)}}
	}
	whole, ok := termOf(l, word)
	if !ok {
		return nil
	}
	terms := []Token{{Term: whole, Start: 0, End: len(word)}}
	if isMixed(word) {
		return terms
	}
	for _, part := range identifierParts(word) {
		if term, ok := termOf(l, word[part[0]:part[1]]); ok && term != whole {
			terms = append(terms, Token{Term: term, Start: part[0], End: part[1]})
		}
	}
	return terms
}

// termOf folds and stems a word; false when it is too short or a stop word of English. In
// other languages function words stay: they lead a query to texts in its language. The stemmer
// for English reads folded words, those for others the letters of their language.
func termOf(l Language, word string) (string, bool) {
	folded := fold.String(word)
	if utf8.RuneCountInString(folded) < 2 || l == English && theVocabulary().isStop(l, folded) {
		return "", false
	}
	if l == English {
		return cutBytes(l.stem(folded), maxTermBytes), true
	}
	if term := cutBytes(fold.String(l.stem(fold.Lower(word))), maxTermBytes); term != "" {
		return term, true
	}
	return cutBytes(folded, maxTermBytes), true // of nothing but an ending
}

// exactOf returns the stem of a word with the marks that folding takes off its Latin
// letters; false where there are none.
func exactOf(l Language, word string) (string, bool) {
	if isASCII(word) || len(word) > maxWordBytes {
		return "", false
	}
	word = fold.Lower(word)
	stem := l.stem(word)
	// Some stemmers take marks off too: then the beginning of the word has them.
	if letters, n := []rune(word), utf8.RuneCountInString(stem); n <= len(letters) {
		if start := string(letters[:n]); fold.String(start) == fold.String(stem) {
			stem = start
		}
	}
	if !hasMarkedLatin(stem) {
		return "", false
	}
	return cutBytes(stem, maxTermBytes-1), true
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
