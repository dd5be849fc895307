package lexical

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"dowse/internal/fold"
)

// plainDocument is Document without memory: each question to the text cuts it into words again.
func plainDocument(text, name string, defines ...string) (terms []string) {
	for _, d := range defines {
		terms = append(terms, definedTerm(d))
	}
	l := Detect(text)
	for _, of := range []string{text, name} {
		for w := range wordsOf(of) {
			word := of[w.start:w.end]
			switch {
			case w.dense:
				pairs(of, w.span, func(start, end int) { terms = append(terms, fold.String(of[start:end])) })
				continue
			case w.parts != nil:
				word = ""
				for _, p := range w.parts {
					word += of[p.start:p.end]
				}
			}
			whole, parts := analyseWord(l, word)
			if w.parts != nil {
				parts = nil
			}
			if whole == "" || w.parts != nil && !isIndexed(of, w) {
				continue
			}
			terms = append(terms, whole)
			for _, p := range parts {
				terms = append(terms, p.Term)
			}
		}
	}
	var words []span
	for w := range wordsOf(text) {
		if w.parts == nil {
			words = append(words, w.span)
		}
	}
	for _, w := range words {
		if at := lastCharacter(text[w.start:w.end]); w.dense && at > 0 {
			terms = append(terms, exactTerm(fold.String(text[w.start+at:w.end])))
		}
	}
	var minors []string
	for _, of := range []string{text, name} {
		for _, m := range plainMinors(l, of) {
			if !slices.Contains(minors, m) {
				minors = append(minors, m)
			}
		}
	}
	terms = append(terms, minors...)
	if isListing(text) {
		terms = append(terms, ListingTerm)
	}
	if l == English {
		return terms
	}
	terms = append(terms, languageTerm(l))
	for _, w := range words {
		word := text[w.start:w.end]
		if exact, ok := exactOf(l, word); ok && !w.dense && !theVocabulary().isStop(l, fold.String(word)) {
			terms = append(terms, exactTerm(exact))
		}
	}
	return terms
}

// plainMinors lists the terms of minor words, each behind the one of a pair that it ends.
func plainMinors(l Language, text string) (terms []string) {
	last, end := "", 0
	for w, ok := nextWord(text, 0); ok; {
		word := text[w.start:w.end]
		bare := strings.Trim(word, "_")
		name, stop := fold.String(bare), w.start+strings.Index(word, bare)+len(bare)
		if w.dense || bare == "" || name == "" || len(bare) > maxMinor && isASCII(bare) || !isMinor(l, name) {
			name = ""
		} else {
			single := utf8.RuneCountInString(name) == 1
			for _, mark := range []string{"++", "#"} {
				if single && strings.HasPrefix(text[stop:], mark) {
					name, stop = name+mark, stop+len(mark)
					break
				}
			}
			terms = append(terms, minorTerm(name))
			mark := strings.TrimSpace(text[min(end, w.start):w.start])
			if last != "" && (mark == "&" || mark == "/" || mark == ".") && (single || utf8.RuneCountInString(last) == 1) {
				terms = append(terms, minorTerm(last+" "+name))
			}
		}
		last, end = name, max(w.end, stop)
		if name == "" {
			end = w.end
		}
		w, ok = nextWord(text, w.end)
	}
	return terms
}

// pieces are words and signs that texts of several languages, scripts and programs are made of.
var pieces = strings.Split(`the|to|be|or|not|and|The|AND|a|b|C++|c#|R&D|AT&T|I/O|e-mail|re-order|AX-4410|x_1|_a_|__init__|maxConns|HTTPServer|
9f86d0818|uUj7K0sN5cP2dLq8vXw3bTz6|12|2026-11-27|der|die|das|und|nicht|Straße|Bücher|über|le|les|des|été|naïve|l’eau|être|que|
или|и|что|привет|мир|это|і|東京都|東|ラーメン|안녕|हिन्दी|και|το|café|cafe`+"\u0301|was\u00adser|a\u200bb|\xff|.|, |-|‑|/|&|'|(|)| - |\n|\n\n|# | [x](y.md)\n- | [[z]]\n* |. . . 12\n|"+strings.Repeat("x", 70)+"|"+strings.Repeat("long", 140), "|")

func randomText(random *rand.Rand) string {
	var b strings.Builder
	from, n := random.IntN(len(pieces)), 1+random.IntN(1+random.IntN(600))
	for range n { // of neighbours for the most part, so that texts are of some language
		at := from + random.IntN(25)
		if random.IntN(8) == 0 {
			at = random.IntN(len(pieces))
		}
		b.WriteString(pieces[at%len(pieces)])
		if random.IntN(4) > 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// TestDocumentTwin has several goroutines analyse texts with one Analyzer.
func TestDocumentTwin(t *testing.T) {
	a, languages := NewAnalyzer(), make([]Languages, 4)
	var group sync.WaitGroup
	for worker := range languages {
		group.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(worker)))
			for n := range 300 {
				text, name := randomText(random), pieces[random.IntN(len(pieces))]
				got, want := a.Document(nil, text, name, "Server.Close"), plainDocument(text, name, "Server.Close")
				if !slices.Equal(got, want) {
					t.Errorf("worker %d, text %d, %q by the name %q:\n got %q\nwant %q", worker, n, text, name, got, want)
					return
				}
				languages[worker] = languages[worker].With(Detect(text))
			}
		})
	}
	group.Wait()
	for worker, in := range languages {
		if !in.Has(English) || !in.Has(German) || !in.Has(French) || !in.Has(Russian) {
			t.Errorf("worker %d saw too few languages: %b", worker, in)
		}
	}
}
