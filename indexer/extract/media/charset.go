package media

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dowse/indexer/extract/guess"
)

// plain decodes a text whose encoding is not told: UTF-8 where it is that, otherwise what its
// letters tell. It ends with a zero byte.
func plain(data []byte) string {
	text, _, _ := strings.Cut(string(data), "\x00")
	if !utf8.ValidString(text) {
		text = latin([]byte(text))
	}
	return strings.TrimSpace(text)
}

// latin decodes a text that is said to be of Latin letters, which programs say of any other
// encoding of their system too: the letters tell.
func latin(data []byte) string {
	e, _ := guess.Encoding(data)
	text, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(text), "\ufffd"))
}

// wide decodes what Windows writes.
func wide(data []byte) string { return utf16Text(data, binary.LittleEndian) }

// utf16In decodes UTF-16 that says by a mark, or by where its zero bytes stand, which byte comes
// first; others take usual.
func utf16In(data []byte, usual binary.ByteOrder) string {
	if len(data) < 2 {
		return ""
	}
	switch {
	case data[0] == 0xff && data[1] == 0xfe:
		return utf16Text(data[2:], binary.LittleEndian)
	case data[0] == 0xfe && data[1] == 0xff:
		return utf16Text(data[2:], binary.BigEndian)
	}
	var zeros [2]int
	for i, b := range data {
		if b == 0 {
			zeros[i&1]++
		}
	}
	switch {
	case zeros[0] > zeros[1]:
		return utf16Text(data, binary.BigEndian)
	case zeros[1] > zeros[0]:
		return utf16Text(data, binary.LittleEndian)
	}
	return utf16Text(data, usual)
}

// utf16Text decodes as far as a zero.
func utf16Text(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(data)/2)
	for ; len(data) >= 2; data = data[2:] {
		unit := order.Uint16(data)
		if unit == 0 {
			break
		}
		units = append(units, unit)
	}
	return strings.TrimSpace(strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff"))
}
