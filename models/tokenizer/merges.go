package tokenizer

import (
	"errors"
	"fmt"
	"math"
)

// mergeTable maps neighbouring tokens to their merged token and its rank: a
// hash table with open addressing, a power of two of slots, at least one free.
type mergeTable struct {
	slots []uint32 // of each: left token, right token, rank, merged token
}

// The numbers of a slot.
const (
	slotLeft = iota
	slotRight
	slotRank
	slotMerged
	slotNumbers
)

// noPair marks a free slot, noRank a pair that does not merge.
const (
	noPair = math.MaxUint32
	noRank = math.MaxUint32
)

// merge is one rule. Lower ranks merge first; equal ranks from left to right.
type merge struct {
	left, right, merged int32
	rank                uint32
}

// newMergeTable builds the table. Of two rules for one pair the last counts,
// as in the reference.
func newMergeTable(rules []merge) mergeTable {
	size := 2
	for size*2 < 3*len(rules)+2 {
		size *= 2
	}
	m := mergeTable{slots: make([]uint32, slotNumbers*size)}
	for i := 0; i < len(m.slots); i += slotNumbers {
		m.slots[i+slotLeft] = noPair
	}
	for _, r := range rules {
		s := m.slot(r.left, r.right)
		s[slotLeft], s[slotRight] = uint32(r.left), uint32(r.right)
		s[slotRank], s[slotMerged] = r.rank, uint32(r.merged)
	}
	return m
}

// slot returns the slot of a pair, or the free one where it would stand.
func (m *mergeTable) slot(left, right int32) []uint32 {
	mask := uint64(len(m.slots)/slotNumbers - 1)
	// Fibonacci hashing (Knuth, The Art of Computer Programming, 6.4): the high
	// bits of a product with 2^64 divided by the golden ratio.
	h := (uint64(uint32(left))<<32 | uint64(uint32(right))) * 0x9e3779b97f4a7c15
	for at := h >> 32 & mask; ; at = (at + 1) & mask {
		s := m.slots[slotNumbers*at : slotNumbers*at+slotNumbers]
		if s[slotLeft] == noPair || s[slotLeft] == uint32(left) && s[slotRight] == uint32(right) {
			return s
		}
	}
}

// find returns the rank of a pair and what it merges into; noRank if it does not.
func (m *mergeTable) find(left, right int32) (rank uint32, merged int32) {
	s := m.slot(left, right)
	if s[slotLeft] == noPair {
		return noRank, noToken
	}
	return s[slotRank], int32(s[slotMerged])
}

// check verifies that every search ends and that every token exists.
func (m *mergeTable) check(size int) error {
	if n := len(m.slots) / slotNumbers; n == 0 || n&(n-1) != 0 || len(m.slots)%slotNumbers != 0 {
		return fmt.Errorf("the table of merges has %d numbers", len(m.slots))
	}
	free := false
	for i := 0; i < len(m.slots); i += slotNumbers {
		s := m.slots[i : i+slotNumbers]
		if s[slotLeft] == noPair {
			free = true
		} else if s[slotMerged] >= uint32(size) || s[slotRank] == noRank {
			return fmt.Errorf("a merge yields token %d of %d", s[slotMerged], size)
		}
	}
	if !free {
		return errors.New("the table of merges is full")
	}
	return nil
}
