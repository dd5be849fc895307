package layout

import (
	"errors"

	"dowse/engine/leann"
	"dowse/store"
)

// SoundIndex is what can be read of a vector index whose codes or vectors are damaged, as
// if it had no others. A damage must be known before: a transaction says so by Damage.
type SoundIndex struct{ VectorIndex }

var _ leann.Reader = SoundIndex{}

// Readable returns the vector index of a transaction: all of it, or what a damage leaves.
func Readable(tx *store.Tx) leann.Reader {
	if tx.Damage().Vectors {
		return SoundIndex{VectorIndex{tx}}
	}
	return VectorIndex{tx}
}

// Block implements leann.Reader.
func (s SoundIndex) Block(part leann.Part, key uint32) ([]byte, error) {
	value, err := s.VectorIndex.Block(part, key)
	if errors.Is(err, store.ErrCorrupt) {
		return nil, nil
	}
	return value, err
}

// Run implements leann.Reader.
func (s SoundIndex) Run(chunk uint32) (first uint32, raw []byte, err error) {
	first, raw, err = s.VectorIndex.Run(chunk)
	if errors.Is(err, store.ErrCorrupt) {
		return 0, nil, nil
	}
	return first, raw, err
}

// EachBlock implements leann.Reader. Codebooks are not passed over: codes mean nothing
// without them.
func (s SoundIndex) EachBlock(part leann.Part, f func(key uint32, value []byte) error) error {
	if part == leann.Books {
		return s.VectorIndex.EachBlock(part, f)
	}
	_, err := s.SoundBlocks(kinds[part], f)
	return err
}

// Vectors implements leann.Reader.
func (s SoundIndex) Vectors(f func(first uint32, raw []byte) error) error {
	_, err := s.SoundVectors(f)
	return err
}
