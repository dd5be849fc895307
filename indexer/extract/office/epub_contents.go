package office

import (
	"cmp"
	"slices"
	"strings"

	"dowse/internal/pattern"
)

// maxMarks bounds the entries of a table of contents, and the parts that a book lists.
const maxMarks = 20_000

// bookmark is an entry of a table of contents: a chapter begins at an element of a part.
type bookmark struct {
	id    string // of the element, "" of the whole part
	label string
}

// contentsReader reads the table of contents of EPUB 3 (a list of links) or 2 (a tree
// of points).
type contentsReader struct {
	from   string
	marks  map[string][]bookmark
	count  int
	label  strings.Builder
	href   string
	inLink bool // in a link, or in the label of a point
}

func (c *contentsReader) start(e element) (skip bool) {
	switch e.name {
	case "nav":
		kind := e.attribute("type")
		return kind != "" && kind != "toc"
	case "pageList", "navList":
		return true
	case "a":
		c.href, c.inLink = e.attribute("href"), true
		c.label.Reset()
	case "navLabel":
		c.inLink = true
		c.label.Reset()
	case "content":
		c.mark(e.attribute("src"))
	}
	return false
}

func (c *contentsReader) text(s string) {
	if c.inLink && c.label.Len() < maxMeta {
		c.label.WriteString(s)
	}
}

func (c *contentsReader) end(name string) {
	switch name {
	case "a":
		c.mark(c.href)
		c.inLink = false
	case "navLabel":
		c.inLink = false
	}
}

// mark takes an entry that is complete.
func (c *contentsReader) mark(href string) {
	label := strings.Join(strings.Fields(c.label.String()), " ")
	if label == "" || href == "" || strings.Contains(href, "://") || c.count >= maxMarks {
		return
	}
	c.count++
	_, id, _ := strings.Cut(href, "#")
	part := resolve(c.from, href)
	c.marks[part] = append(c.marks[part], bookmark{id, label})
}

// body returns what stands in the body of a page, as its title is not text of the book. Elements
// without content that HTML does not know as such would hide what follows them.
func body(source string) string {
	if at := strings.Index(source, "<body"); at >= 0 {
		source = source[at:]
	}
	return emptyRaw.ReplaceAllString(source, "")
}

var (
	emptyRaw = pattern.New(`<(?:script|style|title|iframe|textarea|noscript|xmp|noembed|noframes)\b[^<>]*/>`)
	anchors  = pattern.New(`\b(?:id|name)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')`)
)

// piece is a stretch of a part, under the last entry of the contents before it.
type piece struct {
	source, label string
	begins        bool // it begins with the entry
	at            int
}

// cut takes a part apart at the elements that bookmarks name.
func cut(source string, marks []bookmark) []piece {
	pieces := []piece{{source: source}}
	wanted := map[string]string{}
	for _, m := range marks {
		if m.id == "" && pieces[0].label == "" {
			pieces[0].label, pieces[0].begins = m.label, true
		} else if _, twice := wanted[m.id]; m.id != "" && !twice {
			wanted[m.id] = m.label
		}
	}
	if len(wanted) == 0 {
		return pieces
	}
	for next := 0; len(wanted) > 0; {
		found := anchors.FindStringSubmatchIndex(source[next:])
		if found == nil {
			break
		}
		offset, from, to := next+found[0], next+found[2], next+found[3]
		if found[2] < 0 {
			from, to = next+found[4], next+found[5]
		}
		next += found[1]
		label, ok := wanted[source[from:to]]
		if !ok {
			continue
		}
		delete(wanted, source[from:to])
		if at := tagStart(source, offset); at >= 0 {
			pieces = append(pieces, piece{label: label, begins: true, at: at})
		}
	}
	slices.SortStableFunc(pieces[1:], func(a, b piece) int { return cmp.Compare(a.at, b.at) })
	for i := range pieces {
		end := len(source)
		if i+1 < len(pieces) {
			end = pieces[i+1].at
		}
		pieces[i].source = source[min(pieces[i].at, end):end]
	}
	return pieces
}

// tagStart returns where the tag begins that an attribute at offset is of, or one around it
// that begins with it (the heading of an anchor); -1 where there is none near.
func tagStart(source string, offset int) int {
	const near = 4 << 10
	from := max(offset-near, 0)
	at := strings.LastIndexByte(source[from:offset], '<')
	if at < 0 {
		return -1
	}
	at += from
	for range 6 {
		before := strings.TrimRight(source[from:at], " \t\r\n")
		open := strings.LastIndexByte(before, '<')
		if open < 0 || !strings.HasSuffix(before, ">") || strings.HasPrefix(before[open:], "</") || strings.HasSuffix(before, "/>") {
			break
		}
		at = from + open
	}
	return at
}
