package lexical

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"dowse/internal/fold"
)

// A compound is two or three hyphenated words. It is indexed joined too, beside its parts, since
// people write e-mail and email, AX-4410 and AX4410, and line ends may have dropped the hyphen. A
// query for a compound matches either form.
//
// Joining all compounds would enlarge an index of notes by 2.9%. Only short ones outside of
// options and paths are joined, which takes .7%; a query joins any.
const (
	// maxParts bounds a compound: longer ones are sentences or file names.
	maxParts = 3
	// maxIndexed is the most letters and digits of a compound that is indexed joined.
	maxIndexed = 8
	// ofNames are neighbours of compounds in options, addresses, paths and code.
	ofNames = "/\\-=@#&?%+~$_<>{}[]"
)

// textWord is a word of a text, or a compound.
type textWord struct {
	span
	parts []span // of a compound, else nil; valid until the next word
}

// links are words in a row, with a hyphen between each two.
type links []span

// before takes the next word of the text, if there is more, and returns the parts of the compound that ends before it; nil
// of none. They are valid until the next word is added.
func (k *links) before(text string, w span, more bool) (parts []span) {
	n := len(*k)
	if n == 0 || more && isHyphen(text[(*k)[n-1].end:w.start]) {
		return nil
	}
	if isCompound(text, *k) {
		parts = *k
	}
	*k = (*k)[:0]
	return parts
}

// compoundOf returns the compound of some parts.
func compoundOf(parts []span) textWord {
	return textWord{span{start: parts[0].start, end: parts[len(parts)-1].end}, parts}
}

// wordsOf yields the words of a text and, after its parts, each compound.
func wordsOf(text string) iter.Seq[textWord] {
	return func(yield func(textWord) bool) {
		var open links
		for at := 0; ; {
			w, ok := nextWord(text, at)
			if parts := open.before(text, w, ok); parts != nil && !yield(compoundOf(parts)) {
				return
			}
			if !ok || !yield(textWord{span: w}) {
				return
			}
			at = w.end
			if !w.dense {
				open = append(open, w)
			}
		}
	}
}

// Hyphens returns the places of hyphens in the compounds of a folded text.
func Hyphens(folded string) (places []int) {
	if strings.IndexByte(folded, '-') < 0 {
		return nil
	}
	for w := range wordsOf(folded) {
		for i := range max(len(w.parts)-1, 0) {
			places = append(places, w.parts[i].end)
		}
	}
	return places
}

// isHyphen reports whether the text between two words is a single hyphen.
func isHyphen(between string) bool {
	return between == "-" || !isASCII(between) && fold.String(between) == "-"
}

// isCompound reports whether hyphenated words are a compound; numbers alone are dates or ranges.
func isCompound(text string, parts []span) bool {
	if len(parts) < 2 || len(parts) > maxParts {
		return false
	}
	return slices.ContainsFunc(parts, func(p span) bool {
		return strings.ContainsFunc(text[p.start:p.end], func(r rune) bool { return r > '9' && r != '_' })
	})
}

func isIndexed(text string, w textWord) bool {
	letters := 0
	for _, p := range w.parts {
		letters += utf8.RuneCountInString(text[p.start:p.end])
	}
	if letters > maxIndexed {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:w.start])
	after, size := utf8.DecodeRuneInString(text[w.end:])
	if after == '.' { // ends a sentence, or starts a file extension
		after, _ = utf8.DecodeRuneInString(text[w.end+size:])
		return !strings.ContainsRune(ofNames, before) && classOf(after) == classOther
	}
	return !strings.ContainsRune(ofNames, before) && !strings.ContainsRune(ofNames, after)
}

// joined returns the term of a compound, if it has one.
func (a *Analyzer) joined(l Language, text string, w textWord) (string, bool) {
	var word strings.Builder
	for _, p := range w.parts {
		word.WriteString(text[p.start:p.end])
	}
	whole, _ := a.word(l, word.String())
	return whole, whole != ""
}

// appendJoined appends a compound with its term in each language.
func (a *Analyzer) appendJoined(words []Word, text string, w textWord, in Languages) []Word {
	joined := Word{Start: w.start, End: w.end, Joined: true}
	in.Each(func(l Language) {
		if term, ok := a.joined(l, text, w); ok {
			joined.Terms = withForm(joined.Terms, Form{term, Languages(0).With(l)})
		}
	})
	if joined.Terms == nil {
		return words
	}
	return append(words, joined)
}

// placedTerm is where a word of a query begins and the index of its term.
type placedTerm struct{ start, term int }

// join adds a compound as a form of each of its parts; false if no part is a term.
func (q Query) join(placed []placedTerm, w Word) (joined bool) {
	for i := len(placed) - 1; i >= 0 && placed[i].start >= w.Start; i-- {
		t := &q[placed[i].term]
		for _, form := range w.Terms {
			t.Also = withForm(t.Also, form)
		}
		joined = true
	}
	return joined
}
