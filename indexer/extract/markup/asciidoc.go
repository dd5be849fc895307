package markup

import (
	"context"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

var (
	adocHeading   = pattern.New(`^(={1,6})\s+(\S.*?)(?:\s+=+)?\s*$`)
	adocAttribute = pattern.New(`^:!?([\w-]+)!?:\s*(.*?)\s*$`)
	adocItem      = pattern.New(`^\s*(\*{1,5}|-|\.{1,5}|\d+\.)\s+(?:\[[ x*]\]\s+)?(\S.*)$`)
	adocSource    = pattern.New(`^\[(?:source|,)\s*,?\s*(\w*)`)
	adocNote      = pattern.New(`footnote(?:ref)?:[\w-]*\[(?:[\w-]+,)?([^\[\]]*)\]`)
	adocMacro     = pattern.New(`(link:|mailto:|xref:|image::?|kbd:|btn:|menu:)?([^\s\[\]<>"]*)\[([^\[\]]*)\]`)
	adocCross     = pattern.New(`<<[^<>,]*(?:,\s*([^<>]*))?>>`)
	adocMark      = pattern.New("(^|[\\s(])([*_`#+]{1,2})(\\S(?:[^*_`#+]*\\S)?)([*_`#+]{1,2})([\\s.,;:!?)]|$)")
	adocCell      = pattern.New(`^[\d.+*<>^]*[aehlmsd]?$`) // how the cell behind it is shown
	adocDate      = pattern.New(`\d{4}-\d{2}-\d{2}`)
)

// asciidoc reads a file of AsciiDoc line by line.
type asciidoc struct {
	w        *writer
	meta     document.Meta
	header   bool   // the lines behind the title: authors, attributes
	fence    string // that ends the open block; "" outside of one
	language string
	block    []string // lines of the open block, a comment's too
	blockAt  int
	para     []string
	paraAt   int
	names    []string // of the columns of the open table
	cells    []string // of its row
	cellsAt  int
	full     bool // the row has all of its cells; the last may go on
}

// readASCIIDoc reads headings, lists, tables and code. Comments and attributes are left out, and no file is followed
// (include::).
func readASCIIDoc(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	a := asciidoc{w: newWriter(in)}
	number := 0
	for line := range strings.Lines(text) {
		number++
		a.line(strings.TrimRight(line, " \t\r\n"), number)
	}
	a.endBlock()
	a.endRow()
	a.flush()
	return a.w.document("asciidoc", a.meta), nil
}

// line reads one.
func (a *asciidoc) line(line string, number int) {
	switch {
	case a.fence == "|===":
		a.row(line, number)
	case a.fence != "" && line == a.fence:
		a.endBlock()
	case a.fence != "":
		a.block = append(a.block, line)
	case isFence(line):
		a.flush()
		a.fence, a.blockAt = line, number+1
	case line == "" || line == "+":
		a.flush()
		a.header = false
	case strings.HasPrefix(line, "//"), strings.HasPrefix(line, "include::"):
	case line[0] == '[' && line[len(line)-1] == ']':
		a.flush()
		if m := adocSource.FindStringSubmatch(line); m != nil {
			a.language = m[1]
		}
	case a.attribute(line):
	default:
		a.text(line, number)
	}
}

// isFence reports whether a line begins a block that ends with the same line: code, comment, table.
func isFence(line string) bool {
	return line == "|===" || len(line) >= 4 && (strings.Trim(line, "-") == "" || strings.Trim(line, ".") == "" ||
		strings.Trim(line, "/") == "" || strings.Trim(line, "+") == "") || line == "```"
}

// attribute reads an attribute or, behind the title, the author and date.
func (a *asciidoc) attribute(line string) bool {
	m := adocAttribute.FindStringSubmatch(line)
	if m == nil {
		if !a.header {
			return false
		}
		if date := adocDate.FindString(line); date != "" {
			a.meta.Date, _ = time.Parse(time.DateOnly, date) // zero if it is none
		} else if len(a.meta.Authors) == 0 {
			a.meta.Authors = strings.Split(line, "; ")
		}
		return true
	}
	switch strings.ToLower(m[1]) {
	case "author":
		a.meta.Authors = []string{m[2]}
	case "keywords", "tags", "page-tags":
		for tag := range strings.SplitSeq(m[2], ",") {
			if tag = strings.TrimSpace(tag); tag != "" && len(a.meta.Tags) < maxTags {
				a.meta.Tags = append(a.meta.Tags, tag)
			}
		}
	case "revdate", "date":
		a.meta.Date, _ = time.Parse(time.DateOnly, adocDate.FindString(m[2]))
	}
	return true
}

// text reads a heading, an item or a line of a paragraph.
func (a *asciidoc) text(line string, number int) {
	if m := adocHeading.FindStringSubmatch(line); m != nil && len(a.para) == 0 {
		a.w.from(number)
		a.w.Heading(len(m[1]), adocText(m[2]))
		if len(m[1]) == 1 && a.meta.Title == "" {
			a.meta.Title, a.header = adocText(m[2]), true
		}
		return
	}
	if m := adocItem.FindStringSubmatch(line); m != nil {
		a.flush()
		depth := 0
		if m[1][0] == '*' || m[1][0] == '.' {
			depth = len(m[1]) - 1
		}
		a.w.from(number)
		a.w.Item(depth, adocText(m[2]))
		return
	}
	if len(a.para) == 0 {
		a.paraAt = number
		if line[0] == '.' && len(line) > 1 && line[1] != '.' && line[1] != ' ' { // the title of a block
			line = line[1:]
		}
	}
	a.para = append(a.para, adocText(strings.TrimSuffix(line, " +")))
}

// row reads a line of a table: cells that begin with a bar. A blank line behind the first row says that it names the
// columns; a row is as long as the first.
func (a *asciidoc) row(line string, number int) {
	switch {
	case line == "|===":
		a.endRow()
		a.w.EndRows()
		a.fence, a.names = "", nil
		return
	case line == "" && a.names == nil && len(a.cells) > 0 && !a.full:
		a.names, a.cells = a.cells, nil
		return
	}
	for i, cell := range strings.Split(line, "|") {
		cell = strings.TrimSpace(cell)
		switch {
		case i == 0 && len(a.cells) > 0 && cell != "" && (!adocCell.MatchString(cell) || !strings.Contains(line, "|")):
			a.cells[len(a.cells)-1] += " " + adocText(cell)
		case i == 1 && a.full:
			a.endRow()
			fallthrough
		case i > 0:
			if len(a.cells) == 0 {
				a.cellsAt = number
			}
			a.cells = append(a.cells, adocText(cell))
		}
	}
	if bars := strings.Count(line, "|"); bars > 0 {
		a.full = a.names != nil && len(a.cells) >= len(a.names) || a.names == nil && bars > 1 && a.cellsAt > a.blockAt
	}
}

// endRow writes the row that is open.
func (a *asciidoc) endRow() {
	if len(a.cells) > 0 {
		a.w.from(a.cellsAt)
		a.w.Row(a.names, a.cells)
	}
	a.cells, a.full = nil, false
}

// endBlock writes the block that is open, unless it is a comment.
func (a *asciidoc) endBlock() {
	if a.fence != "" && a.fence != "|===" && a.fence[0] != '/' {
		a.w.from(a.blockAt)
		a.w.Code(a.language, strings.Join(a.block, "\n"))
	}
	a.fence, a.language, a.block = "", "", nil
}

// flush writes the paragraph that is open.
func (a *asciidoc) flush() {
	if len(a.para) > 0 {
		a.w.from(a.paraAt)
		a.w.Paragraph(strings.Join(a.para, "\n"))
	}
	a.para = nil
}

// adocText takes the marks of AsciiDoc off a text: of a link its words and address stay, of one to another page of
// the same book its words.
func adocText(s string) string {
	s = adocCross.ReplaceAllString(s, "$1")
	s = adocNote.ReplaceAllString(s, " $1")
	s = adocMacro.ReplaceAllStringFunc(s, func(found string) string {
		m := adocMacro.FindStringSubmatch(found)
		macro, target, words := m[1], m[2], strings.TrimSuffix(m[3], "^")
		switch {
		case macro == "xref:" && words != "":
			return words
		case macro == "" && !strings.Contains(target, "://"): // no link
			return found
		}
		return strings.TrimSpace(words + " " + target)
	})
	for range 2 { // a mark may stand within another one
		s = adocMark.ReplaceAllString(s, "$1$3$5")
	}
	return s
}
