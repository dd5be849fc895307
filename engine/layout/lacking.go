package layout

import "dowse/store"

// metaLacking is set while chunks may lack a vector: they are found by words, and embedded behind these.
const metaLacking = "indexer.lacking"

// Lacks reports whether chunks may lack a vector.
func Lacks(tx *store.Tx) (bool, error) {
	set, err := tx.Meta(metaLacking)
	return set != nil, err
}

// NoteLacking notes whether chunks may lack a vector, in the transaction that leaves them so, or that gives the last one
// its vector.
func NoteLacking(tx *store.Tx, lacks bool) error {
	if !lacks {
		return tx.PutMeta(metaLacking, nil)
	}
	return tx.PutMeta(metaLacking, []byte{1})
}
