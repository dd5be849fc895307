package rtf

import (
	"strings"

	"dowse/indexer/extract/codepage"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// Charsets are the character sets of a document and of its fonts. The zero value is Windows-1252.
type Charsets struct {
	document encoding.Encoding
	fonts    map[int]encoding.Encoding
}

// Document sets the code page of what no font says otherwise of.
func (c *Charsets) Document(number int) {
	if e := codepage.Encoding(number); e != nil {
		c.document = e
	}
}

// Font sets the character set of a font, as \fcharset numbers them.
func (c *Charsets) Font(font, number int) {
	if c.fonts == nil {
		c.fonts = map[int]encoding.Encoding{}
	}
	c.fonts[font] = codepage.OfFont(number)
}

// Decode returns text that is written in a font. What is malformed becomes U+FFFD.
func (c *Charsets) Decode(text []byte, font int) string {
	if isPlain(text) {
		return string(text)
	}
	e := c.fonts[font]
	if e == nil {
		e = c.document
	}
	if e == nil {
		e = charmap.Windows1252
	}
	decoded, _ := e.NewDecoder().Bytes(text) // what it gave before a fault
	return strings.ToValidUTF8(string(decoded), "\ufffd")
}

// isPlain reports whether bytes are letters of ASCII in every character set, which ESC and ~ are not: they switch to others
// in ISO-2022-JP and in HZ.
func isPlain(text []byte) bool {
	for _, b := range text {
		if b == 0x1b || b >= '~' {
			return false
		}
	}
	return true
}
