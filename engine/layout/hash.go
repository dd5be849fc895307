package layout

import (
	"github.com/cespare/xxhash/v2"

	"dowse/store"
)

// ChunkHash is the short hash that an index keeps of a chunk's text, so that
// text that changed is noticed when it is read again.
func ChunkHash(text string) uint32 {
	return uint32(xxhash.Sum64String(text)) & (1<<store.ChunkHashBits - 1)
}
