package tokenizer

import (
	"fmt"
	"unicode/utf8"
)

// bpeSettings are the switches of a BPE model.
type bpeSettings struct {
	ByteLevel    bool `json:"byte_level,omitempty"`    // symbols are bytes, otherwise characters
	ByteFallback bool `json:"byte_fallback,omitempty"` // a character without a token becomes its bytes
	FuseUnknown  bool `json:"fuse_unk,omitempty"`      // unknown characters in a row are one token
	IgnoreMerges bool `json:"ignore_merges,omitempty"` // a piece that is a token is that token
}

// bpe merges the symbols of a piece (Sennrich et al. 2016, "Neural Machine
// Translation of Rare Words with Subword Units", algorithm 1): always the
// neighbours whose rule has the lowest rank, the leftmost first.
type bpe struct {
	settings bpeSettings
	unknown  int32 // noToken: unknown characters are left out
	words    *vocabulary
	index    index
	merges   mergeTable
	bytes    [256]int32 // token of each byte: a symbol, or what a character falls back to
	fallback bool       // every byte has one
}

// prepare finds the tokens of single bytes.
func (b *bpe) prepare() {
	b.fallback = b.settings.ByteFallback
	for c := range b.bytes {
		name := string([]byte{byte(c)})
		if !b.settings.ByteLevel {
			name = fmt.Sprintf(byteTokenFormat, c)
		}
		b.bytes[c] = b.index.find(b.words, name)
	}
}

// byteTokenFormat names the token of a byte where symbols are characters.
const byteTokenFormat = "<0x%02X>"

// symbols appends the symbols of a piece to w.
func (b *bpe) symbols(w *word, piece string) {
	w.reset()
	if b.settings.ByteLevel {
		for i := range len(piece) {
			b.add(w, b.bytes[piece[i]], i+1)
		}
		return
	}
	for at := 0; at < len(piece); {
		_, width := utf8.DecodeRuneInString(piece[at:])
		if id := b.index.find(b.words, piece[at:at+width]); id != noToken || !b.fallsBack(piece[at:at+width]) {
			b.add(w, id, at+width)
		} else {
			for i := at; i < at+width; i++ {
				w.add(b.bytes[piece[i]], i+1)
			}
		}
		at += width
	}
}

// fallsBack reports whether every byte of a character has a token.
func (b *bpe) fallsBack(char string) bool {
	if !b.fallback {
		return false
	}
	for i := range len(char) {
		if b.bytes[char[i]] == noToken {
			return false
		}
	}
	return true
}

// add adds a symbol, or its replacement.
func (b *bpe) add(w *word, id int32, end int) {
	switch {
	case id != noToken:
		w.add(id, end)
	case b.unknown == noToken:
		// Left out; the next symbol covers its bytes.
	case b.settings.FuseUnknown && w.fused:
		w.ends[len(w.ends)-1] = int32(end)
	default:
		w.add(b.unknown, end)
		w.fused = true
	}
}

// encode leaves the tokens of a piece in w.
func (b *bpe) encode(w *word, piece string) {
	if b.settings.IgnoreMerges {
		if id := b.index.find(b.words, piece); id != noToken {
			w.reset()
			w.add(id, len(piece))
			return
		}
	}
	b.symbols(w, piece)
	if len(w.ids) <= shortWord {
		w.mergeByScan(&b.merges)
	} else {
		w.mergeByHeap(&b.merges)
	}
}

// check verifies the tables.
func (b *bpe) check() error {
	if err := b.index.check(b.words); err != nil {
		return err
	}
	return b.merges.check(b.words.size())
}
