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
//	magic    8 bytes
//	lengths  one uint32 for each section: its bytes
//	sections each padded with zeros to a multiple of 4
//
// The sections of a WordPiece tokenizer: settings (JSON), character index
// (uint16), actions (uint32), sequences (uint32), trie links (int32), trie
// values (int32), token offsets (uint32), token text. Those of the others:
// settings (JSON), token offsets (uint32), token text, index (int32), merges
// (uint32), trie links (int32), trie values (int32), scores (uint32), character
// map (its own format); what a model has no use for is empty.
//
// The last character of a magic is the version; a reader of another version
// refuses the data, and the model is imported again.
const (
	wordPieceMagic = "dwsWPtk1"
	pipelineMagic  = "dwsPLtk1"
)

const (
	wordPieceSections = 8
	pipelineSections  = 9
)

// errCompact is returned for data that is not a compact tokenizer of this version.
var errCompact = errors.New("not a compact tokenizer of this version")

// AppendCompact appends the compact form of t to dst.
func (t *Tokenizer) AppendCompact(dst []byte) []byte {
	text, err := json.Marshal(t.settings)
	if err != nil {
		panic("tokenizer: settings that were read cannot be written: " + err.Error())
	}
	if t.settings.Pipeline != nil {
		return appendSections(dst, pipelineMagic, [][]byte{
			text, appendUint32s(nil, t.words.offsets), t.words.text,
			appendUint32s(nil, t.index.slots), appendUint32s(nil, t.merges.slots),
			appendUint32s(nil, t.trie.links), appendUint32s(nil, t.trie.values),
			appendUint32s(nil, t.scores), t.mapData,
		})
	}
	var index []byte
	for _, b := range t.chars.index {
		index = binary.LittleEndian.AppendUint16(index, b)
	}
	return appendSections(dst, wordPieceMagic, [][]byte{
		text, index, appendUint32s(nil, t.chars.actions), appendUint32s(nil, t.chars.sequences),
		appendUint32s(nil, t.trie.links), appendUint32s(nil, t.trie.values),
		appendUint32s(nil, t.words.offsets), t.words.text,
	})
}

func appendSections(dst []byte, magic string, sections [][]byte) []byte {
	dst = append(dst, magic...)
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
	t, text, err := fromSections(data)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &t.settings); err != nil {
		return nil, fmt.Errorf("compact tokenizer: settings: %w", err)
	}
	if isPipeline := len(t.chars.index) == 0; isPipeline != (t.settings.Pipeline != nil) {
		return nil, errors.New("compact tokenizer: the settings are those of another kind of model")
	}
	if err := t.prepare(); err != nil {
		return nil, fmt.Errorf("compact tokenizer: %w", err)
	}
	return t, nil
}

// fromSections makes a tokenizer that refers to the sections of data, and
// returns its settings.
func fromSections(data []byte) (t *Tokenizer, settings []byte, err error) {
	if len(data) < len(wordPieceMagic) {
		return nil, nil, errCompact
	}
	switch string(data[:len(wordPieceMagic)]) {
	case wordPieceMagic:
		s, err := splitSections(data, wordPieceSections)
		if err != nil {
			return nil, nil, err
		}
		return &Tokenizer{
			chars: characters{
				index:     view.Uint16s(s[1]),
				actions:   view.Uint32s(s[2]),
				sequences: view.Uint32s(s[3]),
			},
			trie:  trie{links: view.Int32s(s[4]), values: view.Int32s(s[5])},
			words: vocabulary{offsets: view.Uint32s(s[6]), text: s[7]},
		}, s[0], nil
	case pipelineMagic:
		s, err := splitSections(data, pipelineSections)
		if err != nil {
			return nil, nil, err
		}
		return &Tokenizer{
			words:   vocabulary{offsets: view.Uint32s(s[1]), text: s[2]},
			index:   index{slots: view.Int32s(s[3])},
			merges:  mergeTable{slots: view.Uint32s(s[4])},
			trie:    trie{links: view.Int32s(s[5]), values: view.Int32s(s[6])},
			scores:  view.Uint32s(s[7]),
			mapData: s[8],
		}, s[0], nil
	}
	return nil, nil, errCompact
}

// splitSections finds the sections by the lengths in the header.
func splitSections(data []byte, count int) ([][]byte, error) {
	at := len(wordPieceMagic) + 4*count
	if len(data) < at {
		return nil, errCompact
	}
	sections := make([][]byte, count)
	for i := range sections {
		length := int(binary.LittleEndian.Uint32(data[len(wordPieceMagic)+4*i:]))
		if length > len(data)-at {
			return nil, fmt.Errorf("compact tokenizer: section %d is cut short", i)
		}
		sections[i] = data[at : at+length : at+length]
		at = min(at+length+(-length&3), len(data))
	}
	return sections, nil
}
