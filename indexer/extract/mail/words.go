package mail

import (
	"encoding/hex"
	"mime"
	"strings"
	"unicode/utf8"

	"dowse/indexer/extract/guess"
	"dowse/internal/pattern"
)

// encodedWord is a stretch of text in another character set, as RFC 2047 writes it. Spaces
// within, which the standard forbids, are taken.
var encodedWord = pattern.New(`=\?([^?\s]+)\?([bBqQ])\?(.*?)\?=`)

// decodeWords returns the value of a field as text. Neighbours of one character set are decoded together,
// because some programs cut a letter in two.
func decodeWords(value string) string {
	var out strings.Builder
	var pending []byte
	charset := ""
	flush := func() {
		out.WriteString(decodeShort(charset, pending))
		pending = nil
	}
	for {
		m := encodedWord.FindStringSubmatchIndex(value)
		if m == nil {
			break
		}
		between := value[:m[0]]
		name, _, _ := strings.Cut(strings.ToLower(value[m[2]:m[3]]), "*") // after it stands a language
		if pending == nil || strings.TrimSpace(between) != "" {
			flush()
			out.WriteString(decodeShort("", []byte(between)))
		} else if name != charset {
			flush()
		}
		charset = name
		pending = append(pending, wordBytes(value[m[4]:m[5]], value[m[6]:m[7]])...)
		value = value[m[1]:]
	}
	flush()
	out.WriteString(decodeShort("", []byte(value)))
	return out.String()
}

// wordBytes undoes the encoding of an encoded word.
func wordBytes(encoding, text string) []byte {
	if strings.EqualFold(encoding, "b") {
		return unbase64([]byte(text))
	}
	return unquotePrintable([]byte(strings.ReplaceAll(text, "_", "=20")))
}

// decodeShort decodes a few words, of which the letters tell the character set where none is named.
func decodeShort(charset string, data []byte) string {
	if text, ok := decodeCharset(charset, data); ok {
		return text
	}
	if utf8.Valid(data) {
		return string(data)
	}
	e, _ := guess.Encoding(data)
	return convert(e, data)
}

// parameter matches one of a field, for fields that mime.ParseMediaType refuses.
var parameter = pattern.New(`;\s*([^\s=;"]+?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;\s]*))`)

// valueAndParameters returns the value of a field such as Content-Type in lower case, and its
// parameters by names in lower case.
func valueAndParameters(raw string) (string, map[string]string) {
	value, params, err := mime.ParseMediaType(raw)
	if err == nil && !strings.Contains(raw, "*=") {
		for k, v := range params {
			params[k] = decodeWords(v)
		}
		return value, params
	}
	value, _, _ = strings.Cut(raw, ";")
	value = strings.ToLower(strings.Join(strings.Fields(value), ""))
	if params == nil {
		params = map[string]string{}
	}
	for _, m := range parameter.FindAllStringSubmatch(raw, maxFields) {
		name := strings.ToLower(m[1])
		base, extended := strings.CutSuffix(name, "*")
		if _, known := params[base]; known {
			continue
		}
		params[base] = decodeWords(unquote.Replace(m[2]) + m[3])
		if parts := strings.SplitN(m[2]+m[3], "'", 3); extended && len(parts) == 3 {
			params[base] = decodeShort(strings.ToLower(parts[0]), unpercent(parts[2]))
		}
	}
	return value, params
}

// unpercent undoes the escapes of RFC 2231, "%E4".
func unpercent(s string) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if b, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				out = append(out, b...)
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return out
}
