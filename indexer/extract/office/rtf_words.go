package office

import (
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/codepage"
	"dowse/indexer/extract/rtf"
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
		if r.groups.Now.target != word {
			r.words.Reset()
		}
		r.groups.Now.target = word
		return
	case rtfHidden[word]:
		if r.groups.Now.hidden = true; word == "listtext" || word == "pntext" {
			r.listItem()
		}
		return
	}
	switch word {
	case "u":
		if text := r.Unicode(n, r.groups.Now.skipped); text != "" {
			r.write(codepage.Symbols(r.symbolic[r.groups.Now.font], text))
		}
	case "uc":
		r.groups.Now.skipped = rtf.Skip(n)
	case "par", "sect", "page", "column":
		r.endParagraph()
	case "footnote", "annotation", "shptxt":
		r.enterFlow(false)
	case "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf":
		r.enterFlow(true)
	case "shpinst": // of which a part is shown
	case "deleted":
		r.groups.Now.deleted = !numbered || n != 0
	case "ansicpg":
		r.charsets.Document(n)
	case "mac":
		r.charsets.Document(10000)
	case "pc":
		r.charsets.Document(437)
	case "pca":
		r.charsets.Document(850)
	case "f", "deff":
		r.groups.Now.font = n
	case "fcharset":
		if r.groups.Now.target == "fonttbl" {
			r.charsets.Font(r.groups.Now.font, n)
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
		r.groups.Now.hidden = true // of no use to those who do not know it
	}
	if r.groups.Now.hidden || r.groups.Now.target != "" {
		return
	}
	switch word {
	case "pard":
		r.para.kind, r.para.level, r.para.inTable = paragraph, 0, false
	case "plain":
		r.groups.Now.deleted, r.groups.Now.shift = false, document.OnLine
	case "super", "up":
		r.groups.Now.shift = document.Raised
	case "sub", "dn":
		r.groups.Now.shift = document.Lowered
	case "nosupersub":
		r.groups.Now.shift = document.OnLine
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

// write adds text to where the group says.
func (r *rtfReader) write(s string) {
	switch {
	case r.groups.Now.hidden || r.groups.Now.deleted:
	case r.groups.Now.target == "stylesheet":
		if name, _, ends := strings.Cut(s, ";"); ends {
			r.words.WriteString(name)
			r.styles[r.style] = headingLevel(strings.ToLower(strings.TrimSpace(r.words.String())))
			r.words.Reset()
		} else if r.words.Len() < maxMeta {
			r.words.WriteString(s)
		}
	case r.groups.Now.target == "fonttbl":
		if codepage.IsSymbolic(s) {
			r.symbolic[r.groups.Now.font] = s
		}
	case r.groups.Now.target == "info":
	case r.groups.Now.target != "":
		if r.words.Len() <= maxMeta {
			r.words.WriteString(s)
		}
	default:
		r.show(s)
	}
}
