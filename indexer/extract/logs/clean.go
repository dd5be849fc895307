package logs

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Clean makes text of a block, in its place and of the same length: escapes of terminals and control characters
// become spaces, bytes that are no UTF-8 question marks.
func Clean(block []byte) {
	for i := 0; i < len(block); {
		switch b := block[i]; {
		case b == '\x1b':
			n := escape(block[i:])
			copy(block[i:i+n], bytes.Repeat([]byte{' '}, n))
			i += n
		case b < ' ' && b != '\n' && b != '\t' && b != '\r', b == 0x7f:
			block[i] = ' '
			i++
		case b < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(block[i:])
			if r == utf8.RuneError && n == 1 {
				block[i] = '?'
			}
			i += n
		}
	}
}

// escape returns the length of the escape that data begins with: of a control sequence (ESC [ 3 1 m) all of it, of
// others ESC alone.
func escape[T []byte | string](data T) int {
	if len(data) < 2 || data[1] != '[' {
		return 1
	}
	for i := 2; i < len(data); i++ {
		switch b := data[i]; {
		case b >= 0x40 && b <= 0x7e:
			return i + 1
		case b < 0x20 || b > 0x7e:
			return i
		}
	}
	return len(data)
}

// withoutEscapes returns the beginning of a line without the escapes of terminals.
func withoutEscapes(line string) string {
	if strings.IndexByte(line, '\x1b') < 0 {
		return line
	}
	var out strings.Builder
	for i := 0; i < len(line); {
		if line[i] == '\x1b' {
			i += escape(line[i:])
			continue
		}
		out.WriteByte(line[i])
		i++
	}
	return out.String()
}
