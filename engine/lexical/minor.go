package lexical

import (
	"slices"
	"strings"
	"unicode/utf8"

	"dowse/internal/fold"
)

// A minor word has no term: it is a single character, or in English text a function word. Chunks
// are annotated with it, and with pairs that a mark binds, so that a query of nothing else finds them:
// C++, R&D, "to be or not to be". In other queries a letter counts if it names something, as in
// plan B, and a pair that a mark binds, as in AT&T.
type minor struct {
	span
	term   string // with the marks behind it
	letter bool   // a single letter or digit
	before string // what stands between it and the word before
	last   string // the term of the word before, if that is minor
	from   int    // where that word begins
	linked bool   // a hyphen links it to another word
}

const (
	// maxMinor bounds the bytes of a minor word in ASCII: those of the longest function word.
	maxMinor = 5
	// bindingMarks bind two minor words to a name.
	bindingMarks = "&/."
)

// nameMarks follow a letter in the names of languages and notes.
var nameMarks = []string{"++", "#"}

// minorTerm annotates chunks with a minor word, or with two that follow each other.
func minorTerm(name string) string { return minorMark + name }

// Minor reports whether the term stands for a minor word, or a pair of them.
func (t *QueryTerm) Minor() bool { return strings.HasPrefix(t.Term, minorMark) }

// isMinor reports whether a folded word has no term.
func isMinor(l Language, folded string) bool {
	return utf8.RuneCountInString(folded) < 2 || l == English && theVocabulary().isStop(l, folded)
}

// name is the word, folded, with the marks behind it.
func (m *minor) name() string { return m.term[len(minorMark):] }

// minorAt returns the minor word at a place of the text. Underscores around it are emphasis.
func (r *reading) minorAt(l Language, w *readWord) (m minor, ok bool) {
	if w.dense || w.minor == "" {
		return m, false
	}
	m = minor{span: w.span, term: w.minor, letter: isLetter(w.minor)}
	if l != English && !m.letter {
		return minor{}, false
	}
	word := r.text[w.start:w.end]
	m.start += len(word) - len(strings.TrimLeft(word, "_"))
	m.end -= len(word) - len(strings.TrimRight(word, "_"))
	if m.letter {
		for _, mark := range nameMarks {
			if strings.HasPrefix(r.text[m.end:], mark) {
				m.term, m.end = m.term+mark, m.end+len(mark)
				break
			}
		}
	}
	return m, true
}

// eachMinor calls emit with the minor words of the text in a language.
func (r *reading) eachMinor(l Language, emit func(m minor)) {
	last, end, from := "", 0, 0
	for i := range r.words {
		w := &r.words[i]
		m, is := r.minorAt(l, w)
		if is {
			m.before, m.last, m.from = r.text[min(end, w.start):w.start], last, from
			m.linked = end > 0 && isHyphen(m.before) || i+1 < len(r.words) && isHyphen(r.text[w.end:r.words[i+1].start])
			emit(m)
		}
		last, end, from = m.term, max(w.end, m.end), w.start
	}
}

// pair returns the name of a minor word and the one before it, if a mark binds them and one of them is a letter. Pairs of
// function words would take a third of what minor words take in an index, and phrases find them without.
func (m *minor) pair() (name string, ok bool) {
	mark := strings.TrimSpace(m.before)
	if m.last == "" || len(mark) != 1 || !strings.Contains(bindingMarks, mark) {
		return "", false
	}
	last := m.last[len(minorMark):]
	return last + " " + m.name(), m.letter || utf8.RuneCountInString(last) == 1
}

// named reports whether a minor word names something in a text that says more: a letter or a
// digit that is neither a function word of one of the languages nor the end of a short form.
func (m *minor) named(text string, in Languages) bool {
	if !m.letter || m.linked || m.name() == "i" || isApostrophe(m.before) || startsShortForm(text[m.end:]) {
		return false
	}
	function := false
	in.Each(func(l Language) { function = function || theVocabulary().isStop(l, m.name()) })
	return !function
}

// isApostrophe reports whether the text between two words is an apostrophe.
func isApostrophe(between string) bool { return between != "" && fold.String(between) == "'" }

// startsShortForm reports whether an apostrophe and a letter follow, as in l'eau.
func startsShortForm(rest string) bool {
	at, size := utf8.DecodeRuneInString(rest)
	next, _ := utf8.DecodeRuneInString(rest[size:])
	return isApostrophe(string(at)) && classOf(next) == classWord
}

// appendNames adds the minor words to a query that name something.
func (a *Analyzer) appendNames(q Query, text string, in, told Languages) Query {
	r := a.read(text)
	defer a.release(r)
	r.eachMinor(English, func(m minor) {
		if name, ok := m.pair(); ok && !m.linked {
			if n := len(q); n > 0 && q[n-1].Term == m.last {
				q = q[:n-1] // the letter is a part of the name
			}
			q = q.addMinor(minorTerm(name), text[m.from:m.end], told)
			return
		}
		if m.named(text, in) {
			q = q.addMinor(m.term, text[m.start:m.end], told)
		}
	})
	return q
}

// addMinor adds a minor word, or a pair of them, or counts it once more.
func (q Query) addMinor(term, word string, told Languages) Query {
	for i := range q {
		if q[i].Term == term {
			q[i].Weight++
			return q
		}
	}
	return append(q, QueryTerm{Term: term, Word: word, Weight: 1, Asked: told})
}

// MinorQuery analyses a query that has minor words alone, in each language of an index, where
// QueryIn returns nothing or little: function words of English are words of other languages.
func (a *Analyzer) MinorQuery(text string, in Languages) (q Query) {
	r := a.read(text)
	defer a.release(r)
	r.eachMinor(English, func(m minor) {
		q = q.addMinor(m.term, text[m.start:m.end], 0)
		for _, form := range a.otherForms(text, m.span, in) {
			last := &q[slices.IndexFunc(q, func(t QueryTerm) bool { return t.Term == m.term })]
			last.Also = withForm(last.Also, form)
		}
		if name, ok := m.pair(); ok {
			q = q.addMinor(minorTerm(name), text[m.from:m.end], 0)
		}
	})
	return q
}

// otherForms are the terms of an English function word in other languages.
func (a *Analyzer) otherForms(text string, w span, in Languages) (forms []Form) {
	in.Each(func(l Language) {
		if l == English {
			return
		}
		whole, parts := a.word(l, text[w.start:w.end])
		if whole == "" {
			return
		}
		forms = withForm(forms, Form{whole, Languages(0).With(l)})
		for _, t := range parts {
			forms = withForm(forms, Form{t.Term, Languages(0).With(l)})
		}
	})
	return forms
}

// Minors lists the minor words of a text that stand apart, each with the terms of which any chunk
// with that word has one.
func (a *Analyzer) Minors(text string, in Languages) (words [][]string) {
	r := a.read(text)
	defer a.release(r)
	r.eachMinor(English, func(m minor) {
		if m.linked {
			return
		}
		terms := []string{m.term}
		if m.letter && !strings.ContainsAny(m.name(), "+#") {
			for _, mark := range nameMarks {
				terms = append(terms, m.term+mark)
			}
		}
		for _, form := range a.otherForms(text, m.span, in) {
			terms = append(terms, form.Term)
		}
		words = append(words, terms)
	})
	return words
}
