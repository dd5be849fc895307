package mail

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"dowse/indexer/document"
)

// isSavedPage reports whether a file is a page that a browser has saved with its pictures (MHTML, RFC 2557): named so, or with the
// sender that browsers write.
func isSavedPage(name string, head []byte) bool {
	ext := document.Extension(name)
	named := (ext == "mhtml" || ext == "mht") && usualFields(head) >= 1
	return named || bytes.HasPrefix(head, []byte("From: <Saved by ")) && usualFields(head) >= 2
}

// readSavedPage reads a page, and what its frames say besides. It is a message of nobody's, so that who wrote it and
// when is said by the page, or not at all.
func readSavedPage(ctx context.Context, in *document.Input) (*document.Document, error) {
	whole := newPart(in.Data, "text/html")
	r := &reader{ctx: ctx, in: in, b: in.Builder()}
	meta := document.Meta{}
	known := map[string]bool{}
	pages := savedPages(in, &whole, 0)
	if len(pages) == 0 {
		return readMessage(ctx, in)
	}
	for i, p := range pages {
		data := p.content()
		if text, ok := decodeCharset(p.params["charset"], data); ok {
			data = []byte(text)
		}
		d, err := in.Open(ctx, "page.html", data)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // empty, as that which has nothing but frames
			continue
		}
		if i == 0 {
			meta = d.Meta
		}
		if r.b.Len() == 0 {
			r.b.Append(d)
			learn(known, d.Text)
			continue
		}
		r.write(piece{text: unsaid(piece{text: d.Text, rich: true}, known), rich: true, added: true})
	}
	h := metaOf(whole.header)
	meta.Title = cmp.Or(meta.Title, h.Title)
	if meta.Date.IsZero() {
		meta.Date = h.Date // when it was saved
	}
	return r.b.Document("mhtml", meta), nil
}

// savedPages returns the pages in a part, the one that the others are frames of first.
func savedPages(in *document.Input, p *part, depth int) []part {
	switch {
	case isHTML(p.kind):
		return []part{*p}
	case depth > maxDepth || !strings.HasPrefix(p.kind, "multipart/"):
		return nil
	}
	var pages []part
	start := p.params["start"]
	children := p.children(in)
	for i := range children {
		child := &children[i]
		inner := savedPages(in, child, depth+1)
		if start != "" && child.header.get("content-id") == start {
			inner = append(inner, pages...)
			pages = nil
		}
		pages = append(pages, inner...)
	}
	return pages
}
