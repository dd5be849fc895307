package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Analyzer reduces text to terms: *lexical.Analyzer is one.
type Analyzer interface {
	// Append appends the terms of text to dst, in order.
	Append(dst []string, text string) []string
}

// token is a word, a number or a punctuation mark of a piece of text.
type token struct {
	Range
	class  class
	term   string  // stem, "" for what the analyzer leaves out
	weight float64 // of the term, by rarity
	match  float64 // to what degree it is a word of the question, 0 to 1
	asked  int     // which term of the question it matches, if match > 0
}

// tokenize cuts text[r] into tokens without terms. Words keep what is within
// them: 1,500, 3.5%, $12, U.S., mid-1990s, O'Neill, 1932–1940.
func tokenize(text string, r Range) []token {
	var tokens []token
	for at := r.Start; at < r.End; {
		c, size := utf8.DecodeRuneInString(text[at:r.End])
		if unicode.IsSpace(c) {
			at += size
			continue
		}
		end := at + size
		if isWordRune(c) || isCurrency(c) && startsNumber(text[end:r.End]) {
			end = wordEnd(text, end, r.End)
			if isInitial(text[at:end], text[end:r.End]) {
				end++
			}
		}
		tokens = append(tokens, token{Range: Range{at, end}})
		at = end
	}
	return tokens
}

// isInitial says whether a word is the first letter of a name, as in William
// E. Simon, whose point belongs to it.
func isInitial(word, after string) bool {
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && len(after) > 2 && after[0] == '.' && after[1] == ' ' &&
		after[2] >= 'A' && after[2] <= 'Z'
}

// wordEnd extends a word from at to where it ends.
func wordEnd(text string, at, limit int) int {
	for at < limit {
		c, size := utf8.DecodeRuneInString(text[at:limit])
		switch {
		case isWordRune(c):
		case c == '%' && isASCIIDigit(text[at-1]):
			return at + size
		case !joins(text, at, size, limit):
			return at
		}
		at += size
	}
	return at
}

// joins says whether the mark text[at:at+size] holds two halves of one word
// together.
func joins(text string, at, size, limit int) bool {
	mark := text[at : at+size]
	after, _ := utf8.DecodeRuneInString(text[at+size : limit])
	if at+size >= limit || !isWordRune(after) {
		// The last point of U.S. belongs to it.
		return mark == "." && at >= 2 && text[at-2] == '.'
	}
	switch mark {
	case "-", "–", "_", "/", "@":
		return true
	case "'", "’":
		return unicode.IsLetter(after) && !isPossessive(text[at+size:limit])
	case ",", ":":
		return isASCIIDigit(text[at-1]) && isASCIIDigit(text[at+size])
	case ".":
		return true // 3.5, U.S, main.go
	}
	return false
}

// isPossessive says whether what follows an apostrophe is only an s.
func isPossessive(after string) bool {
	if after[0] != 's' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(after[1:])
	return len(after) == 1 || !isWordRune(next)
}

func isWordRune(c rune) bool {
	return c < utf8.RuneSelf && (isASCIIDigit(byte(c)) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_') ||
		c >= utf8.RuneSelf && unicode.In(c, unicode.L, unicode.N, unicode.M)
}

func isASCIIDigit(c byte) bool { return c >= '0' && c <= '9' }

func isCurrency(c rune) bool { return c == '$' || c == '€' || c == '£' || c == '¥' }

func startsNumber(text string) bool { return text != "" && isASCIIDigit(text[0]) }

// class is what a token looks like. Function words and punctuation marks each
// have one of their own, from firstWordClass on.
type class uint8

// Classes of tokens by form.
const (
	noClass class = iota // before the first and after the last token
	classYear
	classNumber
	classDecimal // 1,500 and 3.5
	classPercent
	classMoney
	classOrdinal // 19th
	classDecade  // 1990s
	classSpan    // 1932–1940
	classMonth
	classWeekday
	classNumberWord
	classMagnitude // hundred, million
	classAcronym   // NATO
	classCapital
	classFirst // capital at the beginning of a sentence
	classMixed // main.go, OpenGL
	classAdverb
	classGerund
	classPast
	classAbstract // -tion, -ment, -ness, -ity, -ism
	classAdjective
	classAgent // -er, -or, -ist
	classPlural
	classLower
	classPunctuation // without a class of its own
	firstWordClass
)

// functionWords and marks with classes of their own. Appending is safe,
// reordering needs new weights.
var ownClasses = func() map[string]class {
	words := strings.Fields(`a an the this that these those its his her their our my your some any no each every all both
		of in on at by for from to with without within into onto over under between among during after before since
		until through about against as than like per via near around across behind beyond despite
		and or but nor so yet because if although though while when where who whom whose which what how why whether
		is are was were be been being am has have had having do does did will would can could may might must shall should
		it he she they we you i him them us me himself itself themselves not also only more most less least very such
		other another same several many few much one there here then now however including called known named
		, . ; : ( ) [ ] " “ ” ' ’ - – — ! ? ` + "` / * % $ &")
	table := make(map[string]class, len(words))
	for i, w := range words {
		table[w] = firstWordClass + class(i)
	}
	return table
}()

var (
	months = wordSet(`january february march april may june july august september october november december
		jan feb mar apr jun jul aug sep sept oct nov dec`)
	weekdays    = wordSet(`monday tuesday wednesday thursday friday saturday sunday`)
	numberWords = wordSet(`two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
		sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety half dozen twice once
		first second third quarter zero`)
	magnitudes = wordSet(`hundred thousand million billion trillion hundreds thousands millions billions`)
)

// classify gives the class of a token; first says that it begins a sentence.
func classify(word string, first bool) class {
	lower := strings.ToLower(word)
	capital := word != lower
	if months[lower] && capital {
		return classMonth
	}
	if c, ok := ownClasses[lower]; ok && (!capital || first || len(word) == 1) {
		return c
	}
	switch {
	case strings.ContainsAny(word, "0123456789"):
		return classifyNumber(lower)
	case weekdays[lower] && capital:
		return classWeekday
	case numberWords[lower]:
		return classNumberWord
	case magnitudes[lower]:
		return classMagnitude
	}
	return classifyWord(word, lower, first)
}

func classifyNumber(word string) class {
	c, _ := utf8.DecodeRuneInString(word)
	digits := strings.TrimFunc(word, func(c rune) bool { return c < '0' || c > '9' })
	switch {
	case isCurrency(c) || strings.HasPrefix(word, "us$"):
		return classMoney
	case strings.HasSuffix(word, "%"):
		return classPercent
	case len(digits) == 4 && digits == word && word >= "1000" && word < "2100":
		return classYear
	case digits == word && !strings.ContainsAny(word, ".,:-–/"):
		return classNumber
	case strings.Trim(word, "0123456789.,:") == "":
		return classDecimal
	case strings.Trim(word, "0123456789-–/") == "":
		return classSpan
	case strings.HasSuffix(word, "0s"):
		return classDecade
	case len(word)-len(digits) == 2 && strings.HasPrefix(word, digits):
		return classOrdinal
	}
	return classMixed
}

func classifyWord(word, lower string, first bool) class {
	c, _ := utf8.DecodeRuneInString(word)
	switch {
	case !isWordRune(c):
		return classPunctuation
	case len(word) > 1 && word == strings.ToUpper(word) && word != lower:
		return classAcronym
	case word[1:] != lower[min(1, len(lower)):] && !unicode.IsUpper(c) || strings.ContainsAny(word, "._/@"):
		return classMixed
	case unicode.IsUpper(c) && first:
		return classFirst
	case unicode.IsUpper(c):
		return classCapital
	}
	return classifySuffix(word)
}

// suffixes that tell the part of speech of a lower-case word, most specific
// first.
var suffixes = []struct {
	suffix string
	class  class
}{
	{"ly", classAdverb}, {"ing", classGerund}, {"ed", classPast},
	{"tion", classAbstract}, {"sion", classAbstract}, {"ment", classAbstract}, {"ness", classAbstract},
	{"ity", classAbstract}, {"ism", classAbstract}, {"ance", classAbstract}, {"ence", classAbstract},
	{"ous", classAdjective}, {"ive", classAdjective}, {"al", classAdjective}, {"ic", classAdjective},
	{"able", classAdjective}, {"ful", classAdjective}, {"ian", classAdjective},
	{"er", classAgent}, {"or", classAgent}, {"ist", classAgent},
	{"ss", classLower}, {"us", classLower}, {"s", classPlural},
}

func classifySuffix(word string) class {
	for _, s := range suffixes {
		if len(word) > len(s.suffix)+1 && strings.HasSuffix(word, s.suffix) {
			return s.class
		}
	}
	return classLower
}

// isNumeric says whether a class is of numbers.
func (c class) isNumeric() bool { return c >= classYear && c <= classSpan }

// isName says whether a class is of words with a capital within a sentence.
func (c class) isName() bool {
	return c == classAcronym || c == classCapital || c == classMonth || c == classWeekday
}

// isOwn says whether a class is of one function word or mark.
func (c class) isOwn() bool { return c >= firstWordClass || c == classPunctuation }
