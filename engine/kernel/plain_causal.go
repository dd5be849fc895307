package kernel

import "math"

// dequantizeHead writes the vector of one head of one row to dst [HeadDim].
func dequantizeHead(dst []float32, in *HeadRows, row, head, heads int) {
	at := row*heads + head
	if in.Floats != nil {
		copy(dst, in.Floats[at*len(dst):][:len(dst)])
		return
	}
	if in.Packed.Bits != 0 {
		unpackHead(dst, &in.Packed, row, head, heads)
		return
	}
	scale := in.Scale[at].Float32()
	for i, v := range in.Bytes[at*len(dst):][:len(dst)] {
		dst[i] = float32(v) * scale
	}
}

// plainSpans calls step for each span that has keys of a block's rows, in the order of
// the keys, with their places in the block.
func plainSpans(b *causalBlock, spans []KeyValues, list []int32, step func(span *KeyValues)) {
	start := int32(0)
	for i := range spans {
		if list != nil || b.place(start, int32(spans[i].Tokens)) {
			step(&spans[i])
		}
		start += int32(spans[i].Tokens)
	}
}

// plainCausalScores goes key by key. tile holds one vector.
func plainCausalScores(b *causalBlock, spans []KeyValues, list []int32) {
	vector := b.tile[:b.headDim]
	plainSpans(b, spans, list, func(span *KeyValues) {
		for row, keys := range b.keys {
			for i := range keys.end - keys.start {
				key := keys.key(i, list)
				for head := range b.heads {
					if query := b.first + head; head == 0 || query%b.group == 0 {
						dequantizeHead(vector, &span.K, key, query/b.group, b.kvHeads)
					}
					at := row*b.heads + head
					query := b.queries[at*b.columns:][:b.headDim]
					b.scores[at*b.stride+int(keys.at+i)] = plainDot(query, vector)
				}
			}
		}
	})
}

// plainCausalSoftmax turns scores into probabilities.
func plainCausalSoftmax(b *causalBlock, density []uint32) {
	scale := attentionScale(b.headDim)
	for row, count := range b.counts {
		for head := range b.heads {
			scores := b.scores[(row*b.heads+head)*b.stride:][:count]
			largest := float32(math.Inf(-1))
			for _, score := range scores {
				if score > largest {
					largest = score
				}
			}
			for i, score := range scores {
				scores[i] = exp(float32((score - largest) * scale))
			}
			inverse := 1 / plainSum(scores)
			for i := range scores {
				scores[i] *= inverse
			}
			for i, p := range scores[:b.observed[row]] {
				if p > 0 { // and no NaN
					density[int(b.firsts[row])+i] += uint32(math.RoundToEven(float64(p * DensityOne)))
				}
			}
		}
	}
}

// plainCausalValues adds the weighted values key by key to b.out.
func plainCausalValues(b *causalBlock, spans []KeyValues, list []int32) {
	vector := b.tile[:b.headDim]
	plainSpans(b, spans, list, func(span *KeyValues) {
		for row, keys := range b.keys {
			for i := range keys.end - keys.start {
				key := keys.key(i, list)
				for head := range b.heads {
					if query := b.first + head; head == 0 || query%b.group == 0 {
						dequantizeHead(vector, &span.V, key, query/b.group, b.kvHeads)
					}
					at := row*b.heads + head
					weight := b.scores[at*b.stride+int(keys.at+i)]
					out := b.out[at*b.columns:][:b.headDim]
					for d, v := range vector {
						out[d] += float32(weight * v)
					}
				}
			}
		}
	})
}

// unpackHead writes the vector of one head of one row to dst [HeadDim].
func unpackHead(dst []float32, in *PackedRows, row, head, heads int) {
	columns, vector := padLanes(len(dst)), row*heads+head
	if in.Unit == nil {
		scale, low := in.Scale[vector].Float32(), in.Min[vector].Float32()
		for d := range dst {
			dst[d] = float32(float32(in.get(vector, d, columns))*scale) + low
		}
		return
	}
	for d := range dst {
		scale := float32(in.ChannelScale[head*columns+d]) * in.Unit[2*head]
		low := float32(in.ChannelMin[head*columns+d]) * in.Unit[2*head+1]
		dst[d] = float32(float32(in.get(vector, d, columns))*scale) + float32(low)
	}
}
