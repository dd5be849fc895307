package office

import (
	"context"
	"strings"

	"dowse/indexer/document"
)

// readXournal reads what was typed onto the pages of handwritten notes of Xournal and Xournal++.
func readXournal(ctx context.Context, in *document.Input) (*document.Document, error) {
	r := xournalReader{b: in.Builder()}
	if err := readXML(ctx, in, in.Data, &r); err != nil {
		return nil, err
	}
	return r.b.Document("xopp", document.Meta{}), nil
}

// xournalReader reads its XML.
type xournalReader struct {
	b      *document.Builder
	page   int
	inText bool
	chars  strings.Builder
}

func (x *xournalReader) start(e element) (skip bool) {
	switch e.name {
	case "stroke", "image", "preview", "title": // the program wrote the title
		return true
	case "page":
		x.page++
		x.b.Place(document.Part{Unit: document.Page, Number: x.page})
	case "teximage":
		x.b.Paragraph(e.attribute("text"))
		return true
	case "text":
		x.inText = true
		x.chars.Reset()
	}
	return false
}

func (x *xournalReader) text(s string) {
	if x.inText {
		x.chars.WriteString(s)
	}
}

func (x *xournalReader) end(name string) {
	if name == "text" && x.inText {
		x.b.Paragraph(x.chars.String())
		x.inText = false
	}
}
