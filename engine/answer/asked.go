package answer

import (
	"slices"
	"strings"
	"unicode"

	"dowse/engine"
)

// Asked is a question for a Reader.
type Asked struct {
	Question string
	// Follows are the earlier questions that complete Question, first one
	// first; nil where it stands alone.
	Follows []string
	Files   []string // paths that answered Follows
}

// AskedIn returns the question of a job.
func AskedIn(job *engine.AnswerJob) Asked { return Asked{job.Question, job.Follows, job.Files} }

// filePrior is the logit that passages of Files gain. Of 280 follow-ups for
// choices (engine/search/followup.go) .686 are quoted right without it, .704
// with 1, .718 with 2 and .743 with 4; of the 14 with another file 7, 6, 6 and
// 5.
const filePrior = 4

// prior raises the logits of a passage's pieces and of none equally: the
// passage is preferred, but evidence is not invented.
func (a *Asked) prior(p *Passage) float64 {
	if slices.Contains(a.Files, p.Path) {
		return filePrior
	}
	return 0
}

// behind separates a follow-up from its earlier questions, as in the reader's
// training (train/evidence_data.py).
const behind = " ; "

// read is the reader's input: the question, then the earlier ones. Of 60
// follow-ups with their evidence among five passages a reader trained on none
// marked 38 right so, and 29 with the earlier questions in front.
func (a *Asked) read() string {
	if len(a.Follows) == 0 {
		return unmarked(a.Question)
	}
	return unmarked(a.Question) + behind + unmarked(strings.Join(a.Follows, " "))
}

func (a *Asked) inFull() string {
	return strings.Join(append([]string{a.Question}, a.Follows...), " ")
}

// unmarked strips capitals and the question mark, so that one quotation comes
// however a question is typed. Most people type so, and most training questions
// are written so.
func unmarked(question string) string {
	return strings.ToLower(strings.TrimRight(question, "?!. \t\n"))
}

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
