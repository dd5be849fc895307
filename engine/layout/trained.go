package layout

import (
	"encoding/binary"
	"fmt"

	"dowse/store"
)

// metaTrained is where the index keeps, while it is quantized in steps, for how many chunks
// its newest codebook was trained: by that a run goes on that was ended between two steps.
const metaTrained = "leann.trained"

// PutTrained notes for how many chunks the newest codebook was trained; 0: all is done.
func PutTrained(tx *store.Tx, chunks int) error {
	return tx.PutMeta(metaTrained, binary.AppendUvarint(nil, uint64(chunks)))
}

// Trained reads what PutTrained noted, 0 where no quantizing is under way.
func Trained(tx *store.Tx) (int, error) {
	value, err := tx.Meta(metaTrained)
	if err != nil || len(value) == 0 {
		return 0, err
	}
	n, size := binary.Uvarint(value)
	if size != len(value) || n > 1<<32 {
		return 0, fmt.Errorf("%w: a codebook trained for %d chunks", store.ErrCorrupt, n)
	}
	return int(n), nil
}
