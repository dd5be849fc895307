package office

import (
	"context"
	"slices"
	"strings"

	"dowse/indexer/document"
)

// writeReferred writes the comments and the texts of drawings that a sheet refers to.
func (w *workbook) writeReferred(ctx context.Context, p *parts, b *document.Builder, links relations) error {
	threads := links.ofKind("threadedComment")
	for _, name := range append(threads, links.ofKind("comments")...) {
		var c commentReader
		if err := p.readWorkbookPart(ctx, name, &c, c.record); err != nil {
			return err
		}
		for _, said := range c.said {
			text := said.text.String()
			if len(threads) > 0 && strings.HasPrefix(text, "[Threaded comment]") { // for programs that know none, the same again
				continue
			}
			b.Row([]string{"Comment " + said.ref}, []string{text})
		}
	}
	for _, name := range links.ofKind("drawing") {
		below, err := p.relationsOf(ctx, name)
		if err != nil {
			return err
		}
		for _, part := range slices.Concat([]string{name}, below.ofKind("chart"), below.ofKind("diagramData")) {
			s := slideReader{}
			if err := p.events(ctx, part, &s); err != nil && !missing(err) {
				return err
			}
			(&writer{b: b}).blocks(s.flow.finish())
		}
	}
	return nil
}

// comment is one that stands at a cell.
type comment struct {
	ref  string
	text *strings.Builder
}

// commentReader reads them.
type commentReader struct {
	said     []comment
	inText   bool
	isThread bool
}

func (c *commentReader) start(e element) (skip bool) {
	if (e.name == "comment" || e.name == "threadedComment") && len(c.said) < maxComments {
		c.said = append(c.said, comment{e.attribute("ref"), &strings.Builder{}})
	}
	switch e.name {
	case "threadedComment":
		c.isThread = true
	case "comment":
		c.isThread = false
	}
	c.inText = e.name == "t" || e.name == "text" && c.isThread
	return e.name == "rPh" || e.name == "mentions"
}

func (c *commentReader) end(string) { c.inText = false }

func (c *commentReader) text(s string) {
	if n := len(c.said); c.inText && n > 0 {
		c.said[n-1].text.WriteString(s)
	}
}
