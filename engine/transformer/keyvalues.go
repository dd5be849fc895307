package transformer

import (
	"unsafe"

	"dowse/engine/kernel"
)

// keyValues are the keys and values of tokens of one layer, as bytes with a
// scale for each vector. They are written before anybody attends to them, the
// token itself included, so that what attention reads never depends on what was
// computed together.
type keyValues struct {
	tokens, heads, headDim int
	keys, values           []int8            // [tokens,heads*headDim]
	keyScale, valueScale   []kernel.BFloat16 // [tokens,heads]
}

const bfloat16Size = int(unsafe.Sizeof(kernel.BFloat16(0)))

// layKeyValues views memory that starts at a multiple of two as room for
// tokens.
func layKeyValues(memory []byte, tokens, heads, headDim int) keyValues {
	vectors := tokens * heads
	take := func(n int) []byte {
		piece := memory[:n:n]
		memory = memory[n:]
		return piece
	}
	scales := unsafe.Slice((*kernel.BFloat16)(unsafe.Pointer(unsafe.SliceData(take(2*bfloat16Size*vectors)))), 2*vectors)
	bytes := take(2 * vectors * headDim)
	both := unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes))
	return keyValues{
		tokens: tokens, heads: heads, headDim: headDim,
		keys: both[:vectors*headDim], values: both[vectors*headDim:],
		keyScale: scales[:vectors], valueScale: scales[vectors:],
	}
}

// span is those of the tokens from, from+1, ... to-1.
func (s *keyValues) span(from, to int) kernel.KeyValues {
	width := s.heads * s.headDim
	return kernel.KeyValues{
		Tokens: to - from,
		K:      kernel.HeadRows{Bytes: s.keys[from*width : to*width], Scale: s.keyScale[from*s.heads : to*s.heads]},
		V:      kernel.HeadRows{Bytes: s.values[from*width : to*width], Scale: s.valueScale[from*s.heads : to*s.heads]},
	}
}

// part is the tokens from, ... to-1 of a span of so many heads.
func part(span kernel.KeyValues, from, to, heads int) kernel.KeyValues {
	cut := func(r kernel.HeadRows) kernel.HeadRows {
		width := len(r.Bytes) / max(span.Tokens, 1)
		return kernel.HeadRows{Bytes: r.Bytes[from*width : to*width], Scale: r.Scale[from*heads : to*heads]}
	}
	return kernel.KeyValues{Tokens: to - from, K: cut(span.K), V: cut(span.V)}
}

// tokensIn adds up the tokens of spans.
func tokensIn(spans []kernel.KeyValues) int {
	total := 0
	for i := range spans {
		total += spans[i].Tokens
	}
	return total
}
