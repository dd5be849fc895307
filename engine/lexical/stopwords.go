package lexical

import (
	_ "embed"
	"strings"
	"sync"

	"dowse/internal/fold"
)

//go:embed stopwords.txt
var stopwordLists string

// englishStopWords are the 33 English words that Lucene leaves out by default.
const englishStopWords = `a an and are as at be but by for if in into is it no not of on or
	such that the their then there these they this to was will with`

// englishFunctionWords are more of the words that English sentences are made of: they
// tell the language, and are terms.
const englishFunctionWords = englishStopWords + ` about after again all also am any because been before being
	between both can could did do does doing don't down during each few from had has have having he her here him his
	how i i'm it's its just like me more most must my new now one only other our out over own same shall she should
	since so some still than them through too under until up us use used using very we were what when where which
	while who whom why without would you your when get got via per let make see set if else return true false null`

// vocabulary is what is known of function words.
type vocabulary struct {
	languages map[string]Languages           // by function word, in small letters: the languages that have it
	stop      [languageCount]map[string]bool // by language, folded
}

var theVocabulary = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{languages: make(map[string]Languages)}
	for line := range strings.Lines(stopwordLists) {
		code, words, _ := strings.Cut(strings.TrimSpace(line), ":")
		if l, ok := languageOf(code); ok {
			v.add(l, words, words)
		}
	}
	v.add(English, englishFunctionWords, englishStopWords)
	return v
})

// add takes in the function words of a language, and those of them that are no terms.
func (v *vocabulary) add(l Language, function, stop string) {
	for word := range strings.FieldsSeq(function) {
		v.languages[word] = v.languages[word].With(l)
	}
	v.stop[l] = make(map[string]bool)
	for word := range strings.FieldsSeq(stop) {
		v.stop[l][fold.String(word)] = true
	}
}

// isStop reports whether a folded word is too frequent in a language to be a term.
func (v *vocabulary) isStop(l Language, folded string) bool { return v.stop[l][folded] }
