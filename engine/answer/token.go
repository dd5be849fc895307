package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenize cuts text[r] into words, numbers and punctuation. Words keep inner
// marks: 1,500, 3.5%, $12, U.S., mid-1990s, O'Neill, 1932–1940.
func tokenize(text string, r Range) []Range {
	var tokens []Range
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
		tokens = append(tokens, Range{Start: at, End: end})
		at = end
	}
	return tokens
}

// isInitial reports whether a word is a name's initial, as in William E. Simon;
// its point belongs to it.
func isInitial(word, after string) bool {
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && len(after) > 2 && after[0] == '.' && after[1] == ' ' &&
		after[2] >= 'A' && after[2] <= 'Z'
}

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

// joins reports whether the mark text[at:at+size] joins two halves of a word.
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

// form is a token's look, for telling names.
type form uint8

const (
	otherForm form = iota
	nameForm       // Anna, NATO, March: a capital within a sentence
	firstForm      // a capital at a sentence's beginning; perhaps a name
	mixedForm      // main.go, OpenGL
)

// closedClass are function words and marks, never names.
var closedClass = func() map[string]bool {
	table := make(map[string]bool)
	for _, w := range strings.Fields(`a an the this that these those its his her their our my your some any no each every all both
		of in on at by for from to with without within into onto over under between among during after before since
		until through about against as than like per via near around across behind beyond despite
		and or but nor so yet because if although though while when where who whom whose which what how why whether
		is are was were be been being am has have had having do does did will would can could may might must shall should
		it he she they we you i him them us me himself itself themselves not also only more most less least very such
		other another same several many few much one there here then now however including called known named
		, . ; : ( ) [ ] " “ ” ' ’ - – — ! ? ` + "` / * % $ &") {
		table[w] = true
	}
	return table
}()

var (
	months = wordSet(`january february march april may june july august september october november december
		jan feb mar apr jun jul aug sep sept oct nov dec`)
	weekdays    = wordSet(`monday tuesday wednesday thursday friday saturday sunday`)
	numberWords = wordSet(`two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
		sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety half dozen twice once
		first second third quarter zero hundred thousand million billion trillion hundreds thousands millions billions`)
)

// formOf returns a token's form; first: it begins a sentence.
func formOf(word string, first bool) form {
	lower := strings.ToLower(word)
	capital := word != lower
	c, _ := utf8.DecodeRuneInString(word)
	switch {
	case months[lower] && capital:
		return nameForm
	case closedClass[lower] && (!capital || first || len(word) == 1):
		return otherForm
	case strings.ContainsAny(word, "0123456789"):
		return otherForm
	case weekdays[lower] && capital:
		return nameForm
	case numberWords[lower] || !isWordRune(c):
		return otherForm
	case len(word) > 1 && word == strings.ToUpper(word) && capital:
		return nameForm
	case word[1:] != lower[min(1, len(lower)):] && !unicode.IsUpper(c) || strings.ContainsAny(word, "._/@"):
		return mixedForm
	case unicode.IsUpper(c) && first:
		return firstForm
	case unicode.IsUpper(c):
		return nameForm
	}
	return otherForm
}
