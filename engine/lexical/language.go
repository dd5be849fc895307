package lexical

import (
	"math/bits"

	"dowse/engine/lexical/snowball"
	"dowse/engine/lexical/snowball/arabic"
	"dowse/engine/lexical/snowball/czech"
	"dowse/engine/lexical/snowball/danish"
	"dowse/engine/lexical/snowball/dutch"
	"dowse/engine/lexical/snowball/english"
	"dowse/engine/lexical/snowball/finnish"
	"dowse/engine/lexical/snowball/french"
	"dowse/engine/lexical/snowball/german"
	"dowse/engine/lexical/snowball/greek"
	"dowse/engine/lexical/snowball/hindi"
	"dowse/engine/lexical/snowball/hungarian"
	"dowse/engine/lexical/snowball/italian"
	"dowse/engine/lexical/snowball/norwegian"
	"dowse/engine/lexical/snowball/polish"
	"dowse/engine/lexical/snowball/portuguese"
	"dowse/engine/lexical/snowball/romanian"
	"dowse/engine/lexical/snowball/russian"
	"dowse/engine/lexical/snowball/spanish"
	"dowse/engine/lexical/snowball/swedish"
	"dowse/engine/lexical/snowball/tamil"
	"dowse/engine/lexical/snowball/turkish"
)

// Language is a language of the analysis. English, the zero Language, also stands for program
// text and unrecognised text.
type Language uint8

// The languages. Their numbers are not stored.
const (
	English Language = iota
	Arabic
	Czech
	Danish
	Dutch
	Finnish
	French
	German
	Greek
	Hindi
	Hungarian
	Italian
	Norwegian
	Polish
	Portuguese
	Romanian
	Russian
	Spanish
	Swedish
	Tamil
	Turkish
	Ukrainian
	Vietnamese
	languageCount
)

// languages are ISO 639-1 codes and stemmers. Without a stemmer words stay as they are.
var languages = [languageCount]struct {
	code string
	stem func(env *snowball.Env) bool
}{
	English:    {"en", english.Stem},
	Arabic:     {"ar", arabic.Stem},
	Czech:      {"cs", czech.Stem},
	Danish:     {"da", danish.Stem},
	Dutch:      {"nl", dutch.Stem},
	Finnish:    {"fi", finnish.Stem},
	French:     {"fr", french.Stem},
	German:     {"de", german.Stem},
	Greek:      {"el", greek.Stem},
	Hindi:      {"hi", hindi.Stem},
	Hungarian:  {"hu", hungarian.Stem},
	Italian:    {"it", italian.Stem},
	Norwegian:  {"no", norwegian.Stem},
	Polish:     {"pl", polish.Stem},
	Portuguese: {"pt", portuguese.Stem},
	Romanian:   {"ro", romanian.Stem},
	Russian:    {"ru", russian.Stem},
	Spanish:    {"es", spanish.Stem},
	Swedish:    {"sv", swedish.Stem},
	Tamil:      {"ta", tamil.Stem},
	Turkish:    {"tr", turkish.Stem},
	Ukrainian:  {"uk", nil},
	Vietnamese: {"vi", nil},
}

// Code is the code of a language in ISO 639-1.
func (l Language) Code() string { return languages[l].code }

func languageOf(code string) (l Language, ok bool) {
	for l := range languageCount {
		if languages[l].code == code {
			return l, true
		}
	}
	return 0, false
}

// stem reduces a word in small letters.
func (l Language) stem(word string) string {
	stem := languages[l].stem
	if stem == nil {
		return word
	}
	env := snowball.NewEnv(word)
	stem(env)
	return env.Current()
}

// Languages is a set of languages.
type Languages uint32

// OnlyEnglish is the set of an index without texts in other languages.
const OnlyEnglish = Languages(1 << English)

// With adds a language.
func (s Languages) With(l Language) Languages { return s | 1<<l }

// Has reports whether a language is in the set.
func (s Languages) Has(l Language) bool { return s&(1<<l) != 0 }

// Each calls fn with each language.
func (s Languages) Each(fn func(l Language)) {
	for ; s != 0; s &= s - 1 {
		fn(Language(bits.TrailingZeros32(uint32(s))))
	}
}
