package lexical

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
	r, n := a.read(text), a.read(name)
	defer a.release(r)
	defer a.release(n)
	for _, d := range defines {
		r.terms = append(r.terms, definedTerm(d))
	}
	l := r.language()
	add := func(term string, _, _ int) { r.terms = append(r.terms, term) }
	r.each(a, l, add)
	n.each(a, l, add)
	r.terms = r.appendLastCharacters(r.terms)
	r.terms = appendMinors(r.terms, l, r, n)
	if isListing(text) {
		r.terms = append(r.terms, ListingTerm)
	}
	if l != English {
		r.terms = r.appendExact(append(r.terms, languageTerm(l)), l)
	}
	return append(dst, r.terms...)
}
