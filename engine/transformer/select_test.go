package transformer_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/transformer"
)

// The logits of selected words are those of all words, and the tokens leave the
// same keys and values.
func TestAppendSelectedHasTheBitsOfAppend(t *testing.T) {
	const seed, tokens = 84, 300
	t.Logf("seed %d", seed)
	for name, model := range decoders() {
		rng := rand.New(rand.NewPCG(seed, 0))
		path := importFolder(t, model.folder(t))
		for threads := 1; threads <= 2; threads++ {
			d := openDecoder(t, path, transformer.DecoderOptions{Threads: threads})
			ids, words := randomIDs(rng, tokens, d.Vocabulary()), randomIDs(rng, 1+rng.IntN(150), d.Vocabulary())
			plain, selected := d.NewSequence(), d.NewSequence()
			all := appendAll(t, d, plain, ids, tokens)
			got := make([]float32, tokens*len(words))
			if err := d.AppendSelected(t.Context(), selected, ids, words, got); err != nil {
				t.Fatal(err)
			}
			for i := range tokens {
				for j, word := range words {
					if got[i*len(words)+j] != all[i*d.Vocabulary()+int(word)] {
						t.Fatalf("%s: word %d after token %d has other bits", name, word, i)
					}
				}
			}
			if !slices.EqualFunc(keptBits(plain), keptBits(selected), slices.Equal) {
				t.Errorf("%s: other keys and values", name)
			}
			for what, call := range map[string]struct {
				words  []int32
				logits int
			}{"no words": {nil, 0}, "an unknown word": {[]int32{int32(d.Vocabulary())}, 1}, "few logits": {[]int32{1, 2}, 1}} {
				if d.AppendSelected(t.Context(), selected, ids[:1], call.words, make([]float32, call.logits)) == nil {
					t.Errorf("%s: %s", name, what)
				}
			}
			freeSequence(t, plain)
			freeSequence(t, selected)
		}
	}
}
