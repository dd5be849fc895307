package office

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dowse/indexer/extract/codepage"
)

// rtfTargets are destinations that are not text of the document but have some of their
// own that is of use.
var rtfTargets = map[string]bool{
	"fonttbl": true, "stylesheet": true, "info": true, "title": true, "author": true, "keywords": true, "subject": true, "creatim": true,
	"revtim": true,
}

// rtfHidden are destinations without a star that are not shown.
var rtfHidden = map[string]bool{
	"colortbl": true, "pict": true, "fldinst": true, "listtext": true, "pntext": true, "nonesttables": true, "operator": true,
	"company": true, "category": true, "manager": true, "comment": true, "doccomm": true, "hlinkbase": true, "printim": true, "buptim": true,
	"filetbl": true, "listtable": true, "listoverridetable": true, "revtbl": true, "xe": true, "tc": true, "tcn": true, "rxe": true,
	"txe": true, "ftnsep": true, "ftnsepc": true, "aftnsep": true, "aftnsepc": true, "ftncn": true, "aftncn": true, "objdata": true,
	"objclass": true, "objname": true, "template": true, "mmathPr": true, "themedata": true, "datafield": true, "bkmkstart": true,
	"bkmkend": true, "sp": true, "background": true, "shprslt": true, "formfield": true,
}

// rtfChars are characters that have a word.
var rtfChars = map[string]string{
	"tab": "\t", "line": "\n", "lbr": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
	"rdblquote": "”", "bullet": "•", "enspace": " ", "emspace": " ", "qmspace": " ", "nestcell": "\t", "nestrow": "\n",
}

// rtfParagraph is what is known of the paragraph.
type rtfParagraph struct {
	kind    blockKind
	level   int
	inTable bool
	open    bool
	newRow  bool // the next text begins a row
	newCell bool
	names   bool // the row names the columns
}

// word takes a control word; n is its number, if it has one.
func (r *rtfReader) word(word string, n int, numbered bool) {
	switch {
	case rtfChars[word] != "":
		r.write(rtfChars[word])
		return
	case rtfTargets[word]:
		if r.group.target != word {
			r.words.Reset()
		}
		r.group.target = word
		return
	case rtfHidden[word]:
		if r.group.hidden = true; word == "listtext" || word == "pntext" {
			r.listItem()
		}
		return
	}
	switch word {
	case "u":
		r.unicode(n)
	case "uc":
		r.group.skipped = min(max(n, 0), 100)
	case "par", "sect", "page", "column":
		r.endParagraph()
	case "footnote", "annotation", "shptxt":
		r.enterFlow(false)
	case "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf":
		r.enterFlow(true)
	case "shpinst": // of which a part is shown
	case "deleted":
		r.group.deleted = !numbered || n != 0
	case "ansicpg":
		r.codepage(n)
	case "mac":
		r.codepage(10000)
	case "pc":
		r.codepage(437)
	case "pca":
		r.codepage(850)
	case "f", "deff":
		r.group.font = n
	case "fcharset":
		if r.group.target == "fonttbl" && len(r.fonts) < 10_000 {
			r.fonts[r.group.font] = codepage.OfFont(n)
		}
	case "yr":
		r.date[0] = n
	case "mo":
		r.date[1] = n
	case "dy":
		r.date[2] = n
	default:
		r.format(word, n)
	}
}

// format takes what describes the paragraph or its text. In what is not text of the document,
// such as the number of an item, it describes that alone.
func (r *rtfReader) format(word string, n int) {
	if word == "s" {
		r.style = n
	}
	if r.starred {
		r.group.hidden = true // of no use to those who do not know it
	}
	if r.group.hidden || r.group.target != "" {
		return
	}
	switch word {
	case "pard":
		r.para.kind, r.para.level, r.para.inTable = paragraph, 0, false
	case "plain":
		r.group.deleted = false
	case "intbl":
		r.para.inTable = true
	case "cell":
		r.endCell()
	case "trowd":
		r.para.names = false
	case "trhdr":
		r.para.names = true
	case "row":
		r.para.newRow = true
		if r.para.names {
			r.flow.headerRow()
		}
	case "outlinelevel":
		if n >= 0 && n < 9 {
			r.para.kind, r.para.level = heading, n+1
		}
	case "s":
		if level := r.styles[n]; level > 0 {
			r.para.kind, r.para.level = heading, level
		}
	case "ls":
		if n > 0 && r.para.kind == paragraph {
			r.para.kind = item
		}
	case "ilvl":
		if r.para.kind != heading {
			r.para.level = min(max(n, 0), 8)
		}
	}
}

// listItem says that the paragraph is an item.
func (r *rtfReader) listItem() {
	if r.para.kind == paragraph {
		r.para.kind = item
	}
}

// codepage takes the charset of the document.
func (r *rtfReader) codepage(n int) {
	if charset := codepage.Encoding(n); charset != nil {
		r.charset = charset
	}
}

// char takes a byte of text.
func (r *rtfReader) char(c byte) {
	if r.toSkip > 0 {
		r.toSkip--
		return
	}
	if len(r.bytes) == 0 && r.high != 0 {
		r.high = 0
	}
	r.bytes = append(r.bytes, c)
}

// unicode takes a character by its number, of 16 bits with a sign.
func (r *rtfReader) unicode(n int) {
	r.flush()
	r.toSkip = r.group.skipped
	c := rune(uint16(n))
	switch {
	case n > 0xffff && n <= utf8.MaxRune:
		c = rune(n)
	case utf16.IsSurrogate(c) && r.high == 0:
		r.high = c
		return
	case r.high != 0:
		c = utf16.DecodeRune(r.high, c)
	}
	r.high = 0
	r.write(string(c))
}

// flush writes the bytes of text that are held.
func (r *rtfReader) flush() {
	if len(r.bytes) == 0 {
		return
	}
	held := r.bytes
	r.bytes = r.bytes[:0]
	for _, c := range held {
		if c < 0x80 {
			continue
		}
		charset := r.charset
		if known := r.fonts[r.group.font]; known != nil {
			charset = known
		}
		if text, err := charset.NewDecoder().Bytes(held); err == nil {
			r.write(string(text))
			return
		}
		break
	}
	r.write(strings.ToValidUTF8(string(held), "\ufffd"))
}

// write adds text to where the group says.
func (r *rtfReader) write(s string) {
	switch {
	case r.group.hidden || r.group.deleted:
	case r.group.target == "stylesheet":
		if name, _, ends := strings.Cut(s, ";"); ends && len(r.styles) < 10_000 {
			r.words.WriteString(name)
			r.styles[r.style] = headingLevel(strings.ToLower(strings.TrimSpace(r.words.String())))
			r.words.Reset()
		} else if r.words.Len() < maxMeta {
			r.words.WriteString(s)
		}
	case r.group.target == "fonttbl" || r.group.target == "info":
	case r.group.target != "":
		if r.words.Len() <= maxMeta {
			r.words.WriteString(s)
		}
	default:
		r.show(s)
	}
}
