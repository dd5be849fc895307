package office

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"dowse/indexer/document"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// readRTF reads a document of Rich Text Format.
func readRTF(ctx context.Context, in *document.Input) (*document.Document, error) {
	if !bytes.HasPrefix(in.Data, []byte("{\\rtf")) {
		return nil, errors.New("it does not begin as RTF")
	}
	r := rtfReader{data: in.Data, fonts: map[int]encoding.Encoding{}, styles: map[int]int{}, charset: charmap.Windows1252}
	r.group.skipped = 1
	if err := r.read(ctx); err != nil {
		return nil, err
	}
	b := in.Builder()
	w := writer{b: b}
	for len(r.outer) > 0 {
		r.leaveFlow(false)
	}
	if r.para.open {
		r.flow.set(r.para.kind, r.para.level)
	}
	w.blocks(r.flow.finish())
	w.blocks(running{}.fresh(r.ends))
	return b.Document("rtf", r.meta.Said()), nil
}

// Limits of nesting; what is deeper is read as if it stood there.
const (
	maxGroups = 10_000
	maxFlows  = 8 // notes within notes
)

// rtfGroup is what ends with a group.
type rtfGroup struct {
	target  string // a destination that has text of its own: "fonttbl", "title", ...; "" is the document
	hidden  bool   // its text is not shown
	deleted bool
	flow    bool // it has a flow of its own
	ending  bool // that is a header or footer
	skipped int  // characters that stand for a \u
	font    int
}

// rtfReader reads control words and text.
type rtfReader struct {
	data    []byte
	at      int
	group   rtfGroup
	groups  []rtfGroup
	deep    int    // groups beyond maxGroups
	fresh   bool   // nothing was seen of the group yet
	starred bool   // its first word is one that those who do not know it pass over
	toSkip  int    // characters
	bytes   []byte // of text, in the charset of the font
	high    rune   // the first half of a surrogate pair
	charset encoding.Encoding
	fonts   map[int]encoding.Encoding
	styles  map[int]int     // levels of headings
	style   int             // that is described
	words   strings.Builder // of a target
	flow    flow
	outer   []flow
	ends    []block // headers and footers
	para    rtfParagraph
	saved   []rtfParagraph // of outer
	meta    document.Meta
	date    [3]int
}

// read reads all of the data.
func (r *rtfReader) read(ctx context.Context) error {
	for n := 0; r.at < len(r.data); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch c := r.data[r.at]; c {
		case '{':
			r.at++
			r.flush()
			r.toSkip = 0
			if len(r.groups) >= maxGroups {
				r.deep++
				continue
			}
			r.groups = append(r.groups, r.group)
			r.group.flow, r.group.ending, r.fresh, r.starred = false, false, true, false
		case '}':
			r.at++
			r.flush()
			r.toSkip, r.fresh = 0, false
			r.leave()
		case '\\':
			r.control()
		case '\r', '\n', 0:
			r.at++
		default:
			r.at++
			r.fresh = r.fresh && c == ' ' // some programs indent what they write
			r.char(c)
		}
	}
	r.flush()
	return nil
}

// leave ends a group.
func (r *rtfReader) leave() {
	if r.deep > 0 {
		r.deep--
		return
	}
	if len(r.groups) == 0 {
		return
	}
	ended := r.group
	r.group = r.groups[len(r.groups)-1]
	r.groups = r.groups[:len(r.groups)-1]
	if ended.flow {
		r.leaveFlow(ended.ending)
	}
	if ended.target != r.group.target {
		r.said(ended.target)
	}
}

// control reads what begins with a backslash.
func (r *rtfReader) control() {
	r.at++
	if r.at >= len(r.data) {
		return
	}
	c := r.data[r.at]
	if c|0x20 < 'a' || c|0x20 > 'z' {
		r.at++
		r.symbol(c)
		return
	}
	from := r.at
	for r.at < len(r.data) && r.data[r.at]|0x20 >= 'a' && r.data[r.at]|0x20 <= 'z' {
		r.at++
	}
	word := string(r.data[from:min(r.at, from+32)])
	from = r.at
	if r.at < len(r.data) && r.data[r.at] == '-' {
		r.at++
	}
	for r.at < len(r.data) && r.data[r.at] >= '0' && r.data[r.at] <= '9' {
		r.at++
	}
	n, err := strconv.Atoi(string(r.data[from:min(r.at, from+12)]))
	if r.at < len(r.data) && r.data[r.at] == ' ' {
		r.at++
	}
	if word == "bin" { // n bytes of no text
		r.at = min(r.at+max(n, 0), len(r.data))
		return
	}
	if r.toSkip > 0 {
		r.toSkip--
		return
	}
	if word != "u" {
		r.flush()
	}
	r.word(word, n, err == nil)
	r.fresh, r.starred = false, false
}

// symbol takes a control symbol. A star within a group that says something already is a
// mistake of the program that wrote it.
func (r *rtfReader) symbol(c byte) {
	if c == '*' {
		r.starred = r.fresh
		return
	}
	r.fresh = false
	switch c {
	case '\'':
		r.hex()
	case '\\', '{', '}':
		r.char(c)
	case '~':
		r.between(" ")
	case '_':
		r.between("-")
	case '\r', '\n':
		r.flush()
		r.endParagraph()
	}
}

// hex takes a byte of text by its two digits.
func (r *rtfReader) hex() {
	if r.at+2 > len(r.data) {
		return
	}
	n, err := strconv.ParseUint(string(r.data[r.at:r.at+2]), 16, 8)
	r.at += 2
	if err == nil {
		r.char(byte(n))
	}
}

// between writes a character that has a symbol, after the text before it.
func (r *rtfReader) between(s string) {
	if r.toSkip > 0 {
		r.toSkip--
		return
	}
	r.flush()
	r.write(s)
}

// said takes the text of a destination that has ended.
func (r *rtfReader) said(target string) {
	text := strings.Join(strings.Fields(r.words.String()), " ")
	r.words.Reset()
	if len(text) > maxMeta {
		return
	}
	switch target {
	case "title":
		r.meta.Title = text
	case "author":
		if text != "" {
			r.meta.Authors = []string{text}
		}
	case "keywords", "subject":
		r.meta.Tags = append(r.meta.Tags, splitTags(text)...)
	case "creatim", "revtim": // the second is later in the file
		if y, m, d := r.date[0], r.date[1], r.date[2]; y > 0 && y < 10000 && m >= 1 && m <= 12 && d >= 1 && d <= 31 {
			r.meta.Date = time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
		}
		r.date = [3]int{}
	}
}
