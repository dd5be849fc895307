package lexical

import (
	"math/bits"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// Language is a language that the analysis tells from others. English, the zero
// Language, also stands for program text and for all that it cannot tell.
type Language uint8

// The languages by number. Their numbers are in no file.
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

// languages are the codes of ISO 639-1 and the stemmers. Where there is no stemmer,
// words stay as they are.
var languages = [languageCount]struct {
	code string
	stem func(env *snowballstem.Env) bool
}{
	English:    {"en", english.Stem},
	Arabic:     {"ar", arabic.Stem},
	Czech:      {"cs", nil},
	Danish:     {"da", danish.Stem},
	Dutch:      {"nl", dutch.Stem},
	Finnish:    {"fi", finnish.Stem},
	French:     {"fr", french.Stem},
	German:     {"de", german.Stem},
	Greek:      {"el", nil},
	Hindi:      {"hi", nil},
	Hungarian:  {"hu", hungarian.Stem},
	Italian:    {"it", italian.Stem},
	Norwegian:  {"no", norwegian.Stem},
	Polish:     {"pl", nil},
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

// languageOf finds a language by its code.
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
	env := snowballstem.NewEnv(word)
	stem(env)
	return env.Current()
}

// Languages is a set of languages.
type Languages uint32

// KnownLanguages is how many there are.
const KnownLanguages = int(languageCount)

// OnlyEnglish are the languages of an index without texts in others.
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
