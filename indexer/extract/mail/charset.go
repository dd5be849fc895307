package mail

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// names of character sets that neither index knows, and what they are or are part of.
var otherNames = map[string]string{
	"latin-1": "windows-1252", "latin-9": "iso-8859-15", "latin9": "iso-8859-15", "latin-2": "iso-8859-2", "cp932": "shift_jis", "ms932": "shift_jis",
	"cp949": "euc-kr", "uhc": "euc-kr", "ms949": "euc-kr", "johab": "", "cp936": "gbk", "ms936": "gbk", "cp950": "big5",
	"shift_jis-2004": "shift_jis", "shift-jis": "shift_jis", "shift_jisx0213": "shift_jis", "euc_jp": "euc-jp", "euc_kr": "euc-kr",
	"euc-jis-2004": "euc-jp", "euc-jisx0213": "euc-jp", "mac-roman": "macintosh", "macroman": "macintosh", "mac-cyrillic": "x-mac-cyrillic",
	"iso-2022-jp-1": "iso-2022-jp", "iso-2022-jp-2": "iso-2022-jp", "iso-2022-jp-3": "iso-2022-jp", "iso-2022-jp-ext": "iso-2022-jp",
	"iso-2022-jp-2004": "iso-2022-jp", "cp-850": "ibm850", "utf8": "utf-8", "utf_8": "utf-8", "utf-8n": "utf-8", "x-unicode-2-0-utf-8": "utf-8",
	"cp1250": "windows-1250", "cp1254": "windows-1254", "cp874": "windows-874", "tis620": "tis-620", "koi8": "koi8-r",
	"gb-2312": "gbk", "eucgb2312_cn": "gbk", "big5_tw": "big5", "big5_hkscs": "big5-hkscs", "euc-cn": "gbk", "euc_cn": "gbk", "big5hkscs": "big5-hkscs", "iso-8859-8-e": "iso-8859-8", "unicode-1-1-utf-8": "utf-8",
}

// decodeCharset decodes data by the name of a character set. ok is false where there is
// no name, or one that says nothing of data: the caller may guess.
func decodeCharset(name string, data []byte) (text string, ok bool) {
	name = strings.Trim(strings.ToLower(strings.TrimSpace(name)), `"'`)
	if other, known := otherNames[name]; known {
		name = other
	}
	switch name {
	case "", "us-ascii", "ascii", "ansi_x3.4-1968", "utf-8", "unknown-8bit", "x-unknown", "unknown", "8bit", "7bit", "binary", "none", "default":
		return string(data), utf8.Valid(data)
	case "utf-7", "unicode-1-1-utf-7", "x-unicode-2-0-utf-7":
		return decodeUTF7(data), true
	case "iso-2022-kr", "csiso2022kr":
		return convert(korean.EUCKR, shiftOut(data)), true
	}
	e := lookUp(name)
	if e == nil {
		return string(data), utf8.Valid(data)
	}
	return convert(e, data), true
}

// lookUp returns the encoding of a name, nil where it is unknown.
func lookUp(name string) encoding.Encoding {
	switch name {
	case "hz-gb-2312", "hz", "hzgb":
		return simplifiedchinese.HZGB2312
	case "utf-16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf-32":
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case "utf-32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	case "utf-32be":
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	}
	if e, err := htmlindex.Get(name); err == nil && e != encoding.Replacement {
		return e
	}
	for _, n := range []string{name, strings.ReplaceAll(name, "_", "-"), strings.ReplaceAll(name, "cp", "ibm")} {
		if e, err := ianaindex.MIME.Encoding(n); err == nil && e != nil {
			return e
		}
		if e, err := ianaindex.IANA.Encoding(n); err == nil && e != nil {
			return e
		}
	}
	if e, err := htmlindex.Get(strings.ReplaceAll(name, "_", "-")); err == nil && e != encoding.Replacement {
		return e
	}
	return nil
}

// convert decodes data; what is malformed becomes U+FFFD.
func convert(e encoding.Encoding, data []byte) string {
	text, _ := e.NewDecoder().Bytes(data) // what it gave before a fault
	return strings.ToValidUTF8(string(text), "\ufffd")
}

// shiftOut makes EUC-KR of ISO-2022-KR: letters between SO and SI get their eighth bit.
func shiftOut(data []byte) []byte {
	data = bytes.ReplaceAll(data, []byte("\x1b$)C"), nil)
	out := make([]byte, 0, len(data))
	high := byte(0)
	for _, c := range data {
		switch c {
		case 0x0e:
			high = 0x80
		case 0x0f:
			high = 0
		case '\n':
			high = 0
			out = append(out, c)
		default:
			out = append(out, c|high)
		}
	}
	return out
}

// decodeUTF7 decodes UTF-7: UTF-16 in base64 between "+" and whatever is no letter of base64.
func decodeUTF7(data []byte) string {
	var out strings.Builder
	for len(data) > 0 {
		i := bytes.IndexByte(data, '+')
		if i < 0 {
			break
		}
		out.Write(data[:i])
		data = data[i+1:]
		end := bytes.IndexFunc(data, func(r rune) bool {
			return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '+' && r != '/'
		})
		if end < 0 {
			end = len(data)
		}
		if end == 0 {
			out.WriteByte('+')
		}
		coded := data[:end]
		units := make([]uint16, 0, len(coded)/2)
		raw := make([]byte, base64.RawStdEncoding.DecodedLen(len(coded)))
		n, _ := base64.RawStdEncoding.Decode(raw, coded) // the rest of a unit that was cut off is none
		for k := 0; k+1 < n; k += 2 {
			units = append(units, uint16(raw[k])<<8|uint16(raw[k+1]))
		}
		out.WriteString(string(utf16.Decode(units)))
		if data = data[end:]; len(data) > 0 && data[0] == '-' {
			data = data[1:]
		}
	}
	out.Write(data)
	return strings.ToValidUTF8(out.String(), "\ufffd")
}
