// Package packed makes large files of weights small, which the program carries.
//
// A packed file is
//
//	magic, bytes of the file, width, bytes of the head   24 bytes, little-endian
//	head                                                 the file's first 4 KiB as they are
//	frames of zstd with checksums, behind their lengths  the rest, by planes, 256 KiB of the file in each
//
// The head tells versions of a file apart, for which nothing is unpacked then. Numbers of two bytes, as bfloat16, have the width 2:
// the first bytes of 128 Ki of them stand before their second ones. Exponents are alike, and mantissas are not, so that each of the
// two gets blocks, and with them codes, of its own; this takes a tenth off what the numbers take in their order.
//
// internal/release packs what a release carries. A program that was built without it carries the files as they are, and [Open]
// reads either.
package packed
