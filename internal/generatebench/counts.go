package generatebench

import (
	"cmp"
	"slices"

	"dowse/engine/generate/draft"
)

// counts stand in for the logits of the model that wrote the traces, which
// nobody recorded: how often a token followed a pair of tokens, or a single one,
// in the past answers of that model and in the prompt.
type counts struct {
	pairs  map[[2]int32]map[int32]float32
	single map[int32]map[int32]float32
}

func newCounts() *counts {
	return &counts{pairs: map[[2]int32]map[int32]float32{}, single: map[int32]map[int32]float32{}}
}

func (c *counts) add(text []int32, weight float32) {
	for i := 1; i < len(text); i++ {
		bump(c.single, text[i-1], text[i], weight)
		if i > 1 {
			bump(c.pairs, [2]int32{text[i-2], text[i-1]}, text[i], weight)
		}
	}
}

func bump[K comparable](m map[K]map[int32]float32, key K, token int32, weight float32) {
	if m[key] == nil {
		m[key] = map[int32]float32{}
	}
	m[key][token] += weight
	if m[key][token] <= 0 {
		delete(m[key], token)
	}
}

// after returns the three most frequent tokens after the last of a text, as
// shares of all.
func (c *counts) after(text []int32) []draft.Candidate {
	last := len(text) - 1
	var following map[int32]float32
	if last > 0 {
		following = c.pairs[[2]int32{text[last-1], text[last]}]
	}
	if len(following) == 0 {
		following = c.single[text[last]]
	}
	var total float32
	var candidates []draft.Candidate
	for token, n := range following {
		candidates = append(candidates, draft.Candidate{Token: token, Probability: n})
		total += n
	}
	slices.SortFunc(candidates, func(a, b draft.Candidate) int {
		if a.Probability != b.Probability {
			return cmp.Compare(b.Probability, a.Probability)
		}
		return cmp.Compare(a.Token, b.Token)
	})
	candidates = candidates[:min(len(candidates), 3)]
	for i := range candidates {
		candidates[i].Probability /= total + 1
	}
	return candidates
}
