package kernel

import (
	"fmt"
	"testing"
)

// BenchmarkCausalSpans is one layer's attention over chunks of 16 tokens, beside that over
// the same tokens in one span.
func BenchmarkCausalSpans(b *testing.B) {
	const keys, chunk = 4000, 16
	s := newSequence(b, newRandom(), smol, keys)
	var chunks []KeyValues
	for from := 0; from < keys; from += chunk {
		chunks = append(chunks, s.cut(s.bytes, from, min(from+chunk, keys)))
	}
	for _, rows := range []int{1, 16} {
		for _, isa := range ISAs()[1:] {
			for name, cache := range map[string][]KeyValues{"whole": {s.bytes}, "chunks": chunks} {
				b.Run(fmt.Sprintf("rows=%d/%s/%s", rows, isa, name), func(b *testing.B) {
					k, scratch := newKernel(b, isa), newScratch(b)
					in := s.rows(keys-rows, keys, cache...)
					dst := make([]float32, rows*s.heads*s.headDim)
					reportStream(b, 2*keys*s.kvHeads*s.headDim, func(int) error { return k.CausalAttention(dst, in, scratch) })
				})
			}
		}
	}
}
