package lexical

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"dowse/internal/fold"
)

// Query is distinct terms in order of first appearance.
type Query []QueryTerm

// QueryTerm is a term and its weight: its count in the query, or less if it comes from a text
// beside it.
type QueryTerm struct {
	Term   string
	Weight float64
	// In are the languages of chunks in which Term stands for the word; 0: all.
	In Languages
	// Also are other terms of the word, such as its stems in other languages. A chunk's count
	// of the word is the sum over its terms.
	Also []Form
	// Exact are the word's stems with their marks. A chunk with one ranks above chunks with
	// other spellings.
	Exact []Form
	Word  string // as the query has it
	// Asked is the language of the query if its words tell; else 0.
	Asked Languages
	// Guessed: no chunk has the word, and the term is spelt like it.
	Guessed bool
}

// Form is a term of a word in chunks of some languages; 0: all.
type Form struct {
	Term string
	In   Languages
}

// Terms lists the terms of the query, one for each word.
func (q Query) Terms() []string {
	terms := make([]string, len(q))
	for i, t := range q {
		terms[i] = t.Term
	}
	return terms
}

// Word is a word of a text, or a part of a name in a program, analysed in several languages.
type Word struct {
	Terms      []Form    // distinct, English first
	Start, End int       // half open, in bytes of the text
	Stop       Languages // languages in which it is no term
	Joined     bool      // it is a compound, which follows its parts: e-mail as email
}

// Forms lists the terms of a word, whatever the language.
func (w *Word) Forms() []string {
	terms := make([]string, len(w.Terms))
	for i, form := range w.Terms {
		terms[i] = form.Term
	}
	return terms
}

// Words analyses a text in each of some languages.
func (a *Analyzer) Words(text string, in Languages) []Word {
	var words []Word
	for w := range wordsOf(text) {
		switch {
		case w.dense:
			pairs(text, w.span, func(start, end int) {
				words = append(words, Word{Terms: []Form{{Term: fold.String(text[start:end])}}, Start: start, End: end})
			})
		case w.parts != nil:
			words = a.appendJoined(words, text, w, in)
		default:
			words = a.appendWords(words, text, w.span, in)
		}
	}
	return words
}

func (a *Analyzer) appendWords(words []Word, text string, w span, in Languages) []Word {
	first, stop := len(words), Languages(0)
	in.Each(func(l Language) {
		whole, parts := a.word(l, text[w.start:w.end])
		if whole == "" {
			stop = stop.With(l)
			return
		}
		words = addForm(words, first, w.start, w.end, Form{whole, Languages(0).With(l)})
		for _, t := range parts {
			words = addForm(words, first, w.start+t.Start, w.start+t.End, Form{t.Term, Languages(0).With(l)})
		}
	})
	if len(words) > first {
		words[first].Stop = stop
	}
	return words
}

// addForm adds a term to the word at a place, among the words from first on.
func addForm(words []Word, first, start, end int, form Form) []Word {
	for i := first; i < len(words); i++ {
		if w := &words[i]; w.Start == start && w.End == end {
			w.Terms = withForm(w.Terms, form)
			return words
		}
	}
	return append(words, Word{Terms: []Form{form}, Start: start, End: end})
}

// withForm adds a form to a list, or its languages to the same term.
func withForm(list []Form, form Form) []Form {
	for i := range list {
		if list[i].Term == form.Term {
			list[i].In |= form.In
			return list
		}
	}
	return append(list, form)
}

// Query analyses a query to texts in English.
func (a *Analyzer) Query(text string) Query { return a.QueryIn(text, OnlyEnglish) }

// QueryIn analyses a query in each language of an index. The language of the query is guessed
// from few words and only decides which of them are stop words. A query of minor words alone is
// one for MinorQuery.
func (a *Analyzer) QueryIn(text string, in Languages) Query {
	in = in.With(English)
	asked, sure := English, true
	if in != OnlyEnglish {
		asked, sure = detectAmong(text, in)
	}
	told := Languages(0)
	if sure {
		told = told.With(asked)
	}
	var q Query
	at, plainly := make(map[string]int), !hasMarkedLatin(fold.Lower(text))
	var placed []placedTerm
	for _, w := range a.Words(text, in) {
		if w.Stop.Has(asked) || w.Joined && q.join(placed, w) {
			continue
		}
		term := w.Terms[0].Term
		i, seen := at[term]
		if !seen {
			i = len(q)
			at[term] = i
			q = append(q, QueryTerm{Term: term, Word: text[w.Start:w.End], Asked: told})
		}
		q[i].Weight++
		placed = append(placed, placedTerm{w.Start, i})
		if in != OnlyEnglish {
			q[i].spell(text[w.Start:w.End], w.Terms, in, plainly)
		}
	}
	if len(q) == 0 {
		return nil
	}
	return a.appendNames(q, text, in, told)
}

// spell adds the forms of a word; plain says that no word of the query has marks.
func (t *QueryTerm) spell(word string, forms []Form, in Languages, plain bool) {
	t.In |= forms[0].In
	for _, form := range forms[1:] {
		t.Also = withForm(t.Also, form)
	}
	in.Each(func(l Language) {
		if l == English {
			return
		}
		others := otherSpellings(l, word)
		if plain {
			others = append(others, markedEndings(l, fold.Lower(word))...)
		}
		for _, other := range others {
			form, ok := termOf(l, other)
			switch {
			case ok && form == t.Term:
				t.In = t.In.With(l)
			case ok:
				t.Also = withForm(t.Also, Form{form, Languages(0).With(l)})
			}
		}
		if exact, ok := exactOf(l, word); ok && !slices.Contains(t.Exact, Form{Term: exactTerm(exact)}) {
			t.Exact = append(t.Exact, Form{Term: exactTerm(exact)})
		}
	})
}

// Spellings lists the terms of a word as it may be spelt in the languages of an index: Åre as Aare,
// and without marks with each that its ending may lack.
func (a *Analyzer) Spellings(word string, in Languages) (terms []string) {
	var t QueryTerm
	t.spell(word, []Form{{}}, in, !hasMarkedLatin(fold.Lower(word)))
	for _, form := range t.Also {
		terms = append(terms, form.Term)
	}
	return terms
}

// spellings are letters of a language and their replacements. German's are in its stemmer.
var spellings = map[Language][][2]string{
	Swedish:   {{"å", "aa"}, {"ä", "ae"}, {"ö", "oe"}},
	Danish:    {{"å", "aa"}, {"æ", "ae"}, {"ø", "oe"}},
	Norwegian: {{"å", "aa"}, {"æ", "ae"}, {"ø", "oe"}},
	// The one ending with two marked letters.
	Portuguese: {{"ção", "cao"}, {"ções", "coes"}},
}

// otherSpellings returns other spellings of a word: Åre as Aare, and back, or as Are.
func otherSpellings(l Language, word string) (others []string) {
	word = fold.Lower(word)
	long, short, plain := word, word, fold.String(word)
	for _, s := range spellings[l] {
		long, short = strings.ReplaceAll(long, s[0], s[1]), strings.ReplaceAll(short, s[1], s[0])
	}
	for _, other := range []string{long, short, plain} {
		if other != word {
			others = append(others, other)
		}
	}
	return others
}

// endingLetters is the most letters of an ending.
const endingLetters = 6

// markedEndings returns an unmarked word with each mark that one letter of its ending may lack:
// stemmers know the ending of książkę, not that of ksiazke.
func markedEndings(l Language, word string) (marked []string) {
	if languages[l].stem == nil {
		return nil
	}
	letters := []rune(word)
	for i := max(1, len(letters)-endingLetters); i < len(letters); i++ {
		for _, r := range markedLetters()[unmarked{l, letters[i]}] {
			marked = append(marked, string(letters[:i])+string(r)+string(letters[i+1:]))
		}
	}
	return marked
}

// unmarked is a letter without the marks that a language has on it.
type unmarked struct {
	language Language
	letter   rune
}

// markedLetters are the marked letters of unmarked ones.
var markedLetters = sync.OnceValue(func() map[unmarked][]rune {
	table := make(map[unmarked][]rune)
	for _, r := range slices.Sorted(maps.Keys(letters)) {
		letters[r].Each(func(l Language) {
			if plain := []rune(fold.String(string(r))); len(plain) == 1 && plain[0] != r {
				table[unmarked{l, plain[0]}] = append(table[unmarked{l, plain[0]}], r)
			}
		})
	}
	return table
})
