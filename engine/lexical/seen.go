package lexical

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"dowse/internal/fold"
)

// cacheWords bounds the words that an Analyzer knows; at so many it forgets all.
const cacheWords = 1 << 16

// seenWord is what is known of a word as it is written, so that a text looks it up once for all that is asked of it.
type seenWord struct {
	word  string
	hint  hint
	minor string                // its term where it is a minor word of English; "" of others
	forms atomic.Pointer[forms] // by language, as far as they were asked
}

// forms are the terms of a word in a language.
type forms struct {
	language Language
	whole    string  // the term of all of it; "" of none
	parts    []Token // those of its parts, places in the word
	exact    string  // annotation of its spelling with marks; "" of none
	next     *forms
}

// look returns what is known of a word, and keeps it.
func (a *Analyzer) look(word string) *seenWord {
	a.mu.RLock()
	w := a.seen[word]
	a.mu.RUnlock()
	if w != nil {
		return w
	}
	if len(word) > 2*maxTermBytes { // it will not come again
		return newSeenWord(word)
	}
	w = newSeenWord(strings.Clone(word)) // and not the text around it
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.seen) >= cacheWords {
		clear(a.seen)
	}
	a.seen[w.word] = w
	return w
}

func newSeenWord(word string) *seenWord {
	return &seenWord{word: word, hint: hintOf(word), minor: minorOf(word)}
}

// in returns the forms of the word in a language.
func (w *seenWord) in(l Language) *forms {
	for f := w.forms.Load(); f != nil; f = f.next {
		if f.language == l {
			return f
		}
	}
	f := &forms{language: l}
	f.whole, f.parts = analyseWord(l, w.word)
	if l != English && !theVocabulary().isStop(l, fold.String(w.word)) {
		if exact, ok := exactOf(l, w.word); ok {
			f.exact = exactTerm(exact)
		}
	}
	for {
		f.next = w.forms.Load()
		if w.forms.CompareAndSwap(f.next, f) {
			return f
		}
	}
}

// minorOf returns the term of a word as a minor one in English; "" where it is none. Underscores around it are emphasis.
func minorOf(word string) string {
	word = strings.Trim(word, "_")
	if len(word) > maxMinor && isASCII(word) {
		return ""
	}
	folded := fold.String(word)
	if folded == "" || !isMinor(English, folded) {
		return ""
	}
	return minorTerm(folded)
}

// isLetter reports whether a minor word is a single letter or digit.
func isLetter(term string) bool { return utf8.RuneCountInString(term[len(minorMark):]) == 1 }
