package engine

import (
	"encoding/binary"
	"fmt"

	"dowse/engine/leann"
	"dowse/store"
)

// metaRerank is where the index keeps how many vectors a search recomputes.
const metaRerank = "leann.rerank"

// PutRerank notes how many vectors searches of this index are to recompute.
func PutRerank(tx *store.Tx, n int) error {
	return tx.PutMeta(metaRerank, binary.AppendUvarint(nil, uint64(n)))
}

// rerankOf reads what PutRerank noted, DefaultRerank where it was never
// measured.
func rerankOf(tx *store.Tx) (int, error) {
	value, err := tx.Meta(metaRerank)
	if err != nil {
		return 0, err
	}
	if len(value) == 0 {
		return DefaultRerank, nil
	}
	n, size := binary.Uvarint(value)
	if size != len(value) || n > leann.MaxRerank {
		return 0, fmt.Errorf("%w: %d vectors to recompute", store.ErrCorrupt, n)
	}
	return int(n), nil
}
