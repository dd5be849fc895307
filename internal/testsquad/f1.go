package testsquad

import (
	"strings"
	"unicode"
)

// normalize reduces an answer to the words by which SQuAD compares answers:
// lower case, without ASCII punctuation and English articles.
func normalize(text string) []string {
	text = strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	words := strings.Fields(text)
	kept := words[:0]
	for _, w := range words {
		if w != "a" && w != "an" && w != "the" {
			kept = append(kept, w)
		}
	}
	return kept
}

// f1Of returns the harmonic mean of precision and recall of the words of two
// normalised answers, as SQuAD defines it; two empty ones agree.
func f1Of(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		if len(a) == len(b) {
			return 1
		}
		return 0
	}
	counts := make(map[string]int, len(a))
	for _, w := range a {
		counts[w]++
	}
	same := 0
	for _, w := range b {
		if counts[w] > 0 {
			counts[w]--
			same++
		}
	}
	return 2 * float64(same) / float64(len(a)+len(b))
}
