// Package directio reads and writes files past the system's page cache.
//
// # Basics
//
// Whoever streams a model through a small buffer does not want the system to
// keep a copy of all of it: the memory that streaming saves would only be
// hidden. Open and CreateTemp return files whose reads and writes go straight
// between the disk and the caller's buffer: O_DIRECT on Linux, F_NOCACHE on
// macOS. Elsewhere, and on file systems that refuse, they are ordinary files,
// and Direct says so.
//
// # Caveats
//
// Offsets, lengths and the addresses of buffers must be multiples of Align.
package directio
