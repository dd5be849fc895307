package answer

import (
	"strings"
	"unicode"
)

// functionWords say nothing about the topic; the calibration was fitted with
// this list.
var functionWords = wordSet(`a an and are as at be been by can could did do does for from had has have how i if in into
	is it its may me my of on or should so that the their them then there these they this to was we were what when
	where which who why will with would you your`)

const (
	leastLetters = 3 // of a content word; numbers may be shorter
	stemLetters  = 5 // compared of a word: mostly endings follow
)

// sharedWords is the share of the question's words in a text, and 1 over their
// number. Evidence is likelier right where the question names it.
func sharedWords(question, text string) (share, brief float64) {
	asked := contentWords(question)
	n := heldWords(asked, text)
	return float64(n) / float64(max(1, len(asked))), 1 / float64(max(1, len(asked)))
}

// heldWords counts words that a text holds.
func heldWords(asked map[string]bool, text string) (n int) {
	held := contentWords(text)
	for w := range asked {
		if held[w] {
			n++
		}
	}
	return n
}

// contentWords are the content words of a text, cut for comparison.
func contentWords(text string) map[string]bool {
	found := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		letters := []rune(w)
		if len(letters) < leastLetters && !isNumber(letters) || functionWords[w] {
			continue
		}
		found[string(letters[:min(stemLetters, len(letters))])] = true
	}
	return found
}

func isNumber(letters []rune) bool {
	for _, r := range letters {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}
