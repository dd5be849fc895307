// Package codepage knows the character sets that Windows has numbers for.
//
//	text, err := codepage.Encoding(1251).NewDecoder().Bytes(data)
//
// RTF, messages of Outlook and documents of Office before 2007 say by such a number how their bytes are meant.
package codepage

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// fonts are those of fonts, by the number of their set of characters.
var fonts = map[int]int{
	77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437,
}

// pages are those that a document may be written in.
var pages = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855, 858: charmap.CodePage858,
	860: charmap.CodePage860, 862: charmap.CodePage862, 863: charmap.CodePage863, 865: charmap.CodePage865, 866: charmap.CodePage866,
	874: charmap.Windows874, 932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254,
	1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258,
	10000: charmap.Macintosh, 10007: charmap.MacintoshCyrillic, 20127: charmap.Windows1252, 20866: charmap.KOI8R, 20932: japanese.EUCJP, 21866: charmap.KOI8U,
	28591: charmap.Windows1252, 28592: charmap.ISO8859_2, 28593: charmap.ISO8859_3, 28594: charmap.ISO8859_4, 28595: charmap.ISO8859_5,
	28596: charmap.ISO8859_6, 28597: charmap.ISO8859_7, 28598: charmap.ISO8859_8, 28599: charmap.Windows1254, 28603: charmap.ISO8859_13,
	28605: charmap.ISO8859_15, 50220: japanese.ISO2022JP, 50221: japanese.ISO2022JP, 50222: japanese.ISO2022JP, 51932: japanese.EUCJP,
	51936: simplifiedchinese.GBK, 51949: korean.EUCKR, 52936: simplifiedchinese.HZGB2312, 54936: simplifiedchinese.GB18030, 65001: unicode.UTF8,
}

// Encoding returns that of a code page, nil where the number is of none that is known.
func Encoding(number int) encoding.Encoding { return pages[number] }

// OfFont returns the encoding of a font's set of characters, as RTF's \fcharset numbers them; nil where
// the font is of the document's own.
func OfFont(number int) encoding.Encoding { return pages[fonts[number]] }

// NumberOfFont returns the number of that code page, 0 where OfFont returns nil.
func NumberOfFont(number int) int { return fonts[number] }

// Decode decodes data by a code page, or by Windows-1252 if the page is unknown. What is
// malformed becomes U+FFFD.
func Decode(number int, data []byte) string {
	e := Encoding(number)
	if e == nil {
		e = charmap.Windows1252
	}
	text, _ := e.NewDecoder().Bytes(data) // what it gave before a fault
	return strings.ToValidUTF8(string(text), "\ufffd")
}
