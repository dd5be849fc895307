package extract

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/indexer/extract/guess"
	"dowse/indexer/paths"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	textunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

const utf8Name = "UTF-8"

// marks are the byte order marks of encodings other than UTF-8. The longer ones
// come first, because UTF-16 begins like UTF-32.
var marks = []struct {
	mark, name string
	encoding   encoding.Encoding
}{
	{"\xff\xfe\x00\x00", "UTF-32LE", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"\x00\x00\xfe\xff", "UTF-32BE", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"\xff\xfe", "UTF-16LE", textunicode.UTF16(textunicode.LittleEndian, textunicode.IgnoreBOM)},
	{"\xfe\xff", "UTF-16BE", textunicode.UTF16(textunicode.BigEndian, textunicode.IgnoreBOM)},
}

// Encodings names the encoding of old text files below folders, by their absolute paths.
type Encodings map[string]string

// Of returns what the innermost folder of a file has, "" where none has any.
func (e Encodings) Of(path string) string {
	return e[paths.Innermost(path, slices.Collect(maps.Keys(e)))]
}

// decode turns bytes into text. plain says that the text is the bytes; ok is
// false when they are no text. named is the encoding of what nothing else is said of, "" where its letters tell.
func decode(data []byte, isHTML bool, named string) (text, name string, plain, ok bool) {
	for _, m := range marks {
		if rest, found := bytes.CutPrefix(data, []byte(m.mark)); found {
			return convert(rest, m.encoding), m.name, false, true
		}
	}
	if text, name, ok := decodeUTF16(data); ok {
		return text, name, false, true
	}
	if isBinary(data) {
		return "", "", false, false
	}
	if utf8.Valid(data) {
		return string(data), utf8Name, true, true
	}
	if isMostlyUTF8(data) {
		return strings.ToValidUTF8(string(data), "\ufffd"), utf8Name, false, true
	}
	e, name := encodingOf(data, isHTML, named)
	return convert(data, e), name, false, true
}

// convert decodes data; what is malformed becomes U+FFFD.
func convert(data []byte, e encoding.Encoding) string {
	text, err := e.NewDecoder().Bytes(data)
	if err != nil { // the decoder stopped: keep every byte as some letter
		text, _ = charmap.Windows1252.NewDecoder().Bytes(data)
	}
	return strings.ToValidUTF8(string(text), "\ufffd")
}

// decodeUTF16 recognises UTF-16 without a byte order mark: line ends, spaces and
// punctuation give zero bytes that all stand at odd places, or all at even ones,
// and what comes out is characters.
func decodeUTF16(data []byte) (text, name string, ok bool) {
	sample := data[:min(len(data), headBytes)&^1]
	var zeros [2]int
	for i, b := range sample {
		if b == 0 {
			zeros[i&1]++
		}
	}
	total := zeros[0] + zeros[1]
	oneSided := zeros[0]*20 <= total || zeros[1]*20 <= total
	enough := total >= 4 && total*50 >= len(sample) || total > 0 && total*2 == len(sample)
	if !oneSided || !enough || len(data)%2 != 0 {
		return "", "", false
	}
	m := marks[2] // little endian: the zero byte follows
	if zeros[0] > zeros[1] {
		m = marks[3]
	}
	if !isReadable(convert(sample, m.encoding)) {
		return "", "", false
	}
	return convert(data, m.encoding), m.name, true
}

// isReadable reports whether at most one character of fifty is not for reading.
func isReadable(text string) bool {
	bad, n := 0, 0
	for _, r := range text {
		n++
		if r == utf8.RuneError || !unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '\ufeff' {
			bad++
		}
	}
	return bad*50 <= n
}

// isMostlyUTF8 reports whether well-formed sequences of several bytes are at
// least three times as many as flaws. Text in another encoding hardly has any.
func isMostlyUTF8(data []byte) bool {
	good, bad := 0, 0
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n > 1:
			good++
		}
		data = data[n:]
	}
	return good >= 3*bad
}

// encodingOf names the encoding of bytes that are no UTF-8.
func encodingOf(data []byte, isHTML bool, named string) (encoding.Encoding, string) {
	if isHTML {
		e, name, _ := charset.DetermineEncoding(data[:min(len(data), 1024)], "")
		if name != "utf-8" && name != guess.Fallback { // declared, and not a default
			return e, name
		}
	}
	if e := guess.Named(named); e != nil {
		return e, named
	}
	return guess.Encoding(data)
}
