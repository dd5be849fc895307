package transformer_test

import (
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/transformer"
)

// However many tokens share a chunk of memory, logits, trees and what is stored have
// the same bits, and chunks hold little more than the tokens.
func TestChunksChangeNoBit(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed = 92
	t.Logf("seed %d", seed)
	for name, model := range deep() {
		path := importFolder(t, model.folder(t))
		one := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens})
		s := one.NewSequence()
		want, stored := talk(t, one, s, seed, 64), transformer.TokenBits(s)
		freeSequence(t, s)
		for _, tokens := range []int{1, 16, 100, 1000} {
			o := transformer.DecoderOptions{MaxTokens: deepTokens, Threads: 2, ChunkTokens: tokens, Ledger: &memory.Ledger{}}
			d := openDecoder(t, path, o)
			s := d.NewSequence()
			if got := talk(t, d, s, seed, 333); !slices.Equal(got, want) {
				t.Errorf("%s, chunks of %d tokens: other logits", name, tokens)
			}
			if got := transformer.TokenBits(s); !slices.EqualFunc(got, stored, slices.Equal) {
				t.Errorf("%s, chunks of %d tokens: other keys and values", name, tokens)
			}
			shape := kv.Shape{Layers: model.layers, Heads: model.kvHeads, HeadDim: model.head}
			most := (s.Len() + tokens - 1) / tokens * tokens
			if got, want := s.Bytes(), int64(shape.Bytes(most+kv.MaxTree)); got != want {
				t.Errorf("%s, chunks of %d tokens: %d bytes for %d, want %d", name, tokens, got, s.Len(), want)
			}
			freeSequence(t, s)
		}
	}
}
