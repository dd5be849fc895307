package markup

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"time"

	"dowse/indexer/document"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isBookmarks reports whether a file is what browsers export.
func isBookmarks(name string, head []byte) bool {
	ext := document.Extension(name)
	return (ext == "html" || ext == "htm") && bytes.Contains(bytes.ToUpper(head[:min(len(head), 512)]), []byte("<!DOCTYPE NETSCAPE-BOOKMARK-FILE"))
}

// bookmarks reads folders, and titles with their addresses.
type bookmarks struct {
	w     *writer
	line  int
	depth int // of folders
	tag   atom.Atom
	text  strings.Builder
	href  string
	own   document.Meta // of the address
}

func readBookmarks(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	r := bookmarks{w: newWriter(in), line: 1}
	tokens := html.NewTokenizer(strings.NewReader(text))
	for {
		kind := tokens.Next()
		raw := tokens.Raw()
		lines := bytes.Count(raw, []byte("\n"))
		switch kind {
		case html.ErrorToken:
			r.end()
			return r.w.document("bookmarks", document.Meta{}), ctx.Err()
		case html.TextToken:
			r.text.WriteString(html.UnescapeString(string(raw)))
		case html.StartTagToken, html.EndTagToken:
			r.element(tokens, kind == html.StartTagToken)
		}
		r.line += lines
	}
}

// element reads a tag. Each begins or ends a title.
func (r *bookmarks) element(tokens *html.Tokenizer, begins bool) {
	name, more := tokens.TagName()
	tag := atom.Lookup(name)
	r.end()
	switch {
	case tag == atom.Dl && begins:
		r.depth++
	case tag == atom.Dl && r.depth > 0:
		r.depth--
	case begins:
		r.tag = tag
	}
	for more && begins && tag == atom.A {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		switch string(key) {
		case "href":
			r.href = string(value)
		case "tags":
			for t := range strings.SplitSeq(string(value), ",") {
				if t = strings.TrimSpace(t); t != "" && len(r.own.Tags) < maxTags {
					r.own.Tags = append(r.own.Tags, t)
				}
			}
		case "add_date":
			if seconds, err := strconv.ParseInt(string(value), 10, 64); err == nil && seconds > 0 && seconds < 1<<34 {
				r.own.Date = time.Unix(seconds, 0).UTC()
			}
		}
	}
}

// end writes the title that was read.
func (r *bookmarks) end() {
	text := strings.Join(strings.Fields(r.text.String()), " ")
	switch {
	case r.tag == atom.H1 || r.tag == atom.H3:
		r.w.Entry(document.Meta{})
		r.w.from(r.line)
		r.w.Heading(r.depth+1, text)
	case r.tag == atom.A && strings.HasPrefix(r.href, "http"):
		r.own.Title = text
		r.w.Entry(r.own)
		r.w.from(r.line)
		r.w.Item(0, strings.TrimSpace(text+" ("+r.href+")"))
	case r.tag == atom.Dd:
		r.w.from(r.line)
		r.w.Paragraph(text)
	}
	r.text.Reset()
	r.tag, r.href, r.own = 0, "", document.Meta{}
}
