package layout

import (
	"encoding/binary"
	"fmt"

	"dowse/engine/leann"
	"dowse/store"
)

// DefaultRecompute is how many vectors a search recomputes: at 20 bytes a code
// they hold nine of ten of the true three best of a hundred thousand chunks.
const DefaultRecompute = 64

// metaRecompute is where the index keeps how many vectors a search recomputes.
const metaRecompute = "leann.recompute"

// PutRecompute notes how many vectors searches of this index are to recompute.
func PutRecompute(tx *store.Tx, n int) error {
	return tx.PutMeta(metaRecompute, binary.AppendUvarint(nil, uint64(n)))
}

// Recompute reads what PutRecompute noted, DefaultRecompute where it was never
// measured.
func Recompute(tx *store.Tx) (int, error) {
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
