package markup

import (
	"context"
	"net/mail"
	"slices"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/indexer/extract/htmltext"
)

// isFeed reports whether a file is a feed of RSS or Atom.
func isFeed(name string, head []byte) bool {
	switch document.Extension(name) {
	case "rss", "atom", "xml", "rdf":
		root := rootOf(head)
		return root == "rss" || root == "feed" || root == "RDF" && strings.Contains(string(head), "purl.org/rss")
	}
	return false
}

// readFeed reads what a feed says, item by item: of when and by whom, and under which words.
func readFeed(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	f := &feed{w: newWriter(in)}
	if err := f.w.readElements(ctx, text, f, func(line int) { f.line = line }); err != nil {
		return nil, err
	}
	f.about()
	return f.w.document("feed", document.Meta{Title: f.title}), nil
}

// feedField says what an element of an item, or of a feed, is.
var feedField = map[string]string{
	"title": "title", "link": "link", "description": "about", "summary": "about", "subtitle": "about", "content": "content", "encoded": "content",
	"pubDate": "date", "published": "date", "date": "date", "updated": "updated", "author": "author", "creator": "author", "name": "author", "category": "tag", "subject": "tag",
}

// feed is the state between two elements.
type feed struct {
	w      *writer
	line   int
	title  string
	items  int
	within []string // elements that are open
	field  string   // that is open; "" of none
	depth  int      // at which
	begun  int      // line of the item
	said   map[string]string
	lines  map[string]int // where they begin
	tags   []string
	place  []document.Part
	told   bool // what the feed says of itself is written
}

func (f *feed) isItem(name string) bool { return name == "item" || name == "entry" }

func (f *feed) start(name string, attribute func(name string) string) {
	f.within = append(f.within, name)
	if f.isItem(name) {
		f.about()
		f.said, f.lines, f.tags, f.begun, f.field = map[string]string{}, map[string]int{}, nil, f.line, ""
	}
	if f.said == nil {
		f.said, f.lines = map[string]string{}, map[string]int{}
	}
	if slices.Contains([]string{"image", "source", "textInput"}, name) && f.field == "" {
		f.field, f.depth = "none", len(f.within)
	}
	field := feedField[name]
	switch {
	case f.field != "" && (f.field != "author" || name != "name"):
		return
	case field == "link" && attribute("href") != "":
		if rel := attribute("rel"); rel == "" || rel == "alternate" {
			f.said["link"] = attribute("href")
		}
	case field == "tag" && attribute("term") != "":
		f.tags = append(f.tags, attribute("term"))
	case field != "":
		if f.field, f.depth = field, len(f.within); field != "tag" {
			f.said[field], f.lines[field] = "", f.line
		}
	}
}

func (f *feed) text(text string) {
	if f.field != "" && !(f.field == "author" && slices.Contains([]string{"uri", "email"}, f.within[len(f.within)-1])) {
		f.said[f.field] += text
	}
}

func (f *feed) end(name string) {
	if len(f.within) == 0 {
		return
	}
	if len(f.within) <= f.depth {
		if f.field == "tag" {
			f.tags = append(f.tags, spaced(f.said["tag"]))
		}
		f.field, f.depth = "", 0
		delete(f.said, "tag")
		delete(f.said, "none")
	}
	f.within = f.within[:len(f.within)-1]
	if f.isItem(name) && f.said != nil {
		f.item()
	}
}

// about writes what the feed says of itself, once.
func (f *feed) about() {
	if f.told || f.said == nil {
		return
	}
	f.told, f.title = true, spaced(plainText(f.said["title"]))
	f.w.from(f.lines["title"])
	f.w.Heading(1, f.title)
	f.page("about")
}

// item writes one.
func (f *feed) item() {
	meta := document.Meta{Title: spaced(plainText(f.said["title"])), Tags: f.tags, Date: feedDate(f.said["date"])}
	if meta.Date.IsZero() {
		meta.Date = feedDate(f.said["updated"])
	}
	if by := spaced(f.said["author"]); by != "" {
		meta.Authors = []string{by}
	}
	f.items++
	f.w.EndRows()
	f.place = []document.Part{{Unit: document.Record, Number: f.items, Name: meta.Title}}
	f.w.Place(f.place...)
	f.w.Entry(meta)
	f.w.from(f.begun)
	f.w.Heading(2, meta.Title)
	f.w.Row([]string{"By", "Link"}, []string{strings.Join(meta.Authors, ", "), spaced(f.said["link"])})
	f.w.EndRows()
	if f.said["content"] == "" || !strings.Contains(f.said["content"], spaced(f.said["about"])) {
		f.page("about")
	}
	f.page("content")
	f.said, f.tags = map[string]string{}, nil
}

// page writes a field that may be marked up.
func (f *feed) page(field string) {
	page, _ := htmltext.Read(f.said[field])
	if strings.TrimSpace(page) == "" {
		return
	}
	f.w.from(f.lines[field])
	f.w.Append(&document.Document{Text: page, Kind: document.HTML}, f.place...)
}

// plainText returns a field without markup.
func plainText(text string) string {
	if strings.ContainsAny(text, "<&") {
		text, _ = htmltext.Read(text)
	}
	return text
}

// feedDate reads a date of RSS (RFC 822) or of Atom.
func feedDate(text string) time.Time {
	text = strings.TrimSpace(text)
	if t := dates.Parse(text); !t.IsZero() {
		return t
	}
	t, err := mail.ParseDate(text)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
