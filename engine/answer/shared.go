package answer

import (
	"strings"
	"unicode"
)

// functionWords say nothing of what is asked. The reader's calibration was fitted
// with the same ones.
var functionWords = wordSet(`a an and are as at be been by can could did do does for from had has have how i if in into
	is it its may me my of on or should so that the their them then there these they this to was we were what when
	where which who why will with would you your`)

const (
	leastLetters = 3 // of a word that says something; a number may be shorter
	stemLetters  = 5 // of a word are compared: what follows is mostly an ending
)

// sharedWords is the share of the question's words that a text holds, and 1 over
// the number of these words. What a reader marks is likelier right where the
// question named it.
func sharedWords(question, text string) (share, brief float64) {
	asked := contentWords(question)
	n := heldWords(asked, text)
	return float64(n) / float64(max(1, len(asked))), 1 / float64(max(1, len(asked)))
}

// heldWords is how many of some words a text holds.
func heldWords(asked map[string]bool, text string) (n int) {
	held := contentWords(text)
	for w := range asked {
		if held[w] {
			n++
		}
	}
	return n
}

// contentWords are the words of a text that say something, as they are compared.
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

// isNumber reports whether all of a word are digits.
func isNumber(letters []rune) bool {
	for _, r := range letters {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}
