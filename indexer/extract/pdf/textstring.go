package pdf

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// textString decodes a text string of a PDF file: UTF-16 or UTF-8 behind their marks, or
// PDFDocEncoding (ISO 32000-2, 7.9.2.2 and annex D).
func textString(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return utf16Text(data[2:], binary.BigEndian)
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return utf16Text(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return strings.ToValidUTF8(string(data[3:]), "\ufffd")
	}
	var b strings.Builder
	for _, c := range data {
		switch {
		case c >= 0x18 && c < 0x20:
			b.WriteRune([]rune("˘ˇˆ˙˝˛˚˜")[c-0x18])
		case c >= 0x80 && c <= 0xa0:
			b.WriteRune([]rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€")[c-0x80])
		default:
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// utf16Text decodes UTF-16.
func utf16Text(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}
