package engine

import (
	"encoding/binary"
	"fmt"

	"dowse/engine/leann"
	"dowse/store"
)

// metaRecompute is where the index keeps how many vectors a search recomputes.
const metaRecompute = "leann.recompute"

// PutRecompute notes how many vectors searches of this index are to recompute.
func PutRecompute(tx *store.Tx, n int) error {
	return tx.PutMeta(metaRecompute, binary.AppendUvarint(nil, uint64(n)))
}

// recomputeOf reads what PutRecompute noted, DefaultRecompute where it was never
// measured.
func recomputeOf(tx *store.Tx) (int, error) {
	value, err := tx.Meta(metaRecompute)
	if err != nil {
		return 0, err
	}
	if len(value) == 0 {
		return DefaultRecompute, nil
	}
	n, size := binary.Uvarint(value)
	if size != len(value) || n > leann.MaxRecompute {
		return 0, fmt.Errorf("%w: %d vectors to recompute", store.ErrCorrupt, n)
	}
	return int(n), nil
}
