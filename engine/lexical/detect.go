package lexical

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"dowse/internal/fold"
)

// Thresholds for a language other than English. A wrong guess costs more than none, since text
// taken for English keeps its words except for English endings.
const (
	detectBytes = 2048 // prefix of a text that is looked at
	// A language needs sureWords different function words, which are sureShare of all words
	// and sureLead times as many as English ones.
	sureWords = 3
	sureShare = .08
	sureLead  = 2.5
	// repeatedWord is how often the same function word counts: names in programs repeat.
	repeatedWord = 3
	// scriptShare is the share of words in a script that decides its language.
	scriptShare = .3
)

// Detect returns the language of a text by its function words, letters and scripts, or English.
func Detect(text string) Language {
	var e evidence
	e.count(cutBytes(text, detectBytes))
	return e.language()
}

// detectAmong guesses which of some languages a few words are in: the one with the most
// function words, English on a tie. It is sure if there are any.
func detectAmong(text string, in Languages) (_ Language, sure bool) {
	var e evidence
	e.count(cutBytes(text, detectBytes))
	best := English
	in.Each(func(l Language) {
		if n := e.scripts[l]; 2*n > e.words || e.score[l] > e.score[best] {
			best = l
		}
	})
	return best, best != English || e.score[English] > 0
}

type evidence struct {
	words    int // in scripts with spaces, without digits
	score    [languageCount]float64
	shared   [languageCount]float64 // part of score from words that are English too
	distinct [languageCount]float64 // distinct words of the language
	scripts  [languageCount]int     // words in a script of the language
	seen     map[string]int         // words that tell something, in small letters
}

// reset keeps the memory alone.
func (e *evidence) reset() {
	seen := e.seen
	if seen == nil {
		seen = make(map[string]int)
	}
	clear(seen)
	*e = evidence{seen: seen}
}

func (e *evidence) count(text string) {
	e.reset()
	for at := 0; ; {
		w, ok := nextWord(text, at)
		if !ok {
			return
		}
		at = w.end
		if !w.dense {
			e.add(hintOf(text[w.start:w.end]))
		}
	}
}

// hint is what a word tells of the language of its text.
type hint struct {
	isWord   bool // it may be one of a language: it has no digits, and an end
	inScript bool // of script alone
	script   Language
	of       Languages // that have the word or all of its letters; 0: it tells nothing
	own      string    // the word in small letters, where of is not 0
	listed   bool      // it is a function word
}

func hintOf(word string) (h hint) {
	if len(word) > maxTermBytes || strings.ContainsAny(word, "_0123456789") {
		return h
	}
	h.isWord = true
	h.own = fold.Lower(word)
	h.script, h.inScript = languageOfScript(h.own)
	if h.of = theVocabulary().languages[h.own]; h.of != 0 {
		h.listed = true
	} else if h.of = lettersOf(h.own); h.of == 0 {
		h.own = ""
	}
	return h
}

func (e *evidence) add(h hint) {
	if !h.isWord {
		return
	}
	e.words++
	if h.inScript {
		e.scripts[h.script]++
	}
	if h.of == 0 {
		return
	}
	times := e.seen[h.own] + 1
	if times > repeatedWord {
		return
	}
	e.seen[h.own] = times
	score, once := 1.0, 1.0
	switch {
	case !h.listed:
		score, once = letterScore, letterScore
	case len(h.own) == 1:
		score, once = singleScore, 0
	}
	h.of.Each(func(l Language) {
		e.score[l] += score
		if h.of.Has(English) {
			e.shared[l] += score
		}
		if times == 1 {
			e.distinct[l] += once
		}
	})
}

const (
	// letterScore is the score of a word for languages with its letters.
	letterScore = .5
	// singleScore is the score of a single letter, which may be a variable.
	singleScore = .25
)

// language returns the best supported language, or English.
func (e *evidence) language() Language {
	for _, l := range []Language{Arabic, Greek, Hindi, Tamil, Russian} {
		if n := e.scripts[l]; n > 0 && float64(n) >= scriptShare*float64(e.words) {
			if l == Russian && e.score[Ukrainian] > e.score[Russian] {
				return Ukrainian
			}
			return l
		}
	}
	best := English
	for l := range languageCount {
		if e.score[l] > e.score[best] && e.distinct[l] >= sureWords {
			best = l
		}
	}
	own, foreign := e.score[best]-e.shared[best], e.score[English]-e.shared[best]
	if own < sureLead*foreign || own < sureShare*float64(e.words) {
		return English
	}
	return best
}

// languageOfScript returns the language of a script that only one known language uses.
// Cyrillic counts as Russian.
func languageOfScript(word string) (Language, bool) {
	r, _ := utf8.DecodeRuneInString(word)
	switch {
	case r < 0x370:
		return 0, false
	case unicode.Is(unicode.Cyrillic, r):
		return Russian, true
	case unicode.Is(unicode.Greek, r):
		return Greek, utf8.RuneCountInString(word) > 1 // alpha is no Greek text
	case unicode.Is(unicode.Arabic, r):
		return Arabic, true
	case unicode.Is(unicode.Devanagari, r):
		return Hindi, true
	case unicode.Is(unicode.Tamil, r):
		return Tamil, true
	}
	return 0, false
}

// letters are the letters beyond ASCII by which languages of one script are told apart.
var letters = func() map[rune]Languages {
	table := make(map[rune]Languages)
	for l, of := range map[Language]string{
		German: "äöüß", Swedish: "åäö", Danish: "æøå", Norwegian: "æøå", Finnish: "äö",
		French: "àâçéèêëîïôœùûü", Spanish: "áéíñóúü¿", Portuguese: "áâãàçéêíóôõú", Italian: "àèéìòù",
		Dutch: "ëïé", Hungarian: "áéíóöőúüű", Romanian: "ăâîșşțţ", Turkish: "çğıöşü",
		Polish: "ąćęłńóśźż", Czech: "áčďéěíňóřšťúůýž", Vietnamese: "àáảãạăằắẳẵặâầấẩẫậđèéẻẽẹêềếểễệìíỉĩịòóỏõọôồốổỗộơờớởỡợùúủũụưừứửữựỳýỷỹỵ",
		Russian: "ыэёъ", Ukrainian: "іїєґ",
	} {
		for _, r := range of {
			table[r] = table[r].With(l)
		}
	}
	return table
}()

// lettersOf returns the languages that have all known letters beyond ASCII of a word.
func lettersOf(word string) Languages {
	all := Languages(0)
	for _, r := range word {
		if r < utf8.RuneSelf {
			continue
		}
		if of := letters[r]; of != 0 {
			if all == 0 {
				all = of
			}
			all &= of
		}
	}
	return all
}

//go:embed stopwords.txt
var stopwordLists string

// englishStopWords are the 33 English words that Lucene leaves out by default.
const englishStopWords = `a an and are as at be but by for if in into is it no not of on or
	such that the their then there these they this to was will with`

// englishFunctionWords are further frequent words, which tell the language and are terms.
const englishFunctionWords = englishStopWords + ` about after again all also am any because been before being
	between both can could did do does doing don't down during each few from had has have having he her here him his
	how i i'm it's its just like me more most must my new now one only other our out over own same shall she should
	since so some still than them through too under until up us use used using very we were what when where which
	while who whom why without would you your when get got via per let make see set if else return true false null`

type vocabulary struct {
	languages map[string]Languages           // by function word, in small letters
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

// add adds a language's function words, and those of them that are no terms.
func (v *vocabulary) add(l Language, function, stop string) {
	for word := range strings.FieldsSeq(function) {
		v.languages[word] = v.languages[word].With(l)
	}
	v.stop[l] = make(map[string]bool)
	for word := range strings.FieldsSeq(stop) {
		v.stop[l][fold.String(word)] = true
	}
}

func (v *vocabulary) isStop(l Language, folded string) bool { return v.stop[l][folded] }
