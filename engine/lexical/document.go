package lexical

import (
	"dowse/internal/fold"
)

// Annotations are terms about a chunk that are not words of it and do not count in its length.
// They begin with these bytes, so languages are the first terms of a segment.
const (
	languageMark = "\x01"
	exactMark    = "\x02"
	minorMark    = "\x03" // see minor.go
	listingMark  = "\x04" // see listing.go
	definedMark  = "\x05" // see defined.go
)

func isAnnotation(term string) bool {
	return term != "" && term[0] >= languageMark[0] && term[0] <= definedMark[0]
}

// languageTerm annotates chunks in a language.
func languageTerm(l Language) string { return languageMark + l.Code() }

// exactTerm annotates chunks with a stem with its marks, such as résumé beside the term resume,
// or with a single character that ends a dense text.
func exactTerm(stem string) string { return exactMark + stem }

// Document appends the terms of a chunk: those of its text and its name, in the language of the
// text, and annotations, also of the names that it defines.
func (a *Analyzer) Document(dst []string, text, name string, defines ...string) []string {
	for _, d := range defines {
		dst = append(dst, definedTerm(d))
	}
	l := Detect(text)
	add := func(term string, _, _ int) { dst = append(dst, term) }
	a.each(l, text, add)
	a.each(l, name, add)
	dst = appendLastCharacters(dst, text)
	dst = appendMinors(dst, l, text, name)
	if isListing(text) {
		dst = append(dst, ListingTerm)
	}
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

// appendLastCharacters annotates the last character of each stretch without spaces. Others
// begin a pair, by which a query of one character finds them.
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
