package local

import (
	"strings"

	"dowse/engine/lexical"
)

// saidShare is the least share of the answer's words that says it.
const saidShare = 0.6

// saidIn reports whether a text says the answer in short, literally or with most of the
// words and all of the numbers that the question lacks; where there is none, as answers.
func (h *heldOut) saidIn(text string) bool {
	if h.answers(text) || h.Short == "" {
		return h.answers(text)
	}
	words := func(text string) map[string]bool {
		set := map[string]bool{}
		for _, w := range lexical.NewAnalyzer().Append(nil, text) {
			set[w] = true
		}
		return set
	}
	asked, said, held, all := words(h.Question), words(text), 0, 0
	for w := range words(h.Short) {
		if asked[w] {
			continue
		}
		all++
		if said[w] {
			held++
		} else if strings.ContainsAny(w, "0123456789") {
			return false
		}
	}
	return float64(held) >= saidShare*float64(max(1, all))
}
