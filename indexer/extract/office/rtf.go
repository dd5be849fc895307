package office

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/codepage"
	"dowse/indexer/extract/rtf"
)

// readRTF reads a document of Rich Text Format.
func readRTF(ctx context.Context, in *document.Input) (*document.Document, error) {
	if !bytes.HasPrefix(in.Data, []byte("{\\rtf")) {
		return nil, errors.New("it does not begin as RTF")
	}
	r := rtfReader{Scanner: rtf.NewScanner(in.Data), styles: map[int]int{}, symbolic: map[int]string{}}
	r.groups.Now.skipped = 1
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

// maxFlows is how deep notes stand within notes; what is deeper is read as if it stood there.
const maxFlows = 8

// rtfGroup is what ends with a group.
type rtfGroup struct {
	target  string // a destination that has text of its own: "fonttbl", "title", ...; "" is the document
	hidden  bool   // its text is not shown
	deleted bool
	flow    bool // it has a flow of its own
	ending  bool // that is a header or footer
	skipped int  // characters that stand for a \u
	font    int
	shift   document.Shift
}

// rtfReader reads control words and text.
type rtfReader struct {
	*rtf.Scanner
	groups   rtf.Groups[rtfGroup]
	charsets rtf.Charsets
	fresh    bool            // nothing was seen of the group yet
	starred  bool            // its first word is one that those who do not know it pass over
	styles   map[int]int     // levels of headings
	symbolic map[int]string  // fonts whose letters are symbols
	style    int             // that is described
	words    strings.Builder // of a target
	flow     flow
	outer    []flow
	ends     []block // headers and footers
	para     rtfParagraph
	saved    []rtfParagraph // of outer
	meta     document.Meta
	date     [3]int
}

// read reads all of the data.
func (r *rtfReader) read(ctx context.Context) error {
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		token, ok := r.Next()
		if !ok {
			return nil
		}
		switch token.Kind {
		case rtf.Text:
			r.fresh = r.fresh && len(bytes.Trim(token.Text, " ")) == 0 // some programs indent what they write
			r.write(r.decode(token.Text))
		case rtf.Open:
			if r.groups.Open() {
				r.groups.Now.flow, r.groups.Now.ending, r.fresh, r.starred = false, false, true, false
			}
		case rtf.Close:
			r.fresh = false
			r.leave()
		case rtf.Symbol:
			r.symbol(token.Symbol)
		case rtf.Word:
			r.word(token.Word, token.Number, token.Numbered)
			r.fresh, r.starred = false, false
		}
	}
}

// decode returns text as the font of the group shows it.
func (r *rtfReader) decode(text []byte) string {
	font := r.symbolic[r.groups.Now.font]
	if font == "" || r.groups.Now.target != "" {
		return r.charsets.Decode(text, r.groups.Now.font)
	}
	var out strings.Builder
	for _, letter := range text {
		out.WriteString(codepage.Symbol(font, rune(letter)))
	}
	return out.String()
}

// leave ends a group.
func (r *rtfReader) leave() {
	ended, ok := r.groups.Close()
	if !ok {
		return
	}
	if ended.flow {
		r.leaveFlow(ended.ending)
	}
	if ended.target != r.groups.Now.target {
		r.endTarget(ended.target)
	}
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
	case '~':
		r.write(" ")
	case '_':
		r.write("-")
	case '\r', '\n':
		r.endParagraph()
	}
}

// endTarget takes the text of a destination.
func (r *rtfReader) endTarget(target string) {
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
