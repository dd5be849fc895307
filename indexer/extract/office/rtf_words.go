package office

import (
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/encoding/htmlindex"
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

// rtfCharsets are those of fonts, by number.
var rtfCharsets = map[int]string{
	77: "macintosh", 128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254",
	163: "windows-1258", 177: "windows-1255", 178: "windows-1256", 186: "windows-1257", 204: "windows-1251", 222: "windows-874",
	238: "windows-1250",
}

// rtfCodepages are those that a document may be written in, where they are not called
// windows-N.
var rtfCodepages = map[int]string{
	437: "windows-1252", 850: "windows-1252", 866: "ibm866", 874: "windows-874", 932: "shift_jis", 936: "gbk", 949: "euc-kr",
	950: "big5", 10000: "macintosh", 65001: "utf-8",
}

// rtfParagraph is what is known of the paragraph.
type rtfParagraph struct {
	kind    blockKind
	level   int
	inTable bool
	open    bool
	newRow  bool // the next text begins a row
	newCell bool
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
		r.charset = "macintosh"
	case "f", "deff":
		r.group.font = n
	case "fcharset":
		if r.group.target == "fonttbl" && len(r.fonts) < 10_000 {
			r.fonts[r.group.font] = rtfCharsets[n]
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

// format takes what describes the paragraph or its text.
func (r *rtfReader) format(word string, n int) {
	switch word {
	case "pard":
		r.para.kind, r.para.level, r.para.inTable = paragraph, 0, false
	case "plain":
		r.group.deleted = false
	case "intbl":
		r.para.inTable = true
	case "cell":
		r.endCell()
	case "row":
		r.para.newRow = true
	case "outlinelevel":
		if n >= 0 && n < 9 && r.group.target == "" {
			r.para.kind, r.para.level = heading, n+1
		}
	case "s":
		r.style = n
		if level := r.styles[n]; level > 0 && r.group.target == "" {
			r.para.kind, r.para.level = heading, level
		}
	case "ls":
		if n > 0 && r.para.kind == paragraph && r.group.target == "" {
			r.para.kind = item
		}
	case "ilvl":
		if r.para.kind != heading && r.group.target == "" {
			r.para.level = min(max(n, 0), 8)
		}
	default:
		if r.starred {
			r.group.hidden = true // of no use to those who do not know it
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
	if name, ok := rtfCodepages[n]; ok {
		r.charset = name
	} else if n >= 1250 && n <= 1258 {
		r.charset = "windows-" + string(rune('0'+n/1000)) + string(rune('0'+n/100%10)) + string(rune('0'+n/10%10)) + string(rune('0'+n%10))
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
	case n > 0xffff && n <= unicode.MaxRune:
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
		if known := r.fonts[r.group.font]; known != "" {
			charset = known
		}
		if encoding, err := htmlindex.Get(charset); err == nil {
			if text, err := encoding.NewDecoder().Bytes(held); err == nil {
				r.write(string(text))
				return
			}
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
