package tokenizer

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decode returns the text of ids without special tokens. Byte-level models
// return the encoded bytes exactly (after normalisation), so ids that a model
// made up may yield invalid UTF-8.
func (t *Tokenizer) Decode(ids []int32) string {
	d := Decoder{t: t}
	var text []byte
	for _, id := range ids {
		text = d.append(text, id)
	}
	return string(text)
}

// Decoder turns ids into text one at a time, as a model generates them. It is
// not safe for concurrent use.
type Decoder struct {
	t       *Tokenizer
	started bool   // some text has come
	pending []byte // the start of a character whose end has not come yet
}

// NewDecoder returns a decoder at the start of a text.
func (t *Tokenizer) NewDecoder() *Decoder { return &Decoder{t: t} }

// Next returns the text that id completes: a character of several tokens comes
// with the last one. All parts, with Flush's, are what Decode returns.
func (d *Decoder) Next(id int32) string {
	d.pending = d.append(d.pending, id)
	whole := len(d.pending) - incomplete(d.pending)
	text := string(d.pending[:whole])
	d.pending = d.pending[:copy(d.pending, d.pending[whole:])]
	return text
}

// Flush returns the bytes that are held back, and starts a new text.
func (d *Decoder) Flush() string {
	text := string(d.pending)
	d.pending, d.started = d.pending[:0], false
	return text
}

// incomplete returns the number of bytes at the end of text that may be the
// start of a character.
func incomplete(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		tail := text[len(text)-n:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// append adds the text of one token.
func (d *Decoder) append(dst []byte, id int32) []byte {
	if !d.t.words.has(id) || d.t.specials.has(id) {
		return dst
	}
	token, ok := d.t.forms[id]
	if !ok {
		token = d.t.words.bytes(id)
	}
	first := !d.started
	d.started = true
	p := d.t.settings.Pipeline
	switch {
	case p == nil:
		return d.t.appendWordPiece(dst, token, first)
	case p.BPE != nil && p.BPE.ByteLevel:
		return append(dst, token...)
	}
	if c, ok := byteToken(token); ok {
		return append(dst, c)
	}
	if first && p.prefixes() {
		token = bytes.TrimPrefix(token, []byte(spaceMark))
	}
	return append(dst, strings.ReplaceAll(string(token), spaceMark, " ")...)
}

// appendWordPiece puts a space before each word but the first.
func (t *Tokenizer) appendWordPiece(dst, token []byte, first bool) []byte {
	if rest, ok := bytes.CutPrefix(token, []byte(t.settings.Continuation)); ok && t.settings.Continuation != "" {
		return append(dst, rest...)
	}
	if !first {
		dst = append(dst, ' ')
	}
	return append(dst, token...)
}

// byteToken reads a token like <0x0A>.
func byteToken(token []byte) (byte, bool) {
	if len(token) != len("<0x0A>") || token[5] != '>' || string(token[:3]) != "<0x" {
		return 0, false
	}
	c, err := strconv.ParseUint(string(token[3:5]), 16, 8)
	return byte(c), err == nil
}
