package layout

import (
	"encoding/binary"
	"fmt"
	"math"

	"dowse/engine/fusion"
	"dowse/store"
)

// metaScale is where the index keeps the scale of its embedder's cosines: two float64,
// little endian.
const metaScale = "fusion.scale"

// PutScale notes the scale of the cosines of the embedder that this index is built with:
// measuring it takes some dozens of texts.
func PutScale(tx *store.Tx, s fusion.Scale) error {
	offset, factor := s.Terms()
	value := binary.LittleEndian.AppendUint64(nil, math.Float64bits(offset))
	return tx.PutMeta(metaScale, binary.LittleEndian.AppendUint64(value, math.Float64bits(factor)))
}

// Scale reads what PutScale noted. known is false where nothing was.
func Scale(tx *store.Tx) (s fusion.Scale, known bool, err error) {
	value, err := tx.Meta(metaScale)
	if err != nil || len(value) == 0 {
		return s, false, err
	}
	if len(value) != 16 {
		return s, false, fmt.Errorf("%w: a scale of %d bytes", store.ErrCorrupt, len(value))
	}
	offset := math.Float64frombits(binary.LittleEndian.Uint64(value))
	factor := math.Float64frombits(binary.LittleEndian.Uint64(value[8:]))
	// Both are 0 where the model tells nothing apart: then cosines stay as they are.
	if !(factor >= 0) || math.IsInf(offset+factor, 0) || math.IsNaN(offset) {
		return s, false, fmt.Errorf("%w: the scale %v + %v", store.ErrCorrupt, offset, factor)
	}
	return fusion.NewScale(offset, factor), true, nil
}
