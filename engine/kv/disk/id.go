package disk

import (
	"crypto/sha256"
	"encoding/binary"
)

// ChunkID names the content of a chunk of keys and values.
type ChunkID [sha256.Size]byte

// NextID returns the id of the chunk of tokens that follows the chunk previous, which
// is ModelID for a conversation's first one. salt is empty as long as all chunks
// before it are at 8 bits or were when it was computed, and else the conversation's
// name.
func NextID(previous ChunkID, tokens []int32, salt string) ChunkID {
	b := make([]byte, 0, len(previous)+8+4*len(tokens)+len(salt))
	b = append(b, previous[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(tokens)))
	for _, token := range tokens {
		b = binary.LittleEndian.AppendUint32(b, uint32(token))
	}
	b = append(b, salt...)
	return sha256.Sum256(b)
}
