package markup

import (
	"context"
	"slices"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

var (
	orgHeading  = pattern.New(`^(\*+)\s+(?:(TODO|DONE|NEXT|WAITING|CANCELLED|CANCELED|HOLD|STARTED)\s+)?(?:\[#[A-Z0-9]\]\s+)?(.*?)\s*$`)
	orgTags     = pattern.New(`\s+:([\pL\pN_@#%:]+):$`)
	orgKeyword  = pattern.New(`^\s*#\+([A-Za-z_]+):\s*(.*?)\s*$`)
	orgBegin    = pattern.New(`(?i)^\s*#\+begin_(\w+)(?:\s+(\S+))?`)
	orgDrawer   = pattern.New(`^\s*:[\w-]+:\s*$`)
	orgAlias    = pattern.New(`(?i)^:(?:ROAM_ALIASES|ROAM_REFS|ALIAS|DESCRIPTION):\s+(.*)$`) // what of a drawer people wrote
	orgLink     = pattern.New(`\[\[([^\[\]]+)\](?:\[([^\[\]]+)\])?\]`)
	orgItem     = pattern.New(`^(\s*)(?:[-+]|\d+[.)])\s+(?:\[[ xX-]\]\s+)?(.*)$`)
	orgDate     = pattern.New(`\d{4}-\d{2}-\d{2}`)
	orgFootnote = pattern.New(`\[fn:[^\[\]:]*\]`)
)

// org reads a file of Emacs Org line by line.
type org struct {
	w         *writer
	meta      document.Meta
	entries   []orgEntry
	lines     []string // those to come
	block     string   // kind of the open block, in lower case
	language  string
	inside    []string // its lines
	blockLine int
	drawer    bool
	para      []string
	paraLine  int
	names     []string   // of the columns of the open table
	table     [][]string // its rows before a rule
	ruled     bool
	tableLine int
}

// readOrg reads headings, lists, tables and code. Drawers, comments and settings are left out.
func readOrg(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	o := org{w: newWriter(in)}
	o.lines = strings.Split(text, "\n")
	for number := 1; len(o.lines) > 0; number++ {
		line := strings.TrimRight(o.lines[0], "\r")
		o.lines = o.lines[1:]
		o.line(line, number)
	}
	o.endBlock()
	o.flush()
	entries := o.own()
	d := o.w.document("org", o.meta)
	d.Entries = entries
	return d, nil
}

// line reads one.
func (o *org) line(line string, number int) {
	trimmed := strings.TrimSpace(line)
	switch {
	case o.block != "":
		if strings.EqualFold(trimmed, "#+end_"+o.block) {
			o.endBlock()
		} else {
			o.inside = append(o.inside, line)
		}
	case o.drawer && !strings.HasPrefix(line, "*"):
		o.drawer = !strings.EqualFold(trimmed, ":end:")
		if m := orgAlias.FindStringSubmatch(trimmed); m != nil {
			o.w.from(number)
			o.w.Paragraph(m[1])
		}
	case strings.HasPrefix(trimmed, "|"):
		o.row(trimmed, number)
	case trimmed == "":
		o.flush()
	case strings.HasPrefix(trimmed, "#"):
		o.setting(line, number)
	case orgDrawer.MatchString(line):
		o.flush()
		o.drawer = true
	default:
		o.text(line, trimmed, number)
	}
}

// text reads a line of text: a heading, an item or part of a paragraph.
func (o *org) text(line, trimmed string, number int) {
	o.drawer = false
	if m := orgHeading.FindStringSubmatch(line); m != nil {
		o.flush()
		title, tags := m[3], []string(nil)
		if t := orgTags.FindStringSubmatch(" " + title); t != nil {
			title = strings.TrimSuffix(" "+title, t[0])
			tags = strings.FieldsFunc(t[1], func(r rune) bool { return r == ':' })
		}
		o.entry(len(m[1]), title, tags, o.lines)
		o.w.from(number)
		o.w.Heading(len(m[1]), strings.TrimSpace(m[2]+" "+orgText(title)))
		return
	}
	if m := orgItem.FindStringSubmatch(line); m != nil {
		o.flush()
		o.w.from(number)
		o.w.Item(len(m[1])/2, orgText(m[2]))
		return
	}
	if len(o.table) > 0 {
		o.flush()
	}
	if len(o.para) == 0 {
		o.paraLine = number
	}
	o.para = append(o.para, orgText(trimmed))
}

func (o *org) tag(tag string) {
	if tag = strings.TrimSpace(tag); tag != "" && !slices.Contains(o.meta.Tags, tag) && len(o.meta.Tags) < maxTags {
		o.meta.Tags = append(o.meta.Tags, tag)
	}
}

// maxTags bounds the tags of a file as a whole.
const maxTags = 200

// setting reads a line that begins with "#".
func (o *org) setting(line string, number int) {
	if m := orgBegin.FindStringSubmatch(line); m != nil {
		o.flush()
		o.block, o.language, o.blockLine = strings.ToLower(m[1]), "", number
		if o.block == "src" {
			o.language = m[2]
		}
		return
	}
	m := orgKeyword.FindStringSubmatch(line)
	if m == nil {
		if trimmed := strings.TrimSpace(line); trimmed != "#" && !strings.HasPrefix(trimmed, "# ") && !strings.HasPrefix(trimmed, "#+") {
			o.text(line, trimmed, number) // "#tag" is no comment
		}
		return
	}
	switch strings.ToLower(m[1]) {
	case "title":
		o.meta.Title = strings.TrimSpace(o.meta.Title + " " + m[2])
		o.flush()
		o.w.from(number)
		o.w.Heading(1, m[2])
	case "author":
		o.meta.Authors = append(o.meta.Authors, m[2])
	case "date":
		o.meta.Date, _ = time.Parse(time.DateOnly, orgDate.FindString(m[2])) // zero if it says none
	case "filetags":
		for _, tag := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ':' || r == ' ' }) {
			o.tag(tag)
		}
	case "caption", "subtitle", "description":
		o.flush()
		o.w.from(number)
		o.w.Paragraph(orgText(m[2]))
	}
}

// row reads a row of a table. What stands above the first rule names the columns.
func (o *org) row(line string, number int) {
	if len(o.para) > 0 {
		o.flush()
	}
	if strings.HasPrefix(line, "|-") {
		if len(o.table) == 1 && !o.ruled {
			o.names = o.table[0]
			o.table = nil
			o.tableLine = number + 1
		}
		o.ruled = true
		return
	}
	if len(o.table) == 0 && o.names == nil {
		o.tableLine = number
	}
	var cells []string
	for c := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
		cells = append(cells, orgText(strings.TrimSpace(c)))
	}
	o.table = append(o.table, cells)
}

// flush writes the paragraph or the table that is open.
func (o *org) flush() {
	if len(o.para) > 0 {
		o.w.from(o.paraLine)
		o.w.Paragraph(strings.Join(o.para, "\n"))
	}
	if len(o.table) == 0 && o.names != nil { // nothing but a header
		o.table, o.names = [][]string{o.names}, nil
	}
	for i, cells := range o.table {
		o.w.from(o.tableLine + i)
		o.w.Row(o.names, cells)
	}
	o.para, o.table, o.names, o.ruled = nil, nil, nil, false
}

// endBlock writes the block that is open.
func (o *org) endBlock() {
	if o.block == "" {
		return
	}
	text := strings.Join(o.inside, "\n")
	o.w.from(o.blockLine + 1)
	switch o.block {
	case "comment", "export":
	case "quote", "verse", "center", "note", "abstract":
		for p := range strings.SplitSeq(text, "\n\n") {
			o.w.Paragraph(orgText(p))
		}
	default:
		o.w.Code(o.language, text)
	}
	o.block, o.inside = "", nil
}

// orgText returns a text with the words of its links. One to an id alone has none.
func orgText(text string) string {
	text = orgLink.ReplaceAllStringFunc(text, func(link string) string {
		m := orgLink.FindStringSubmatch(link)
		switch {
		case m[2] != "":
			return m[2]
		case strings.HasPrefix(m[1], "id:"):
			return ""
		}
		return strings.TrimPrefix(m[1], "roam:")
	})
	return orgFootnote.ReplaceAllString(text, "")
}
