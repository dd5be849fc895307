package transformer_test

import (
	"math/rand/v2"
	"testing"

	"dowse/engine/transformer"
	"dowse/models/pack"
)

// What is active in the tokens of a text one by one is what is counted of the whole text.
func TestActiveChannelsAreThoseThatAreCounted(t *testing.T) {
	const seed, tokens = 131, 150
	path := rowsOf(t, importFolder(t, decoders()["Qwen2"].folder(t)), 2, 8)
	s := sparsityOf(t, path, .5)
	d := openDecoder(t, path, transformer.DecoderOptions{Threads: 1, MaxTokens: tokens})
	ids := randomIDs(rand.New(rand.NewPCG(seed, 0)), tokens, d.Vocabulary())
	counts, err := transformer.CountActive(t.Context(), d, ids, s.Thresholds)
	if err != nil {
		t.Fatal(err)
	}
	seen := make([][pack.Bundles]int, d.Layers())
	err = d.Active(t.Context(), ids, s.Thresholds, func(layer int, b pack.Bundle, channels []int32) {
		seen[layer][b]++
		for _, c := range channels {
			counts[layer][b][c]--
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	channels := d.RowChannels()
	for layer := range counts {
		for b := range pack.Bundles {
			if seen[layer][b] != tokens || len(counts[layer][b]) != channels[b] {
				t.Errorf("seed %d, layer %d, %v: %d tokens, %d channels", seed, layer, b, seen[layer][b], len(counts[layer][b]))
			}
			for c, left := range counts[layer][b] {
				if left != 0 {
					t.Fatalf("seed %d, layer %d, %v, channel %d: %d tokens too few", seed, layer, b, c, left)
				}
			}
		}
	}
	if err := d.Active(t.Context(), ids, nil, nil); err == nil {
		t.Error("thresholds of no model were taken")
	}
}
