package mail

import (
	"bytes"
	"encoding/base64"
)

// untransfer undoes a Content-Transfer-Encoding. It keeps what it can of a body
// that is damaged, which is why the readers of the standard library, that stop at the first fault, are of no use here.
func untransfer(encoding string, body []byte) []byte {
	switch encoding {
	case "base64":
		if isProse(body) {
			return body
		}
		return unbase64(body)
	case "quoted-printable":
		return unquotePrintable(body)
	case "x-uuencode", "uuencode", "uue", "x-uue":
		return unuuencode(body)
	}
	return body
}

// isProse reports whether most lines of a body have blanks between words, as no line of base64
// has: some servers write what they have decoded, and leave the old header.
func isProse(body []byte) bool {
	lines, prose := 0, 0
	for line := range bytes.Lines(body) {
		line, _, _ = bytes.Cut(line, []byte("=")) // remarks stand behind the padding
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines++
			if bytes.ContainsAny(line, " \t") {
				prose++
			}
		}
	}
	return 2*prose > lines
}

// unbase64 decodes the letters of base64 in data. Everything else is passed over, and
// padding in the middle ends one stretch of it.
func unbase64(data []byte) []byte {
	letters := make([]byte, 0, len(data))
	out := make([]byte, 0, len(data)*3/4+3)
	flush := func() {
		if len(letters)%4 == 1 { // of no byte
			letters = letters[:len(letters)-1]
		}
		out, _ = base64.RawStdEncoding.AppendDecode(out, letters) // letters are all that is in it
		letters = letters[:0]
	}
	for _, c := range data {
		switch {
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '+', c == '/':
			letters = append(letters, c)
		case c == '=':
			flush()
		}
	}
	flush()
	return out
}

// unquotePrintable decodes "=E4" and removes line ends behind "=". Anything else stays.
func unquotePrintable(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for len(data) > 0 {
		i := bytes.IndexByte(data, '=')
		if i < 0 {
			return append(out, data...)
		}
		out = append(out, data[:i]...)
		data = data[i:]
		if len(data) >= 3 && unhex(data[1]) >= 0 && unhex(data[2]) >= 0 {
			out = append(out, byte(unhex(data[1])<<4|unhex(data[2])))
			data = data[3:]
			continue
		}
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		if len(bytes.TrimRight(line[1:], " \t\r")) == 0 {
			data = rest
			if !ended {
				return out
			}
			continue
		}
		out = append(out, '=')
		data = data[1:]
	}
	return out
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// unuuencode decodes what stands between "begin 644 name" and "end".
func unuuencode(data []byte) []byte {
	var out []byte
	inside := false
	for line := range bytes.Lines(data) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case !inside:
			inside = bytes.HasPrefix(line, []byte("begin "))
			continue
		case len(line) == 0:
			continue
		case string(line) == "end":
			return out
		}
		n := int(line[0]-' ') & 63
		start := len(out)
		for i := 1; i+1 < len(line) && len(out)-start < n; i += 4 {
			var group [4]byte
			for j := range group {
				if i+j < len(line) {
					group[j] = (line[i+j] - ' ') & 63
				}
			}
			out = append(out, group[0]<<2|group[1]>>4, group[1]<<4|group[2]>>2, group[2]<<6|group[3])
		}
		out = out[:min(len(out), start+n)]
	}
	return out
}
