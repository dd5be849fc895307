package snapshot

import (
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

// Vectors is the vector index of a transaction. Damage of it is an error.
func Vectors(tx *store.Tx) leann.Reader { return layout.VectorIndex{Tx: tx} }

// SoundVectors is the vector index of a transaction: all of it, or what a known damage leaves.
func SoundVectors(tx *store.Tx) leann.Reader { return layout.Readable(tx) }

// HasVectors reports whether the chunks of a file have vectors or codes: those of logs do not.
func HasVectors(f *store.File) bool { return layout.HasVectors(f.Kind) }
