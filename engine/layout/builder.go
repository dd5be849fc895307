package layout

import (
	"encoding/json"
	"fmt"

	"dowse/store"
)

// Builder says what an index is built with, as far as its header, which has one hash of
// all of it, cannot: who opens it by another embedder is told which one that is, and what
// of the index is good for it.
type Builder struct {
	Embedder    string `json:"embedder"`    // name
	Fingerprint string `json:"fingerprint"` // of that model
	Rest        string `json:"rest"`        // hash of everything else: of what postings and chunks depend on, too
}

// metaBuilder is where the index keeps its Builder, as JSON.
const metaBuilder = "builder"

// PutBuilder notes what this index is built with.
func PutBuilder(tx *store.Tx, b Builder) error {
	value, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return tx.PutMeta(metaBuilder, value)
}

// BuilderOf reads what PutBuilder noted; the zero value where nothing was.
func BuilderOf(tx *store.Tx) (b Builder, err error) {
	value, err := tx.Meta(metaBuilder)
	if err != nil || value == nil {
		return b, err
	}
	if err := json.Unmarshal(value, &b); err != nil {
		return b, fmt.Errorf("%w: what the index is built with: %w", store.ErrCorrupt, err)
	}
	return b, nil
}
