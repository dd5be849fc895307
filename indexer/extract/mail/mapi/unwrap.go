package mapi

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dowse/indexer/extract/codepage"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// Unwrap returns the HTML or the plain text that RTF was made around ([MS-OXRTFEX]), in UTF-8, and its kind, "text/html" or
// "text/plain". The kind is "" where RTF is what the text was written as.
func Unwrap(rtf []byte) (text, kind string) {
	head := rtf[:min(len(rtf), wrapHead)]
	switch {
	case !bytes.HasPrefix(head, []byte("{\\rtf")):
		return "", ""
	case bytes.Contains(head, []byte("\\fromhtml")):
		kind = "text/html"
	case bytes.Contains(head, []byte("\\fromtext")):
		kind = "text/plain"
	default:
		return "", ""
	}
	u := unwrapper{data: rtf, html: kind == "text/html", charset: charmap.Windows1252, fonts: map[int]encoding.Encoding{}}
	u.group.skipped = 1
	u.read()
	return u.out.String(), kind
}

const (
	wrapHead  = 1024   // bytes in which RTF says what it was made around
	maxGroups = 10_000 // within each other; what is deeper is read as if it stood there
	maxFonts  = 10_000
)

// unwrapGroup is what ends with a group.
type unwrapGroup struct {
	hidden  bool // it is of a destination that is no part of the text
	rtfOnly bool // it is there for those who read the RTF
	fonts   bool // it is the table of fonts
	font    int
	skipped int // characters that stand for a \u
}

// unwrapper reads RTF for what it was made around alone.
type unwrapper struct {
	data    []byte
	html    bool
	group   unwrapGroup
	groups  []unwrapGroup
	deep    int // groups beyond maxGroups
	starred bool
	toSkip  int // characters
	held    []byte
	high    rune // the first half of a surrogate pair
	font    int  // where none is named
	charset encoding.Encoding
	fonts   map[int]encoding.Encoding
	out     strings.Builder
}

func (u *unwrapper) read() {
	for len(u.data) > 0 {
		c := u.data[0]
		u.data = u.data[1:]
		switch c {
		case '{':
			u.flush()
			u.toSkip, u.starred = 0, false
			if len(u.groups) >= maxGroups {
				u.deep++
			} else {
				u.groups = append(u.groups, u.group)
			}
		case '}':
			u.flush()
			u.toSkip, u.starred = 0, false
			u.leave()
		case '\\':
			u.control()
		case '\r', '\n', 0:
		default:
			u.char(c)
		}
	}
	u.flush()
}

func (u *unwrapper) leave() {
	switch n := len(u.groups); {
	case u.deep > 0:
		u.deep--
	case n > 0:
		u.group, u.groups = u.groups[n-1], u.groups[:n-1]
	}
}

// control reads what follows a backslash.
func (u *unwrapper) control() {
	if len(u.data) == 0 {
		return
	}
	if c := u.data[0]; c|0x20 < 'a' || c|0x20 > 'z' {
		u.data = u.data[1:]
		u.symbol(c)
		return
	}
	word := u.take(func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' })
	digits := u.take(func(c byte) bool { return c == '-' || c >= '0' && c <= '9' })
	n, err := strconv.Atoi(digits[:min(len(digits), 12)])
	if len(u.data) > 0 && u.data[0] == ' ' {
		u.data = u.data[1:]
	}
	switch {
	case word == "bin":
		u.data = u.data[min(max(n, 0), len(u.data)):]
		return
	case u.toSkip > 0:
		u.toSkip--
		return
	case word != "u":
		u.flush()
	}
	u.word(word, n, err == nil)
	u.starred = false
}

// take cuts off bytes of a kind.
func (u *unwrapper) take(of func(c byte) bool) string {
	n := 0
	for n < len(u.data) && of(u.data[n]) {
		n++
	}
	taken := string(u.data[:n])
	u.data = u.data[n:]
	return taken
}

// symbol takes a control symbol.
func (u *unwrapper) symbol(c byte) {
	switch c {
	case '*':
		u.starred = true
	case '\'':
		if len(u.data) >= 2 {
			if n, err := strconv.ParseUint(string(u.data[:2]), 16, 8); err == nil {
				u.char(byte(n))
			}
			u.data = u.data[2:]
		}
	case '\\', '{', '}':
		u.char(c)
	case '~':
		u.write("\u00a0")
	case '_':
		u.write("\u2011")
	case '-':
		u.write("\u00ad")
	case '\r', '\n':
		u.write("\r\n")
	}
}

// unwrapTexts are words that stand for text.
var unwrapTexts = map[string]string{
	"par": "\r\n", "line": "\r\n", "tab": "\t", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
	"bullet": "•", "endash": "–", "emdash": "—", "enspace": "\u2002", "emspace": "\u2003", "qmspace": "\u2005",
}

// word takes a control word; n is its number, if it has one.
func (u *unwrapper) word(word string, n int, numbered bool) {
	if text := unwrapTexts[word]; text != "" {
		u.write(text)
		return
	}
	switch word {
	case "htmltag": // what is in it is HTML, whatever stands around
	case "htmlrtf":
		u.group.rtfOnly = !numbered || n != 0
	case "u":
		u.unicode(n)
	case "uc":
		u.group.skipped = min(max(n, 0), 100)
	case "ansicpg":
		if e := codepage.Encoding(n); e != nil {
			u.charset = e
		}
	case "fonttbl":
		u.group.hidden, u.group.fonts = true, true
	case "deff":
		u.font, u.group.font = n, n
	case "f":
		u.group.font = n
	case "plain":
		u.group.font = u.font
	case "fcharset":
		if u.group.fonts && len(u.fonts) < maxFonts {
			u.fonts[u.group.font] = codepage.OfFont(n)
		}
	case "colortbl", "stylesheet", "info", "pict", "object", "pntext", "listtext", "header", "footer", "fldinst":
		u.group.hidden = true
	default:
		u.group.hidden = u.group.hidden || u.starred
	}
}

// char takes a byte of text.
func (u *unwrapper) char(c byte) {
	if u.toSkip > 0 {
		u.toSkip--
		return
	}
	u.held = append(u.held, c)
}

// unicode takes a character by its number, of 16 bits with a sign.
func (u *unwrapper) unicode(n int) {
	u.flush()
	u.toSkip = u.group.skipped
	c := rune(uint16(n))
	switch {
	case n > 0xffff && n <= utf8.MaxRune:
		c = rune(n)
	case utf16.IsSurrogate(c) && u.high == 0:
		u.high = c
		return
	case u.high != 0:
		c = utf16.DecodeRune(u.high, c)
	}
	u.high = 0
	u.write(string(c))
}

// flush writes the bytes of text that are held.
func (u *unwrapper) flush() {
	if len(u.held) == 0 {
		return
	}
	charset := u.charset
	if known := u.fonts[u.group.font]; known != nil {
		charset = known
	}
	text, _ := charset.NewDecoder().Bytes(u.held) // what it gave before a fault
	u.held = u.held[:0]
	u.write(string(text))
}

// write writes text that is not of the RTF alone.
func (u *unwrapper) write(s string) {
	u.flush()
	if !u.group.hidden && !u.group.rtfOnly {
		u.out.WriteString(strings.ToValidUTF8(s, "\ufffd"))
	}
}
