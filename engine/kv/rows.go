package kv

import (
	"unsafe"

	"dowse/engine/kernel"
)

// Rows is room for the keys and values of some tokens in one layer, as bytes with a
// scale for each vector. They are written before anybody attends to them, the token
// itself included, so that what attention reads never depends on what was computed
// together.
type Rows struct {
	heads, headDim       int
	keys, values         []int8            // [tokens,heads*headDim]
	keyScale, valueScale []kernel.BFloat16 // [tokens,heads]
}

const bfloat16Size = int(unsafe.Sizeof(kernel.BFloat16(0)))

// RowBytes returns what the keys and values of a token take in a layer.
func RowBytes(heads, headDim int) int { return 2 * heads * (headDim + bfloat16Size) }

// RowsIn views memory that starts at a multiple of two as room for tokens.
func RowsIn(memory []byte, tokens, heads, headDim int) Rows {
	vectors := tokens * heads
	take := func(n int) []byte {
		piece := memory[:n:n]
		memory = memory[n:]
		return piece
	}
	scales := unsafe.Slice((*kernel.BFloat16)(unsafe.Pointer(unsafe.SliceData(take(2*bfloat16Size*vectors)))), 2*vectors)
	bytes := take(2 * vectors * headDim)
	both := unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes))
	return Rows{
		heads: heads, headDim: headDim,
		keys: both[:vectors*headDim], values: both[vectors*headDim:],
		keyScale: scales[:vectors], valueScale: scales[vectors:],
	}
}

// Span returns those of the tokens from, from+1, ... to-1.
func (r *Rows) Span(from, to int) kernel.KeyValues {
	width := r.heads * r.headDim
	return kernel.KeyValues{
		Tokens: to - from,
		K:      kernel.HeadRows{Bytes: r.keys[from*width : to*width], Scale: r.keyScale[from*r.heads : to*r.heads]},
		V:      kernel.HeadRows{Bytes: r.values[from*width : to*width], Scale: r.valueScale[from*r.heads : to*r.heads]},
	}
}

// Part returns the tokens from, ... to-1 of a span with the given number of heads.
func Part(span kernel.KeyValues, from, to, heads int) kernel.KeyValues {
	cut := func(r kernel.HeadRows) kernel.HeadRows {
		width := len(r.Bytes) / max(span.Tokens, 1)
		return kernel.HeadRows{Bytes: r.Bytes[from*width : to*width], Scale: r.Scale[from*heads : to*heads]}
	}
	return kernel.KeyValues{Tokens: to - from, K: cut(span.K), V: cut(span.V)}
}

// Tokens adds up the tokens of spans.
func Tokens(spans []kernel.KeyValues) int {
	total := 0
	for i := range spans {
		total += spans[i].Tokens
	}
	return total
}
