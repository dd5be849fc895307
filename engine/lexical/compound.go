package lexical

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"dowse/internal/fold"
)

// A compound is two or three words with hyphens between them. It is indexed as one word too,
// beside its parts, since people write e-mail and email, AX-4410 and AX4410, re-order and
// reorder, and the end of a line may have taken the hyphen. A query with the hyphen looks for
// either: in the place of each part its joined form counts as well.
//
// All compounds of two and three parts would make an index of notes 2.9% larger. Those that
// people join are short and stand by themselves, no options and no parts of paths; these take
// .7%. A query looks for the joined form of any.
const (
	// maxParts is how many parts a compound has at most: longer ones are sentences or names
	// of files.
	maxParts = 3
	// maxIndexed is how many letters and digits one has at most that is indexed joined.
	maxIndexed = 8
	// ofNames are what stands beside compounds that are options, addresses, paths and code.
	ofNames = "/\\-=@#&?%+~$_<>{}[]"
)

// textWord is a word of a text, or several that make a compound.
type textWord struct {
	span
	parts []span // of a compound, nil of a word; valid until the next one
}

// wordsOf goes through the words of a text, and through the compounds that they make, each
// after its parts.
func wordsOf(text string) iter.Seq[textWord] {
	return func(yield func(textWord) bool) {
		var linked []span // by hyphens, up to here
		for at := 0; ; {
			w, ok := nextWord(text, at)
			if n := len(linked); n > 0 && (!ok || !isHyphen(text[linked[n-1].end:w.start])) {
				if isCompound(text, linked) && !yield(textWord{span{start: linked[0].start, end: linked[n-1].end}, linked}) {
					return
				}
				linked = linked[:0]
			}
			if !ok || !yield(textWord{span: w}) {
				return
			}
			at = w.end
			if !w.dense {
				linked = append(linked, w)
			}
		}
	}
}

// Hyphens returns the places of the hyphens in the compounds of a folded text.
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

// isHyphen reports whether what stands between two words is a single hyphen.
func isHyphen(between string) bool {
	return between == "-" || !isASCII(between) && fold.String(between) == "-"
}

// isCompound reports whether words that hyphens link are a compound. Numbers alone are
// dates and ranges.
func isCompound(text string, parts []span) bool {
	if len(parts) < 2 || len(parts) > maxParts {
		return false
	}
	return slices.ContainsFunc(parts, func(p span) bool {
		return strings.ContainsFunc(text[p.start:p.end], func(r rune) bool { return r > '9' && r != '_' })
	})
}

// isIndexed reports whether a compound is indexed as one word.
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
	if after == '.' { // the end of a sentence, or before the ending of a name
		after, _ = utf8.DecodeRuneInString(text[w.end+size:])
		return !strings.ContainsRune(ofNames, before) && classOf(after) == classOther
	}
	return !strings.ContainsRune(ofNames, before) && !strings.ContainsRune(ofNames, after)
}

// joined returns the term of a compound; false where it has none.
func (a *Analyzer) joined(l Language, text string, w textWord) (string, bool) {
	var word strings.Builder
	for _, p := range w.parts {
		word.WriteString(text[p.start:p.end])
	}
	terms := a.word(l, word.String())
	if len(terms) == 0 {
		return "", false
	}
	return terms[0].Term, true
}

// appendJoined appends a compound, in each of some languages.
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

// placedTerm is a word of a query: where it begins, and which of the query's terms it is.
type placedTerm struct{ start, term int }

// join has a compound stand for each of its parts, where a chunk has it; false where none of
// them is a term.
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
