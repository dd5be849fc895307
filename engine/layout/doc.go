// Package layout says how the parts of an index lie in the store where neither
// the store nor the part itself should know: the blocks of the vector index, the
// hash of a chunk, the errors of estimates, and how far quantizing has come. The
// indexer writes what search reads. SoundIndex is what a damage leaves of the vectors.
package layout
