package kernel

import (
	"fmt"
	"math"
	"slices"
)

// PackedRows are the keys or the values of cached tokens at 4 or 2 bits a number: a
// number n stands for n*scale + minimum. A vector is padded to a multiple of 16
// columns. Of 16 columns the numbers lie in 2*Bits bytes: byte i of them holds
// those of the columns i, i+2*Bits, ..., the lowest bits first.
//
// Keys share scale and minimum by channel: a column of a head has the same ones in
// all tokens, because it differs from other columns more than from token to token.
// Values have theirs by token and head.
type PackedRows struct {
	Bits    int     // 4 or 2; 0 says that the rows are not packed
	Numbers []uint8 // [tokens,KVHeads,columns*Bits/8]

	// Of keys: a column's scale is ChannelScale times the first Unit of its head, its
	// minimum is ChannelMin times the second.
	ChannelScale []uint8   // [KVHeads,columns]
	ChannelMin   []int8    // [KVHeads,columns]
	Unit         []float32 // [KVHeads,2]

	// Of values.
	Scale, Min []BFloat16 // [tokens,KVHeads]
}

// PackKeys writes the keys of tokens to dst, whose Bits and slices are those of as
// many tokens. At 4 bits what comes out differs from what went in by half a scale
// at most, the roundings of floats aside. At 2 bits that holds within the range that
// gives the least error, and the nearest end of it is taken for what lies beyond: a
// range of four numbers that reaches to the outermost ones costs half of the others
// their difference. A head with an infinity or a NaN becomes NaNs.
func PackKeys(dst *PackedRows, in *HeadRows, tokens, heads, headDim int) {
	in.need("keys", tokens, heads, headDim)
	dst.need("packed keys", tokens, heads, headDim)
	columns, most := padLanes(headDim), float32(int(1)<<dst.Bits-1)
	x, column := make([]float32, tokens*headDim), make([]float32, tokens)
	low, high, needed := make([]float32, headDim), make([]float32, headDim), make([]float32, headDim)
	clear(dst.Numbers)
	for head := range heads {
		for token := range tokens {
			dequantizeHead(x[token*headDim:][:headDim], in, token, head, heads)
		}
		scales, minima := dst.ChannelScale[head*columns:][:columns], dst.ChannelMin[head*columns:][:columns]
		clear(scales)
		clear(minima)
		unit := dst.Unit[2*head:][:2]
		unit[0], unit[1] = 0, 0
		if !finite(x) {
			unit[0], unit[1] = float32(math.NaN()), float32(math.NaN())
			continue
		}
		for d := range low {
			for token := range tokens {
				column[token] = x[token*headDim+d]
			}
			low[d], high[d] = narrow(column, most)
			unit[1] = max(unit[1], float32(math.Abs(float64(low[d])))/127)
		}
		for d := range low {
			minima[d] = floorUnits(low[d], unit[1])
			low[d] = float32(minima[d]) * unit[1]
			needed[d] = (high[d] - low[d]) / most
		}
		for _, v := range needed {
			unit[0] = max(unit[0], v/255)
		}
		for d, v := range needed {
			scales[d] = ceilUnits(v, unit[0])
		}
		for i, v := range x {
			d := i % headDim
			dst.put(i/headDim*heads+head, d, columns, nearest(v-low[d], float32(scales[d])*unit[0], most))
		}
	}
}

// PackValues is PackKeys for values.
func PackValues(dst *PackedRows, in *HeadRows, tokens, heads, headDim int) {
	in.need("values", tokens, heads, headDim)
	dst.need("packed values", tokens, heads, headDim)
	columns, most := padLanes(headDim), float32(int(1)<<dst.Bits-1)
	x := make([]float32, headDim)
	clear(dst.Numbers)
	for vector := range tokens * heads {
		dequantizeHead(x, in, vector/heads, vector%heads, heads)
		if !finite(x) {
			dst.Scale[vector], dst.Min[vector] = bfloat16NaN, bfloat16NaN
			continue
		}
		low, high := narrow(x, most)
		dst.Min[vector] = floorBFloat16(low)
		low = dst.Min[vector].Float32()
		dst.Scale[vector] = roundUpBFloat16((high - low) / most)
		scale := dst.Scale[vector].Float32()
		for d, v := range x {
			dst.put(vector, d, columns, nearest(v-low, scale, most))
		}
	}
}

// put writes the number of a column of a vector, which is 0 so far.
func (p *PackedRows) put(vector, column, columns int, n uint8) {
	block := 2 * p.Bits // bytes of 16 columns
	at := (vector*columns+column-column%lanes)*p.Bits/8 + column%lanes%block
	p.Numbers[at] |= n << (p.Bits * (column % lanes / block))
}

// get returns the number of a column of a vector.
func (p *PackedRows) get(vector, column, columns int) uint8 {
	block := 2 * p.Bits
	at := (vector*columns+column-column%lanes)*p.Bits/8 + column%lanes%block
	return p.Numbers[at] >> (p.Bits * (column % lanes / block)) & (1<<p.Bits - 1)
}

// need panics when the rows do not have the shape.
func (p *PackedRows) need(name string, tokens, heads, headDim int) {
	if p.Bits != 4 && p.Bits != 2 {
		panic(fmt.Sprintf("kernel: %s of %d bits", name, p.Bits))
	}
	columns := padLanes(headDim)
	needLen(name, len(p.Numbers), tokens*heads*columns*p.Bits/8)
	if p.Unit == nil {
		needLen("scale of "+name, len(p.Scale), tokens*heads)
		needLen("minimum of "+name, len(p.Min), tokens*heads)
		return
	}
	needLen("channel scale of "+name, len(p.ChannelScale), heads*columns)
	needLen("channel minimum of "+name, len(p.ChannelMin), heads*columns)
	needLen("unit of "+name, len(p.Unit), 2*heads)
}

// finite reports whether no number is an infinity or a NaN.
func finite(x []float32) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// floorUnits returns the most units that are no more than v, a magnitude of 127 units
// at most.
func floorUnits(v, unit float32) int8 {
	if unit == 0 {
		return 0
	}
	n := max(-128, float32(math.Floor(float64(v/unit))))
	for n > -128 && float32(n*unit) > v {
		n--
	}
	return int8(n)
}

// ceilUnits returns the fewest units that are no less than v, 255 units at most.
func ceilUnits(v, unit float32) uint8 {
	if unit == 0 {
		return 0
	}
	n := float32(math.Ceil(float64(v / unit)))
	for n < 255 && float32(n*unit) < v {
		n++
	}
	return uint8(min(n, 255))
}

// floorBFloat16 rounds a finite float down.
func floorBFloat16(v float32) BFloat16 {
	if v < 0 {
		return roundUpBFloat16(-v) | 0x8000
	}
	return BFloat16(math.Float32bits(v) >> 16)
}

// narrow returns the range of x that is cut into most steps: all of it, or that of the
// least squared error among narrower ones where there are few steps.
func narrow(x []float32, most float32) (low, high float32) {
	low, high = slices.Min(x), slices.Max(x)
	if most > 3 || low == high {
		return low, high
	}
	from, to, least := low, high, float32(math.Inf(1))
	for i := range 8 {
		cut := (to - from) * float32(i) / 24
		l, h := from+cut, to-cut
		scale, off := (h-l)/most, float32(0)
		for _, v := range x {
			diff := v - l - float32(nearest(v-l, scale, most))*scale
			off += diff * diff
		}
		if off < least {
			low, high, least = l, h, off
		}
	}
	return low, high
}

// nearest returns v in steps of scale, halves rounded to even, within 0 to most.
func nearest(v, scale, most float32) uint8 {
	if scale == 0 {
		return 0
	}
	return uint8(max(0, min(most, float32(math.RoundToEven(float64(v/scale))))))
}
