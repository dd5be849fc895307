package reply

import (
	"slices"
	"strings"

	"dowse/engine"
	"dowse/internal/fold"
)

// mostWords is how many matched words are named.
const mostWords = 6

// Why says in a few words why a passage was found: the words of the query that it has, and that it
// means something like it.
func Why(p engine.Passage) string {
	var words, seen []string
	for _, h := range p.Highlights {
		word := p.Text[h.Start:h.End]
		if folded := fold.String(word); !slices.Contains(seen, folded) {
			words, seen = append(words, word), append(seen, folded)
		}
	}
	if len(words) > mostWords {
		words = append(words[:mostWords], "…")
	}
	var why []string
	if len(words) > 0 {
		why = append(why, "words: "+strings.Join(words, ", "))
	}
	if p.VectorRank > 0 {
		why = append(why, "meaning")
	}
	return strings.Join(why, "; ")
}
