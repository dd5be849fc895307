package indexbench

import (
	"bytes"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// Hash stands for a text: two independent 64-bit hashes.
type Hash [16]byte

// HashText hashes a text.
func HashText(text string) Hash { return seededHash(0, text) }

// seededHash gives, for each seed, another order of the same texts.
func seededHash(seed uint64, text string) (h Hash) {
	for i := range uint64(2) {
		d := xxhash.NewWithSeed(2*seed + i)
		_, _ = d.WriteString(text) // never fails
		binary.LittleEndian.PutUint64(h[8*i:], d.Sum64())
	}
	return h
}

func compareHash(a, b Hash) int { return bytes.Compare(a[:], b[:]) }
