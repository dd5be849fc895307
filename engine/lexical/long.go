package lexical

import (
	"fmt"
	"math/bits"
	"slices"

	"dowse/engine/internal/rangecode"
)

// appendLong encodes a long list: chunks by interpolation, which decodes fast and is as short as
// range coding, then range-coded counts with adaptive chances.
func appendLong(dst []byte, list []posting, chunks int) []byte {
	w := bitWriter{data: dst}
	appendInterpolative(&w, list, 0, uint32(chunks-1))
	e, model := rangecode.NewEncoder(w.close()), newCountModel()
	for i, p := range list {
		row := model.row(list, i)
		for step := range min(p.count, countSteps) {
			more := step+1 < p.count
			e.Bit(row[step], more)
			row[step].Learn(more, learnRate)
		}
		if p.count > countSteps {
			width := uint(bits.Len32(p.count - countSteps))
			e.Raw(uint64(width), 6)
			e.Raw(uint64(p.count-countSteps), width-1)
		}
	}
	return e.Close()
}

// decodeLong appends the n postings of a long list.
func decodeLong(dst []posting, data []byte, n, chunks int) ([]posting, error) {
	if n > chunks {
		return dst, fmt.Errorf("%w: %d postings of %d chunks", errDamaged, n, chunks)
	}
	from := len(dst)
	dst = slices.Grow(dst, n)[:from+n]
	r := bitReader{data: data}
	decodeInterpolative(&r, dst[from:], 0, uint32(chunks-1))
	if r.short || !decodeCounts(r.rest(), dst[from:]) {
		return dst[:from], fmt.Errorf("%w: list of %d postings in %d bytes", errDamaged, n, len(data))
	}
	return dst, nil
}

func decodeCounts(data []byte, list []posting) (ok bool) {
	d, model := newModelDecoder(data), newCountModel()
	for i := range list {
		row, count := model.row(list, i), uint32(1)
		for step := range row {
			more := d.Bit(row[step])
			row[step].Learn(more, learnRate)
			if !more {
				break
			}
			count++
		}
		if count > countSteps {
			width := uint(d.Raw(6))
			if width == 0 || width > 32 {
				return false
			}
			count = countSteps + uint32(1<<(width-1)|d.Raw(width-1))
		}
		list[i].count = count
	}
	return d.Ended()
}

// countModel holds the adaptive chances of counts.
type countModel [2][countKinds][countSteps]rangecode.Chance

func newCountModel() *countModel {
	m := &countModel{}
	for near := range m {
		for kind := range m[near] {
			copy(m[near][kind][:], prior[countContext+kind*countSteps:])
		}
	}
	return m
}

// row returns the chances of the count at i, by the count before it and whether that is of the
// adjacent chunk, which is mostly of the same file.
func (m *countModel) row(list []posting, i int) *[countSteps]rangecode.Chance {
	if i == 0 {
		return &m[0][0]
	}
	before := list[i-1]
	return &m[bitOf(before.chunk+1 == list[i].chunk)][countKind(before.count)]
}
