package kv

import (
	"unsafe"

	"dowse/engine/kernel"
)

// Rows is room for some tokens' keys and values in one layer. At Level8 they are bytes with
// a scale for each vector, quantised before any token attends to them, its own included, so
// results never depend on which tokens were computed together. Other levels are packed by lower.
type Rows struct {
	heads, headDim int
	k, v           kernel.HeadRows
}

const bfloat16Size = int(unsafe.Sizeof(kernel.BFloat16(0)))

// RowBytes returns the bytes of a token's keys and values in a layer.
func RowBytes(heads, headDim int) int { return 2 * heads * (headDim + bfloat16Size) }

// RowsIn views memory aligned to four bytes as room for tokens at a level.
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

// taker cuts memory into pieces.
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

// Span returns the tokens [from, to).
func (r *Rows) Span(from, to int) kernel.KeyValues {
	return kernel.KeyValues{Tokens: to - from, K: r.cut(&r.k, from, to), V: r.cut(&r.v, from, to)}
}

// cut returns the keys or the values of tokens [from, to).
func (r *Rows) cut(x *kernel.HeadRows, from, to int) kernel.HeadRows {
	if x.Packed.Bits != 0 {
		return r.cutPacked(x.Packed, from, to)
	}
	width := r.heads * r.headDim
	return kernel.HeadRows{Bytes: x.Bytes[from*width : to*width], Scale: x.Scale[from*r.heads : to*r.heads]}
}

// Part returns the tokens [from, to) of a span with that many heads, at Level8.
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

// lanes is the multiple to which a packed vector is padded.
const lanes = 16

func packedColumns(headDim int) int { return (headDim + lanes - 1) / lanes * lanes }

// packedBytes returns the bytes of tokens' keys and values in a layer at 4 or 2 bits: for each
// head two floats, and for each padded column a byte of scale and one of minimum; for each
// token and head two 16-bit numbers for its value, and the packed columns of key and value.
func packedBytes(tokens, heads, headDim int, l Level) int {
	columns := packedColumns(headDim)
	return heads * (8 + 2*columns + tokens*(4+2*columns*int(l)/8))
}

// packedIn is RowsIn for levels below Level8.
func packedIn(memory []byte, tokens, heads, headDim int, l Level) Rows {
	columns, bits := packedColumns(headDim), int(l)
	vectors := tokens * heads
	t := taker(memory)
	r := Rows{heads: heads, headDim: headDim}
	r.k.Packed = kernel.PackedRows{Bits: bits, Unit: t.floats(2 * heads)}
	r.v.Packed = kernel.PackedRows{Bits: bits, Scale: t.halves(vectors), Min: t.halves(vectors)}
	r.k.Packed.ChannelScale = t.bytes(heads * columns)
	r.k.Packed.ChannelMin = t.signed(heads * columns)
	r.k.Packed.Numbers = t.bytes(vectors * columns * bits / 8)
	r.v.Packed.Numbers = t.bytes(vectors * columns * bits / 8)
	return r
}

// cutPacked returns packed keys or values of tokens [from, to), which share all channels.
func (r *Rows) cutPacked(p kernel.PackedRows, from, to int) kernel.HeadRows {
	width := r.heads * packedColumns(r.headDim) * p.Bits / 8
	p.Numbers = p.Numbers[from*width : to*width]
	if p.Unit == nil {
		p.Scale, p.Min = p.Scale[from*r.heads:to*r.heads], p.Min[from*r.heads:to*r.heads]
	}
	return kernel.HeadRows{Packed: p}
}

// lower packs rows of tokens with fewer bits.
func (r *Rows) lower(to *Rows, tokens int) {
	kernel.PackKeys(&to.k.Packed, &r.k, tokens, r.heads, r.headDim)
	kernel.PackValues(&to.v.Packed, &r.v, tokens, r.heads, r.headDim)
}
