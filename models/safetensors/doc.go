// Package safetensors reads the tensors of a safetensors file.
//
// A file is 8 bytes of header length, little-endian, a JSON header that gives
// each tensor its type, shape and range of bytes, and the bytes. Open checks
// the header in full: lengths fit shapes, ranges lie within the file and do not
// overlap, so that a file that is cut short is found at once and no read can go
// wrong later for any other reason than the disk.
//
// OpenFolder opens a model that lies in one file or in several of them.
//
// Numbers are read row by row and converted to float32 (F32, F16 and BF16;
// other types can be listed but not read). Nothing is held in memory but the
// header.
package safetensors
