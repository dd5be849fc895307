package tty

import "unicode/utf8"

const escape = 0x1b

// wholeEnd returns the length of the longest prefix of b that ends between
// keys. What is behind it, if anything, is the beginning of a letter (half) or
// of an escape sequence.
func wholeEnd(b []byte) (end int, half bool) {
	for end < len(b) {
		n, whole := keyLength(b[end:])
		if !whole {
			return end, b[end] != escape
		}
		end += n
	}
	return end, false
}

// keyLength returns the length of the letter or sequence that b begins with,
// and whether all of it is there.
func keyLength(b []byte) (n int, whole bool) {
	if b[0] != escape {
		if !utf8.FullRune(b) {
			return len(b), false
		}
		_, n = utf8.DecodeRune(b)
		return n, true
	}
	if len(b) == 1 {
		return 1, false
	}
	switch b[1] {
	case '[':
		return csiLength(b)
	case 'O': // a key of the application mode
		return 3, len(b) >= 3
	}
	n, whole = keyLength(b[1:]) // with alt
	return n + 1, whole
}

// csiLength returns the length of a control sequence (ECMA-48, 5.4).
func csiLength(b []byte) (n int, whole bool) {
	at := 2
	switch {
	case len(b) == at:
		return at, false
	case b[at] == '[': // function keys of the Linux console: ESC [ [ A
		return at + 2, len(b) >= at+2
	case b[at] == 'M': // a mouse event of X10: three bytes follow
		return at + 4, len(b) >= at+4
	}
	for at < len(b) && b[at] >= 0x20 && b[at] <= 0x3f {
		at++
	}
	if at == len(b) {
		return at, false
	}
	if b[at] < 0x40 || b[at] > 0x7e { // no sequence: a control or a letter broke it off
		return at, true
	}
	return at + 1, true
}
