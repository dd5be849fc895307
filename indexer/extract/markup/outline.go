package markup

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
)

// isOutline reports whether a file is an outline in OPML, bookmarks in XBEL, or a mind map of FreeMind's and Freeplane's.
func isOutline(name string, head []byte) bool {
	switch document.Extension(name) {
	case "opml", "xbel", "xml":
		root := rootOf(head)
		return root == "opml" || root == "xbel"
	case "mm": // code, too
		return rootOf(head) == "map"
	}
	return false
}

// readOutline reads items below each other, with their addresses.
func readOutline(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	o := &outline{w: newWriter(in)}
	if err := o.w.readElements(ctx, text, o, func(line int) { o.line = line }); err != nil {
		return nil, err
	}
	return o.w.document("outline", o.meta), nil
}

// outlineItem is an item that is open.
type outlineItem struct {
	element, title, text, link string
	meta                       document.Meta
	line                       int
	written                    bool
}

// outline is the state between two elements.
type outline struct {
	w     *writer
	line  int
	meta  document.Meta // of the file
	open  []outlineItem
	field string
	chars strings.Builder
	// ofNode says that what is read is the text of a node, and not a note at it.
	ofNode bool
}

// add writes behind what was said of the innermost item.
func (o *outline) add(text string) {
	if n := len(o.open) - 1; n >= 0 {
		o.open[n].text = strings.TrimSpace(o.open[n].text + " " + text)
	}
}

func (o *outline) start(name string, attribute func(name string) string) {
	switch name {
	case "outline", "folder", "bookmark", "node":
		o.write()
		item := outlineItem{element: name, title: cmp.Or(attribute("text"), attribute("title")), text: cmp.Or(attribute("_note"), attribute("description")), line: o.line,
			link: cmp.Or(attribute("htmlUrl"), attribute("url"), attribute("href"), attribute("xmlUrl"), attribute("link"))}
		for tag := range strings.FieldsFuncSeq(cmp.Or(attribute("tags"), attribute("category")), func(c rune) bool { return c == ',' || c == '\n' || c == ' ' && attribute("category") == "" }) {
			item.meta.Tags = append(item.meta.Tags, strings.Trim(tag, "/ "))
		}
		item.meta.Title, item.meta.Date = item.title, outlineDate(cmp.Or(attribute("created"), attribute("added")))
		if name == "node" && len(o.open) == 0 {
			o.meta.Title = item.title
		}
		o.open = append(o.open, item)
	case "attribute": // of a node
		o.add(attribute("name") + ": " + attribute("value"))
	case "richcontent":
		o.field, o.ofNode = name, attribute("type") == "NODE"
		o.chars.Reset()
	case "title", "desc", "ownerName", "dateModified":
		o.field = name
		o.chars.Reset()
	}
}

func (o *outline) text(text string) {
	if o.field != "" {
		o.chars.WriteString(text)
	}
}

func (o *outline) end(name string) {
	if o.field == "richcontent" {
		o.chars.WriteByte(' ') // between paragraphs
	}
	text, n := spaced(o.chars.String()), len(o.open)-1
	switch {
	case name == o.field && o.field != "":
		o.field = ""
		switch {
		case name == "title" && n < 0:
			o.meta.Title = text
			o.w.from(o.line)
			o.w.Heading(1, text)
		case name == "title":
			o.open[n].title, o.open[n].meta.Title = text, text
		case name == "richcontent" && !o.ofNode:
			o.add(text)
		case name == "richcontent" && n >= 0:
			o.open[n].title, o.open[n].meta.Title = text, text
		case name == "desc" && n >= 0:
			o.open[n].text = text
		case name == "ownerName" && text != "":
			o.meta.Authors = []string{text}
		case name == "dateModified":
			o.meta.Date = feedDate(text)
		}
	case n >= 0 && name == o.open[n].element:
		o.write()
		o.open = o.open[:n]
	}
}

// write writes the innermost item, once what is said of it was read.
func (o *outline) write() {
	n := len(o.open) - 1
	if n < 0 || o.open[n].written {
		return
	}
	i := &o.open[n]
	i.written = true
	if i.meta.Date.IsZero() && i.meta.Tags == nil {
		i.meta = document.Meta{}
	}
	o.w.Entry(i.meta)
	o.w.from(i.line)
	text := spaced(plainText(i.title))
	if i.link != "" && i.link != text {
		text = strings.TrimSpace(text + " (" + i.link + ")")
	}
	if note := spaced(plainText(i.text)); note != "" && note != text {
		text += ": " + note
	}
	o.w.Item(n, text)
}

// outlineDate reads a date of OPML or XBEL, or seconds or thousandths since 1970.
func outlineDate(text string) time.Time {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 1<<28 {
		if n > 1<<34 {
			n /= 1000
		}
		if n < 1<<34 {
			return time.Unix(n, 0).UTC()
		}
	}
	if t := dates.Parse(text); !t.IsZero() {
		return t
	}
	return feedDate(text)
}
