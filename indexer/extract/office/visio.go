package office

import (
	"context"
	"slices"
	"strings"

	"dowse/indexer/document"
)

// readVisio reads a drawing of Visio of 2013 or later: the texts of its shapes, page by page.
func readVisio(ctx context.Context, in *document.Input) (*document.Document, error) {
	p, err := openParts(in)
	if err != nil {
		return nil, err
	}
	const pages, master = "visio/pages/pages.xml", "visio/masters/masters.xml"
	b := in.Builder()
	said := running{}
	for _, list := range []string{pages, master} {
		links, err := p.relationsOf(ctx, list)
		if err != nil {
			return nil, err
		}
		targets := links.byID()
		var names, order []string
		err = p.each(ctx, list, func(e element) {
			switch {
			case e.name == "Page" || e.name == "Master":
				names = append(names, e.attribute("Name"))
			case e.name == "Rel" && len(order) < len(names):
				order = append(order, targets[e.attribute("id")])
			}
		})
		if err != nil && !missing(err) {
			return nil, err
		}
		for i, part := range order {
			var v visioReader
			if err := p.events(ctx, part, &v); missing(err) {
				continue
			} else if err != nil {
				return nil, err
			}
			if list == master { // shapes of a page show these where they have no text of their own
				v.blocks = said.fresh(v.blocks)
			} else if len(v.blocks) > 0 {
				b.Place(document.Part{Unit: document.Page, Number: i + 1, Name: names[i]})
			}
			(&writer{b: b}).blocks(slices.Clone(v.blocks))
		}
	}
	meta, err := p.properties(ctx, "docprops/core.xml")
	if err != nil && !missing(err) {
		return nil, err
	}
	return b.Document("vsdx", meta), nil
}

// visioReader reads the texts of shapes.
type visioReader struct {
	blocks []block
	inText bool
	size   int
	chars  strings.Builder
}

func (v *visioReader) start(e element) bool {
	if e.name == "Text" {
		v.inText = true
		v.chars.Reset()
	}
	return false
}

func (v *visioReader) text(s string) {
	if v.inText {
		v.chars.WriteString(s)
	}
}

func (v *visioReader) end(name string) {
	if name != "Text" || !v.inText {
		return
	}
	v.inText = false
	if text := strings.TrimSpace(v.chars.String()); text != "" && v.size < maxFlow {
		v.size += len(text) + rowSize
		v.blocks = append(v.blocks, block{text: text})
	}
}
