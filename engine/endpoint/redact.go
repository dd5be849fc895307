package endpoint

import "strings"

// redacted replaces the key.
const redacted = "[key]"

// leastPiece is the letters of the key in a row that count as a piece in a
// reply. Shorter runs may be chance; a shorter key, such as the "ollama" of
// local programs, is no secret.
const leastPiece = 8

// secret finds the key and its pieces, also escaped as in addresses, in server
// output.
type secret struct {
	key   string // lower case
	least int    // letters of a piece; 0 finds nothing
}

// inReplies finds the key in a model's text.
func inReplies(key string) secret {
	s := secret{key: lower(key), least: leastPiece}
	if len(key) < leastPiece {
		s.least = 0
	}
	return s
}

// inErrors finds shorter pieces too: errors repeat parts of the key, and false
// finds do not matter there.
func inErrors(key string) secret {
	s := secret{key: lower(key), least: min(max(len(key)/3, 4), leastPiece)}
	if len(key) < s.least {
		s.least = len(key)
	}
	return s
}

// lower is strings.ToLower for ASCII, byte by byte.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lowerByte(c)
	}
	return string(b)
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// hide returns text without the key. With more to come, rest is the end that
// may become a piece of the key.
func (s secret) hide(text string, more bool) (clean, rest string) {
	if s.least == 0 {
		return text, ""
	}
	var b strings.Builder
	for at := 0; at < len(text); {
		letters, bytes, open := s.match(text[at:])
		if more && open {
			return b.String(), text[at:]
		}
		if letters < s.least {
			bytes = 1
			b.WriteByte(text[at])
		} else {
			b.WriteString(redacted)
		}
		at += bytes
	}
	return b.String(), ""
}

// match returns how many letters of the key text begins with, in how many
// bytes, and whether text ends too early to tell.
func (s secret) match(text string) (letters, bytes int, open bool) {
	run := make([]byte, 0, len(s.key))
	for bytes < len(text) {
		c, size, whole := unescaped(text[bytes:])
		if !whole {
			return letters, bytes, true
		}
		run = append(run, lowerByte(c))
		if !strings.Contains(s.key, string(run)) {
			return letters, bytes, false
		}
		letters, bytes = letters+1, bytes+size
	}
	return letters, bytes, letters < len(s.key)
}

// unescaped returns the first letter of text, perhaps written %41; whole is
// false where text ends within it.
func unescaped(text string) (c byte, size int, whole bool) {
	if text[0] != '%' {
		return text[0], 1, true
	}
	if len(text) < 3 {
		return text[0], 1, false
	}
	high, low := strings.IndexByte("0123456789abcdef", text[1]|0x20), strings.IndexByte("0123456789abcdef", text[2]|0x20)
	if high < 0 || low < 0 {
		return text[0], 1, true
	}
	return byte(high<<4 | low), 3, true
}

// redaction is an error with a cleaned text.
type redaction struct {
	text string
	is   error
}

func (e *redaction) Error() string { return e.text }
func (e *redaction) Unwrap() error { return e.is }

// conceal removes the key from an error.
func (c *Client) conceal(err error) error {
	if err == nil || c.options.Key == "" {
		return err
	}
	if text, _ := inErrors(c.options.Key).hide(err.Error(), false); text != err.Error() {
		return &redaction{text, err}
	}
	return err
}
