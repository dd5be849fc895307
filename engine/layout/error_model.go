package layout

import (
	"encoding/binary"
	"fmt"
	"math"

	"dowse/engine/leann"
	"dowse/store"
)

// DefaultErrors is the error model of an index without a measurement: that of 10,000
// passages of notes, manuals, code and articles with codes of 20 bytes.
var DefaultErrors = leann.ErrorModel{Intercept: -0.015, Slope: 0.72, Deviation: 0.067, Margin: 2.2}

// metaErrors is where the index keeps its error model: four float32, little endian.
const metaErrors = "leann.errors"

// PutErrors notes the error model of this index.
func PutErrors(tx *store.Tx, m leann.ErrorModel) error {
	var value []byte
	for _, v := range []float64{m.Intercept, m.Slope, m.Deviation, m.Margin} {
		value = binary.LittleEndian.AppendUint32(value, math.Float32bits(float32(v)))
	}
	return tx.PutMeta(metaErrors, value)
}

// Errors reads what PutErrors noted, DefaultErrors where nothing was measured.
func Errors(tx *store.Tx) (leann.ErrorModel, error) {
	value, err := tx.Meta(metaErrors)
	if err != nil || len(value) == 0 {
		return DefaultErrors, err
	}
	var v [4]float64
	if len(value) != 4*len(v) {
		return leann.ErrorModel{}, fmt.Errorf("%w: an error model of %d bytes", store.ErrCorrupt, len(value))
	}
	for i := range v {
		v[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(value[4*i:])))
	}
	m := leann.ErrorModel{Intercept: v[0], Slope: v[1], Deviation: v[2], Margin: v[3]}
	if !m.Sound() {
		return leann.ErrorModel{}, fmt.Errorf("%w: the error model %v", store.ErrCorrupt, m)
	}
	return m, nil
}
