package kv

import (
	"unsafe"

	"dowse/engine/kernel"
)

// Rows is room for the keys and values of some tokens in one layer. At Level8 they are
// bytes with a scale for each vector, and are written before anybody attends to them,
// the token itself included, so that what attention reads never depends on what was
// computed together. At other levels they are packed, and made from others by lower.
type Rows struct {
	heads, headDim int
	k, v           kernel.HeadRows // of all tokens
}

const bfloat16Size = int(unsafe.Sizeof(kernel.BFloat16(0)))

// RowBytes returns what the keys and values of a token take in a layer.
func RowBytes(heads, headDim int) int { return 2 * heads * (headDim + bfloat16Size) }

// RowsIn views memory that starts at a multiple of four as room for tokens at a level.
func RowsIn(memory []byte, tokens, heads, headDim int, l Level) Rows {
	if l != Level8 {
		return packedIn(memory, tokens, heads, headDim, l)
	}
	vectors := tokens * heads
	t := taker(memory)
	keyScale, valueScale := t.halves(vectors), t.halves(vectors)
	return Rows{
		heads: heads, headDim: headDim,
		k: kernel.HeadRows{Scale: keyScale, Bytes: t.signed(vectors * headDim)},
		v: kernel.HeadRows{Scale: valueScale, Bytes: t.signed(vectors * headDim)},
	}
}

// taker is memory that is taken piece by piece.
type taker []byte

func (t *taker) bytes(n int) []byte {
	piece := (*t)[:n:n]
	*t = (*t)[n:]
	return piece
}

func (t *taker) signed(n int) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(t.bytes(n)))), n)
}

func (t *taker) halves(n int) []kernel.BFloat16 {
	return unsafe.Slice((*kernel.BFloat16)(unsafe.Pointer(unsafe.SliceData(t.bytes(n*bfloat16Size)))), n)
}

func (t *taker) floats(n int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(t.bytes(4*n)))), n)
}

// Span returns those of the tokens from, from+1, ... to-1.
func (r *Rows) Span(from, to int) kernel.KeyValues {
	return kernel.KeyValues{Tokens: to - from, K: r.cut(&r.k, from, to), V: r.cut(&r.v, from, to)}
}

// cut returns the keys or the values of some tokens.
func (r *Rows) cut(x *kernel.HeadRows, from, to int) kernel.HeadRows {
	if x.Packed.Bits != 0 {
		return r.cutPacked(x.Packed, from, to)
	}
	width := r.heads * r.headDim
	return kernel.HeadRows{Bytes: x.Bytes[from*width : to*width], Scale: x.Scale[from*r.heads : to*r.heads]}
}

// Part returns the tokens from, ... to-1 of a span with the given number of heads, at
// Level8.
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
