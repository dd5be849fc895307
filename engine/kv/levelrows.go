package kv

import "dowse/engine/kernel"

// lanes is what the columns of a packed vector are padded to a multiple of.
const lanes = 16

// packedColumns returns how many columns a packed vector has.
func packedColumns(headDim int) int { return (headDim + lanes - 1) / lanes * lanes }

// packedBytes returns what the keys and values of tokens take in a layer at 4 or 2
// bits. For each head there are a pair of floats, and for each of its padded columns a
// byte of scale and one of minimum; for each token and head two numbers of 16 bits for
// its value, and the columns of key and value, packed.
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

// cutPacked returns packed keys or values of some tokens, which share the channels of
// all.
func (r *Rows) cutPacked(p kernel.PackedRows, from, to int) kernel.HeadRows {
	width := r.heads * packedColumns(r.headDim) * p.Bits / 8
	p.Numbers = p.Numbers[from*width : to*width]
	if p.Unit == nil {
		p.Scale, p.Min = p.Scale[from*r.heads:to*r.heads], p.Min[from*r.heads:to*r.heads]
	}
	return kernel.HeadRows{Packed: p}
}

// lower writes rows of tokens to others of fewer bits.
func (r *Rows) lower(to *Rows, tokens int) {
	kernel.PackKeys(&to.k.Packed, &r.k, tokens, r.heads, r.headDim)
	kernel.PackValues(&to.v.Packed, &r.v, tokens, r.heads, r.headDim)
}
