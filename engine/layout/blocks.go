package layout

import (
	"errors"

	"dowse/engine/leann"
	"dowse/store"
)

// VectorIndex is the vector index as a transaction sees it: a leann.Reader
// and, in an Update, a leann.Writer.
type VectorIndex struct{ *store.Tx }

var _ leann.Writer = VectorIndex{}

// kinds says where the store keeps the parts of a vector index.
var kinds = [...]store.Blocks{
	leann.Books: store.CodebookBlocks, leann.CodeRuns: store.CodeBlocks,
	leann.Links: store.LinkBlocks, leann.UpperLinks: store.UpperLinkBlocks,
	leann.NextRuns: store.NextCodeBlocks, leann.KeptVectors: store.KeptBlocks,
}

// Block implements leann.Reader.
func (v VectorIndex) Block(part leann.Part, key uint32) ([]byte, error) {
	value, err := v.Tx.Block(kinds[part], key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return value, err
}

// Run implements leann.Reader.
func (v VectorIndex) Run(chunk uint32) (first uint32, raw []byte, err error) {
	first, raw, err = v.VectorRun(chunk)
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil, nil
	}
	return first, raw, err
}

// EachBlock implements leann.Reader.
func (v VectorIndex) EachBlock(part leann.Part, f func(key uint32, value []byte) error) error {
	return v.Tx.EachBlock(kinds[part], f)
}

// PutBlock implements leann.Writer.
func (v VectorIndex) PutBlock(part leann.Part, key uint32, value []byte) error {
	return v.Tx.PutBlock(kinds[part], key, value)
}

// DeleteBlock implements leann.Writer.
func (v VectorIndex) DeleteBlock(part leann.Part, key uint32) error {
	return v.Tx.DeleteBlock(kinds[part], key)
}
