package lexical

import (
	"strings"

	"dowse/internal/fold"
)

// Annotations are terms that say something of a chunk and are no words of it. They do
// not count in its length. These are the bytes that they begin with; those of languages
// are the first terms of a segment.
const (
	languageMark = "\x01"
	exactMark    = "\x02"
)

// isAnnotation reports whether a term is no word.
func isAnnotation(term string) bool {
	return strings.HasPrefix(term, languageMark) || strings.HasPrefix(term, exactMark)
}

// languageTerm is the annotation of chunks in a language.
func languageTerm(l Language) string { return languageMark + l.Code() }

// exactTerm is the annotation of chunks that hold a stem with its marks, résumé beside
// the term resume, or a single character at the end of others.
func exactTerm(stem string) string { return exactMark + stem }

// Document appends the terms under which a chunk is indexed: those of its text and of its
// name, in the language of the text, and annotations. What is taken for English has
// the terms that Append gives.
func (a *Analyzer) Document(dst []string, text, name string) []string {
	l := Detect(text)
	add := func(term string, _, _ int) { dst = append(dst, term) }
	a.each(l, text, add)
	a.each(l, name, add)
	dst = appendLastCharacters(dst, text)
	if l == English {
		return dst
	}
	dst = append(dst, languageTerm(l))
	for at := 0; ; {
		w, ok := nextWord(text, at)
		if !ok {
			return dst
		}
		at = w.end
		if w.dense || theVocabulary().isStop(l, fold.String(text[w.start:w.end])) {
			continue
		}
		if exact, ok := exactOf(l, text[w.start:w.end]); ok {
			dst = append(dst, exactTerm(exact))
		}
	}
}

// appendLastCharacters annotates the last character of each stretch without spaces that
// has several. The others begin a pair, by which a query of one character finds them.
func appendLastCharacters(dst []string, text string) []string {
	for at := 0; ; {
		w, ok := nextWord(text, at)
		if !ok {
			return dst
		}
		at = w.end
		if !w.dense {
			continue
		}
		if start := lastCharacter(text[w.start:w.end]); start > 0 {
			dst = append(dst, exactTerm(fold.String(text[w.start+start:w.end])))
		}
	}
}
