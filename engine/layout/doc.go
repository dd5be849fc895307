// Package layout says how the parts of an index lie in the store where neither
// the store nor the part itself should know: the blocks of the vector index, the
// hash of a chunk, the errors of estimates, how far quantizing has come, what the index is
// built with (Builder), and the scale of its embedder's cosines (Scale). The
// indexer writes what search reads. SoundIndex is what a damage leaves of the vectors.
package layout
