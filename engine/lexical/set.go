package lexical

import "math/bits"

// Set is a bitmap of chunk ids. The zero Set is empty. Concurrent reads are safe.
type Set struct{ words []uint64 }

// NewSet returns an empty set with room for ids below size; it grows for larger ones.
func NewSet(size uint32) *Set {
	return &Set{words: make([]uint64, (uint64(size)+63)/64)}
}

// Add puts an id into the set.
func (s *Set) Add(id uint32) { s.AddRange(id, 1) }

// AddRange adds n ids from first on.
func (s *Set) AddRange(first, n uint32) {
	end := uint64(first) + uint64(n)
	for need := (end + 63) / 64; uint64(len(s.words)) < need; {
		s.words = append(s.words, make([]uint64, need-uint64(len(s.words)))...)
	}
	for id := uint64(first); id < end; id++ {
		if id%64 == 0 && end-id >= 64 {
			s.words[id/64] = ^uint64(0)
			id += 63
			continue
		}
		s.words[id/64] |= 1 << (id % 64)
	}
}

// Remove takes an id out of the set.
func (s *Set) Remove(id uint32) {
	if word := int(id / 64); word < len(s.words) {
		s.words[word] &^= 1 << (id % 64)
	}
}

// Has reports whether an id is in the set; a nil set has every id.
func (s *Set) Has(id uint32) bool {
	if s == nil {
		return true
	}
	word := int(id / 64)
	return word < len(s.words) && s.words[word]&(1<<(id%64)) != 0
}

// Len counts the ids in the set.
func (s *Set) Len() int {
	n := 0
	for _, word := range s.words {
		n += bits.OnesCount64(word)
	}
	return n
}

// Bytes is what the set takes in memory.
func (s *Set) Bytes() int64 { return 8 * int64(cap(s.words)) }

// And removes ids that are not in other; nil removes none.
func (s *Set) And(other *Set) {
	if other == nil {
		return
	}
	for i := range s.words {
		if i < len(other.words) {
			s.words[i] &= other.words[i]
		} else {
			s.words[i] = 0
		}
	}
}

// AndNot removes what is in other.
func (s *Set) AndNot(other *Set) {
	for i := range min(len(s.words), len(other.words)) {
		s.words[i] &^= other.words[i]
	}
}

// Or adds what is in other.
func (s *Set) Or(other *Set) {
	if grow := len(other.words) - len(s.words); grow > 0 {
		s.words = append(s.words, make([]uint64, grow)...)
	}
	for i, word := range other.words {
		s.words[i] |= word
	}
}

// Clone returns a copy.
func (s *Set) Clone() *Set {
	return &Set{words: append([]uint64(nil), s.words...)}
}

// Each calls fn with the ids in ascending order until it returns false.
func (s *Set) Each(fn func(id uint32) bool) {
	for i, word := range s.words {
		for ; word != 0; word &= word - 1 {
			if !fn(uint32(i*64 + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}
