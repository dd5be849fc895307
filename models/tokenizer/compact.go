package tokenizer

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"dowse/models/internal/view"
)

// The compact form, all numbers little-endian:
//
//	magic   8 bytes
//	lengths 8 x uint32: the bytes of each section below
//	sections, each padded with zeros to a multiple of 4:
//	  settings (JSON), character index (uint16), actions (uint32),
//	  sequences (uint32), trie links (int32), trie values (int32),
//	  token offsets (uint32), token text
//
// The last character of the magic is the version; a reader of another version
// refuses the data, and the model is imported again.
const compactMagic = "dwsWPtk1"

const (
	compactSections = 8
	compactHeader   = len(compactMagic) + 4*compactSections
)

// ErrCompact is returned for data that is not a compact tokenizer of this version.
var ErrCompact = errors.New("not a compact tokenizer of this version")

// AppendCompact appends the compact form of t to dst.
func (t *Tokenizer) AppendCompact(dst []byte) []byte {
	text, err := json.Marshal(t.settings)
	if err != nil {
		panic("tokenizer: settings that were read cannot be written: " + err.Error())
	}
	sections := [compactSections][]byte{
		text, nil, appendUint32s(nil, t.chars.actions), appendUint32s(nil, t.chars.sequences),
		appendUint32s(nil, t.trie.links), appendUint32s(nil, t.trie.values),
		appendUint32s(nil, t.offsets), t.text,
	}
	for _, b := range t.chars.index {
		sections[1] = binary.LittleEndian.AppendUint16(sections[1], b)
	}
	dst = append(dst, compactMagic...)
	for _, s := range sections {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s)))
	}
	for _, s := range sections {
		dst = append(dst, s...)
		dst = append(dst, make([]byte, -len(s)&3)...)
	}
	return dst
}

func appendUint32s[T int32 | uint32](dst []byte, numbers []T) []byte {
	for _, v := range numbers {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

// FromCompact reads what AppendCompact wrote. The tokenizer refers to data,
// which must stay as it is. Damaged data is an error, now and not later: every
// index in it is checked.
func FromCompact(data []byte) (*Tokenizer, error) {
	sections, err := splitSections(data)
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{
		chars: characters{
			index:     view.Uint16s(sections[1]),
			actions:   view.Uint32s(sections[2]),
			sequences: view.Uint32s(sections[3]),
		},
		trie:    trie{links: view.Int32s(sections[4]), values: view.Int32s(sections[5])},
		offsets: view.Uint32s(sections[6]),
		text:    sections[7],
	}
	if err := json.Unmarshal(sections[0], &t.settings); err != nil {
		return nil, fmt.Errorf("compact tokenizer: settings: %w", err)
	}
	if err := t.prepare(); err != nil {
		return nil, fmt.Errorf("compact tokenizer: %w", err)
	}
	return t, nil
}

// splitSections finds the sections by the lengths in the header.
func splitSections(data []byte) (sections [compactSections][]byte, err error) {
	if len(data) < compactHeader || string(data[:len(compactMagic)]) != compactMagic {
		return sections, ErrCompact
	}
	at := compactHeader
	for i := range sections {
		length := int(binary.LittleEndian.Uint32(data[len(compactMagic)+4*i:]))
		if length > len(data)-at {
			return sections, fmt.Errorf("compact tokenizer: section %d is cut short", i)
		}
		sections[i] = data[at : at+length : at+length]
		at = min(at+length+(-length&3), len(data))
	}
	return sections, nil
}
