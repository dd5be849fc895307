package lexical

import (
	"slices"

	"dowse/internal/fold"
)

// reading is a text cut into its words, each looked up once. It is for one goroutine.
type reading struct {
	text  string
	words []readWord

	told  evidence // memory of language
	terms []string // memory of Document
}

// readWord is a word of a text and what is known of it; nil of a dense word, which has no term of its own.
type readWord struct {
	span
	*seenWord
}

// read cuts a text into words. The reading is to be released.
func (a *Analyzer) read(text string) *reading {
	r, _ := a.readings.Get().(*reading)
	if r == nil {
		r = &reading{}
	}
	r.text = text
	unknown := false
	a.mu.RLock()
	for at := 0; ; {
		w, ok := nextWord(text, at)
		if !ok {
			break
		}
		at = w.end
		word := readWord{span: w}
		if !w.dense {
			word.seenWord = a.seen[text[w.start:w.end]]
			unknown = unknown || word.seenWord == nil
		}
		r.words = append(r.words, word)
	}
	a.mu.RUnlock()
	if unknown {
		a.meet(r)
	}
	return r
}

// meet looks at the words of a reading that the analyzer does not know.
func (a *Analyzer) meet(r *reading) {
	for i := range r.words {
		if w := &r.words[i]; !w.dense && w.seenWord == nil {
			w.seenWord = a.look(r.text[w.start:w.end])
		}
	}
}

// release gives back the memory of a reading.
func (a *Analyzer) release(r *reading) {
	clear(r.terms) // some are parts of the text
	r.text, r.words, r.terms = "", r.words[:0], r.terms[:0]
	a.readings.Put(r)
}

// language is Detect of the text.
func (r *reading) language() Language {
	r.told.reset()
	prefix := cutBytes(r.text, detectBytes)
	for i := range r.words {
		w := &r.words[i]
		switch {
		case w.start >= len(prefix):
			return r.told.language()
		case w.dense:
		case w.end > len(prefix):
			r.told.add(hintOf(prefix[w.start:]))
		default:
			r.told.add(w.hint)
		}
	}
	return r.told.language()
}

// each calls emit with the terms of the text in a language, repeated as often as they occur.
func (r *reading) each(a *Analyzer, l Language, emit func(term string, start, end int)) {
	var open links
	for i := range r.words {
		w := &r.words[i]
		r.compound(a, l, open.before(r.text, w.span, true), emit)
		if w.dense {
			pairs(r.text, w.span, func(start, end int) { emit(fold.String(r.text[start:end]), start, end) })
			continue
		}
		f := w.in(l)
		if f.whole != "" {
			emit(f.whole, w.start, w.end)
		}
		for _, t := range f.parts {
			emit(t.Term, w.start+t.Start, w.start+t.End)
		}
		open = append(open, w.span)
	}
	r.compound(a, l, open.before(r.text, span{}, false), emit)
}

// compound calls emit with the term of a compound that is indexed; parts are nil of none.
func (r *reading) compound(a *Analyzer, l Language, parts []span, emit func(term string, start, end int)) {
	if parts == nil {
		return
	}
	w := compoundOf(parts)
	if t, ok := a.joined(l, r.text, w); ok && isIndexed(r.text, w) {
		emit(t, w.start, w.end)
	}
}

// appendLastCharacters annotates the last character of each stretch without spaces. Others
// begin a pair, by which a query of one character finds them.
func (r *reading) appendLastCharacters(dst []string) []string {
	for i := range r.words {
		w := &r.words[i]
		if !w.dense {
			continue
		}
		if start := lastCharacter(r.text[w.start:w.end]); start > 0 {
			dst = append(dst, exactTerm(fold.String(r.text[w.start+start:w.end])))
		}
	}
	return dst
}

// appendExact annotates the words of another language than English that have marks.
func (r *reading) appendExact(dst []string, l Language) []string {
	for i := range r.words {
		if w := &r.words[i]; !w.dense {
			if exact := w.in(l).exact; exact != "" {
				dst = append(dst, exact)
			}
		}
	}
	return dst
}

// appendMinors annotates a chunk with its minor words and those of its name, each once.
func appendMinors(dst []string, l Language, text, name *reading) []string {
	first := len(dst)
	add := func(term string) {
		if !slices.Contains(dst[first:], term) {
			dst = append(dst, term)
		}
	}
	each := func(m minor) {
		add(m.term)
		if name, ok := m.pair(); ok {
			add(minorTerm(name))
		}
	}
	text.eachMinor(l, each)
	name.eachMinor(l, each)
	return dst
}
