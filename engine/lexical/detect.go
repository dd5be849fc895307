package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/internal/fold"
)

// What it takes to call a text something else than English. A wrong guess costs more than
// none: what is taken for English keeps its words as they are, but for English endings.
const (
	// detectBytes is how much of a text is looked at.
	detectBytes = 2048
	// sureWords is how many different function words a language needs at least, and
	// sureShare which share of all words they are, in texts; sureLead is how many times
	// as many as of English.
	sureWords = 3
	sureShare = .08
	sureLead  = 2.5
	// repeatedWord is how often the same function word counts: names in programs repeat.
	repeatedWord = 3
	// scriptShare is the share of words in a script of its own from which on that tells
	// the language.
	scriptShare = .3
)

// Detect tells the language of a text by its function words, letters and scripts;
// English where it cannot.
func Detect(text string) Language {
	var e evidence
	e.count(cutBytes(text, detectBytes))
	return e.language()
}

// detectAmong guesses in which of some languages a few words are: the one that has most of
// them as function words, English where that is as likely. It is sure where there are any.
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

// evidence is the evidence for each language.
type evidence struct {
	words    int // of scripts with spaces, without digits
	score    [languageCount]float64
	shared   [languageCount]float64 // score that English has by the same words
	distinct [languageCount]float64 // words that speak for it
	scripts  [languageCount]int     // words in a script that tells the language
	seen     map[string]int
}

func (e *evidence) count(text string) {
	v := theVocabulary()
	e.seen = make(map[string]int)
	for at := 0; ; {
		w, ok := nextWord(text, at)
		if !ok {
			return
		}
		at = w.end
		if !w.dense {
			e.add(v, text[w.start:w.end])
		}
	}
}

// add counts one word.
func (e *evidence) add(v *vocabulary, word string) {
	if len(word) > maxTermBytes || strings.ContainsAny(word, "_0123456789") {
		return
	}
	e.words++
	word = fold.Lower(word)
	if script, ok := languageOfScript(word); ok {
		e.scripts[script]++
	}
	e.seen[word]++
	if e.seen[word] > repeatedWord {
		return
	}
	known, score, once := v.languages[word], 1.0, 1.0
	switch {
	case known == 0:
		known, score, once = lettersOf(word), letterScore, letterScore
	case len(word) == 1:
		score, once = singleScore, 0
	}
	known.Each(func(l Language) {
		e.score[l] += score
		if known.Has(English) {
			e.shared[l] += score
		}
		if e.seen[word] == 1 {
			e.distinct[l] += once
		}
	})
}

const (
	// letterScore is what a word counts for the languages that have its letters.
	letterScore = .5
	// singleScore is what a single letter counts, which may be a variable.
	singleScore = .25
)

// language decides.
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

// languageOfScript tells a language by the script of a word, where only one that is
// known is written in it. Cyrillic counts as Russian.
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

// letters are those beyond ASCII that the languages of one script are told apart by.
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

// lettersOf returns the languages that have all letters beyond ASCII of a word that
// are letters of any; none without such letters.
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
