package tokenizer

import (
	"errors"
	"fmt"
	"slices"
)

// noToken marks a trie state at which no vocabulary entry ends.
const noToken = -1

// deadState is a state without any transition.
const deadState = -1

// trie is a double-array trie over the bytes of the vocabulary: from state s
// the byte c leads to n = base[s]+c when check[n] == s. State 0 is the root.
// The arrays reach at least 256 beyond the last base, so that no transition
// has to be compared with their length.
type trie struct {
	links  []int32 // base and check of state s at 2s and 2s+1
	values []int32 // token id that ends at state s, or noToken
}

// step returns the state that byte c leads to from s, or deadState.
func (t *trie) step(s int32, c byte) int32 {
	n := t.links[2*s] + int32(c)
	if t.links[2*n+1] != s {
		return deadState
	}
	return n
}

// walk follows all of key from s.
func (t *trie) walk(s int32, key string) int32 {
	for i := 0; i < len(key) && s != deadState; i++ {
		s = t.step(s, key[i])
	}
	return s
}

// longest finds the longest entry that word starts with, following s. It
// returns the entry's id and length, or noToken.
func (t *trie) longest(s int32, word []byte) (id int32, length int) {
	id = noToken
	for i, c := range word {
		s = t.step(s, c)
		if s == deadState {
			break
		}
		if v := t.values[s]; v != noToken {
			id, length = v, i+1
		}
	}
	return id, length
}

// check verifies that no walk can leave the arrays and that every id is below
// size, so that damaged data is an error and never a panic.
func (t *trie) check(size int) error {
	states := len(t.values)
	if states == 0 || len(t.links) != 2*states {
		return errors.New("the trie is empty or cut short")
	}
	for s := range states {
		base, parent := t.links[2*s], t.links[2*s+1]
		if base < 0 || int(base)+255 >= states || int(parent) >= states {
			return fmt.Errorf("trie state %d points outside the trie", s)
		}
		if int(t.values[s]) >= size || t.values[s] < noToken {
			return fmt.Errorf("trie state %d holds token %d of %d", s, t.values[s], size)
		}
	}
	return nil
}

// entry is one vocabulary entry on its way into a trie.
type entry struct {
	token string
	id    int32
}

// newTrie builds the trie of the entries, which it sorts. Tokens are distinct
// and not empty.
func newTrie(entries []entry) trie {
	slices.SortFunc(entries, func(a, b entry) int {
		switch {
		case a.token < b.token:
			return -1
		case a.token > b.token:
			return 1
		}
		return 0
	})
	b := builder{}
	b.grow(256)
	b.trie.links[1] = rootCheck
	b.insert(0, entries, 0)
	return b.trie
}

// builder places states first-fit.
type builder struct {
	trie trie
	free int // no state below it is free
}

// Check values that are no state: of a state that nobody has taken, and of the
// root, which is taken but nobody's child.
const (
	unused    = -1
	rootCheck = -2
)

// grow makes room for states up to n, with the margin that step relies on.
func (b *builder) grow(n int) {
	for len(b.trie.values) < n+256 {
		b.trie.links = append(b.trie.links, 0, unused)
		b.trie.values = append(b.trie.values, noToken)
	}
}

// insert places the children of state s: the entries, which agree in their
// first depth bytes, with more to come.
func (b *builder) insert(s int32, entries []entry, depth int) {
	if len(entries) > 0 && len(entries[0].token) == depth {
		b.trie.values[s] = entries[0].id
		entries = entries[1:]
	}
	if len(entries) == 0 {
		return
	}
	labels := childLabels(entries, depth)
	base := b.place(labels)
	b.trie.links[2*s] = base
	for _, c := range labels {
		b.trie.links[2*(base+int32(c))+1] = s
	}
	for start := 0; start < len(entries); {
		c := entries[start].token[depth]
		end := start
		for end < len(entries) && entries[end].token[depth] == c {
			end++
		}
		b.insert(base+int32(c), entries[start:end], depth+1)
		start = end
	}
}

// childLabels lists the distinct bytes at depth, ascending.
func childLabels(entries []entry, depth int) []byte {
	var labels []byte
	for _, e := range entries {
		if c := e.token[depth]; len(labels) == 0 || labels[len(labels)-1] != c {
			labels = append(labels, c)
		}
	}
	return labels
}

// place finds a base at which every label falls on a free state, the first one
// from b.free on. A stretch that was nearly full is not searched again, which
// wastes a few states and saves most of the time.
func (b *builder) place(labels []byte) int32 {
	for b.taken(b.free) {
		b.free++
	}
	start := max(0, b.free-int(labels[0]))
	taken := 0
	for base := start; ; base++ {
		switch first := base + int(labels[0]); {
		case b.taken(first):
			taken++
		case b.fits(base, labels):
			if tried := base - start + 1; tried > 64 && taken*20 >= tried*19 {
				b.free = first
			}
			b.grow(base + 256)
			return int32(base)
		}
	}
}

func (b *builder) fits(base int, labels []byte) bool {
	for _, c := range labels {
		if b.taken(base + int(c)) {
			return false
		}
	}
	return true
}

func (b *builder) taken(s int) bool {
	return s < len(b.trie.values) && b.trie.links[2*s+1] != unused
}
