package tokenizer

import (
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// maxVocabulary bounds ids, so that damaged files cannot ask for huge tables.
const maxVocabulary = 1 << 21

// vocabulary is the text of every token.
type vocabulary struct {
	offsets []uint32 // token id lies at text[offsets[id]:offsets[id+1]]
	text    []byte
}

// newVocabulary joins the tokens; the index is the id.
func newVocabulary(tokens []string) vocabulary {
	v := vocabulary{offsets: make([]uint32, 1, len(tokens)+1)}
	for _, token := range tokens {
		v.text = append(v.text, token...)
		v.offsets = append(v.offsets, uint32(len(v.text)))
	}
	return v
}

// size returns one more than the largest id.
func (v *vocabulary) size() int { return len(v.offsets) - 1 }

func (v *vocabulary) has(id int32) bool { return id >= 0 && int(id) < v.size() }

// bytes returns the text of a token that exists.
func (v *vocabulary) bytes(id int32) []byte { return v.text[v.offsets[id]:v.offsets[id+1]] }

// check verifies that every token lies within the text.
func (v *vocabulary) check() error {
	for i := 1; i < len(v.offsets); i++ {
		if v.offsets[i] < v.offsets[i-1] {
			return fmt.Errorf("token %d ends before it starts", i-1)
		}
	}
	if len(v.offsets) < 2 || int(v.offsets[len(v.offsets)-1]) > len(v.text) {
		return errors.New("the vocabulary is cut short")
	}
	return nil
}

// index finds tokens by their text: a hash table with open addressing, whose
// slots hold an id or noToken. Its length is a power of two, and at least one
// slot is free.
type index struct {
	slots []int32
}

// newIndex builds the index of the given ids. Of two tokens with the same text
// the first is found.
func newIndex(v *vocabulary, ids []int32) index {
	size := 2
	for size < 2*len(ids) {
		size *= 2
	}
	x := index{slots: make([]int32, size)}
	for i := range x.slots {
		x.slots[i] = noToken
	}
	for _, id := range ids {
		at := x.slot(v, string(v.bytes(id)))
		if x.slots[at] == noToken {
			x.slots[at] = id
		}
	}
	return x
}

// slot returns the slot that holds text, or the free one where it would stand.
func (x *index) slot(v *vocabulary, text string) int {
	mask := len(x.slots) - 1
	for at := int(xxhash.Sum64String(text)) & mask; ; at = (at + 1) & mask {
		if id := x.slots[at]; id == noToken || string(v.bytes(id)) == text {
			return at
		}
	}
}

// find returns the id of text, or noToken.
func (x *index) find(v *vocabulary, text string) int32 { return x.slots[x.slot(v, text)] }

// check verifies that every search ends, at a token that exists.
func (x *index) check(v *vocabulary) error {
	if n := len(x.slots); n == 0 || n&(n-1) != 0 {
		return fmt.Errorf("the index of tokens has %d slots", n)
	}
	free := false
	for _, id := range x.slots {
		if id == noToken {
			free = true
		} else if !v.has(id) {
			return fmt.Errorf("the index of tokens names token %d", id)
		}
	}
	if !free {
		return errors.New("the index of tokens is full")
	}
	return nil
}
