package lexical

import "math/bits"

// appendInterpolative encodes ascending numbers between low and high, both
// included: the middle one of them in as many bits as the places left to it
// need, then the two halves the same way. Runs cost nothing and clusters
// little. (Moffat and Stuiver, Binary Interpolative Coding for Effective
// Index Compression, 2000.)
func appendInterpolative(w *bitWriter, list []posting, low, high uint32) {
	for len(list) > 0 && uint64(high)-uint64(low)+1 > uint64(len(list)) {
		half := len(list) / 2
		chunk := list[half].chunk
		from, to := low+uint32(half), high-uint32(len(list)-1-half)
		w.below(chunk-from, to-from)
		if half > 0 {
			appendInterpolative(w, list[:half], low, chunk-1)
		}
		list, low = list[half+1:], chunk+1
	}
}

// decodeInterpolative fills in the chunks of as many postings as list has.
func decodeInterpolative(r *bitReader, list []posting, low, high uint32) {
	for len(list) > 0 {
		if high-low+1 == uint32(len(list)) {
			for i := range list {
				list[i].chunk = low + uint32(i)
			}
			return
		}
		half := len(list) / 2
		from, to := low+uint32(half), high-uint32(len(list)-1-half)
		chunk := from + r.below(to-from)
		list[half].chunk = chunk
		if half > 0 {
			decodeInterpolative(r, list[:half], low, chunk-1)
		}
		list, low = list[half+1:], chunk+1
	}
}

// below appends v, which is at most limit, in the fewest bits: values in the
// middle, which are likelier, take one bit less where not all bits are used.
func (w *bitWriter) below(v, limit uint32) {
	width := uint(bits.Len32(limit))
	spare := uint64(1)<<width - 1 - uint64(limit) // so many take a bit less
	v = rotate(v, limit, uint32((uint64(limit)+1-spare)/2))
	if uint64(v) < spare {
		w.write(uint64(v), width-1)
		return
	}
	w.write(uint64(v)+spare, width)
}

// below reads what the writer's below wrote.
func (r *bitReader) below(limit uint32) uint32 {
	if limit == 0 {
		return 0
	}
	width := uint(bits.Len32(limit))
	spare := uint64(1)<<width - 1 - uint64(limit)
	v := r.read(width - 1)
	if v >= spare {
		v = v<<1 + r.read(1) - spare
	}
	offset := (uint64(limit) + 1 - spare) / 2
	if v += offset; v > uint64(limit) {
		v -= uint64(limit) + 1
	}
	return uint32(v)
}

// rotate moves offset to 0 and what is below it to the end.
func rotate(v, limit, offset uint32) uint32 {
	if v >= offset {
		return v - offset
	}
	return v + (limit - offset) + 1
}
