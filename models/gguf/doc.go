// Package gguf reads GGUF files: the metadata and the tensors of a model in one
// file, as llama.cpp and its relatives keep them.
//
// # Basics
//
// NewReader reads what stands before the tensors, checks it in full, and holds
// it; tensors are read from the file when they are asked for, row by row, as
// float32. Int, Float, Bool, Text and their plurals look metadata up by key;
// Value gives what else there is.
//
// # Format
//
//	magic "GGUF", version, number of tensors, number of metadata entries
//	metadata  key, type, value; arrays have a type, a length and their elements
//	tensors   name, dimensions (innermost first), type, offset of the data
//	padding   to general.alignment, 32 where it is not said
//	data      of the tensors, each at a multiple of the alignment
//
// All numbers are little-endian. Versions 2 and 3 are read; they differ in that
// 3 may be big-endian, which is refused.
//
// # Quantised tensors
//
// A row is cut into blocks of 32 or 256 numbers with a scale, and for some
// types a minimum, of their own (block.go, superblock.go). F32, F16, BF16, Q4_0,
// Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K and IQ4_NL are read; the other types are known
// by name and size, so that files with them can be listed.
//
// # Invariants
//
//   - Shapes are in the order of safetensors: the outermost dimension first.
//   - A file that NewReader accepts has room for all of its tensors, and no two
//     of them share bytes: reading fails for a type that is not supported, or
//     because of the disk.
//   - What is held is bounded by a small multiple of the bytes that stand before
//     the tensors, whatever lengths the file claims, and these by 64 MiB with four
//     million elements of arrays.
//   - Every product and sum of a dequantised number is rounded to float32, in
//     the order of the reference implementation: all machines get its bits.
//
// # Caveats
//
// A model that is split over several GGUF files is several Readers here. What
// metadata means is left to the caller, and so is the order of the rows: the
// query and key rows of Llama are permuted in these files.
package gguf
