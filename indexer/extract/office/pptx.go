package office

import (
	"context"
	"fmt"
	"path"
	"sort"
	"strings"

	"dowse/indexer/document"
)

// readPPTX reads a presentation of PowerPoint, slide by slide.
func readPPTX(ctx context.Context, in *document.Input) (*document.Document, error) {
	p, err := openParts(in)
	if err != nil {
		return nil, err
	}
	root, err := p.relationsOf(ctx, "")
	if err != nil {
		return nil, err
	}
	main := firstOf(root.of("officeDocument"), "ppt/presentation.xml")
	links, err := p.relationsOf(ctx, main)
	if err != nil {
		return nil, err
	}
	targets, seen := links.byID(), map[string]bool{}
	var slides []string
	err = p.each(ctx, main, func(e element) {
		if e.name != "sldId" {
			return
		}
		for _, a := range e.attributes { // id is a number, r:id the reference
			if part := targets[a.Value]; a.Name.Local == "id" && a.Name.Space != "" && part != "" && !seen[part] {
				seen[part] = true
				slides = append(slides, part)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	b := in.Builder()
	for i, name := range slides {
		b.Place(document.Part{Unit: document.Slide, Number: i + 1})
		if err := slide(ctx, p, b, name); err != nil {
			return nil, fmt.Errorf("slide %d: %w", i+1, err)
		}
	}
	meta, err := p.properties(ctx, firstOf(root.of("core-properties"), "docprops/core.xml"))
	if err != nil {
		return nil, err
	}
	return b.Document("pptx", meta), nil
}

// slide writes a slide: its title, its shapes in their order, the texts of diagrams and
// charts, the speaker's notes, and comments.
func slide(ctx context.Context, p *parts, b *document.Builder, name string) error {
	links, err := p.relationsOf(ctx, name)
	if err != nil {
		return err
	}
	w := writer{b: b}
	s := slideReader{}
	if err := p.events(ctx, name, &s); err != nil && !missing(err) {
		return err
	}
	blocks := s.flow.finish()
	sort.SliceStable(blocks, func(i, j int) bool { return blocks[i].kind == heading && blocks[j].kind != heading })
	w.blocks(blocks)
	for _, kind := range []string{"diagramData", "chart", "chartEx", "notesSlide", "comments"} {
		for _, target := range links.of(kind) {
			s := slideReader{notes: kind == "notesSlide", loose: strings.HasPrefix(kind, "chart")}
			if kind == "comments" && strings.HasPrefix(path.Base(target), "comment") {
				s.loose = true
			}
			if err := p.events(ctx, target, &s); err != nil && !missing(err) {
				return err
			}
			w.blocks(s.flow.finish())
		}
	}
	return nil
}

// slideReader reads a part with DrawingML: a slide, its notes, a diagram.
type slideReader struct {
	flow   flow
	notes  bool
	loose  bool   // texts may stand outside of paragraphs: a chart's values, a comment
	holder string // the kind of placeholder that the shape is, "" of none
	held   bool   // the shape is a placeholder
	inText bool
}

func (s *slideReader) start(e element) (skip bool) {
	switch e.name {
	case "Fallback", "txStyles", "numRef", "numLit", "formatCode":
		return true
	case "sp", "pic", "graphicFrame", "cxnSp":
		s.holder, s.held = "", false
	case "cNvPr":
		if alt := strings.TrimSpace(e.attribute("descr")); alt != "" && !s.notes {
			s.flow.beginParagraph(paragraph, 0)
			s.flow.write(alt)
			s.flow.end(false)
		}
	case "ph":
		s.holder, s.held = e.attribute("type"), true
	case "p":
		s.paragraph()
	case "pPr":
		if t := s.flow.top(); t != nil && !t.isTable && t.block.kind == item {
			s.flow.set(item, e.number("lvl", 0))
		}
	case "t":
		s.inText = true
	case "v", "text":
		if s.loose {
			s.flow.beginParagraph(paragraph, 0)
			s.inText = true
		}
	case "br":
		s.flow.write("\n")
	case "tbl":
		s.flow.begin(true)
	case "tr":
		s.flow.beginRow()
	case "tc": // those that a merged one takes up are there as well
		s.flow.beginCell(1, e.attribute("vMerge") == "1" || e.attribute("vMerge") == "true")
	}
	return false
}

// paragraph opens a paragraph as its shape says. What is on all slides, and what notes
// repeat of their slide, is left out in end.
func (s *slideReader) paragraph() {
	switch {
	case !s.notes && (s.holder == "title" || s.holder == "ctrTitle"):
		s.flow.beginParagraph(heading, 1)
	case !s.notes && s.held && (s.holder == "" || s.holder == "body" || s.holder == "obj"):
		s.flow.beginParagraph(item, 0)
	default:
		s.flow.beginParagraph(paragraph, 0)
	}
}

func (s *slideReader) end(name string) {
	switch name {
	case "p":
		if s.isRepeated() {
			if t := s.flow.top(); t != nil && !t.isTable {
				t.text.Reset()
			}
		}
		s.flow.end(false)
	case "t":
		s.inText = false
	case "v", "text":
		if s.loose {
			s.inText = false
			s.flow.end(false)
		}
	case "tbl":
		s.flow.end(true)
	}
}

// isRepeated reports whether the shape says what stands on every slide.
func (s *slideReader) isRepeated() bool {
	switch s.holder {
	case "sldNum", "dt", "ftr", "hdr":
		return true
	}
	return s.notes && s.held && s.holder != "body"
}

func (s *slideReader) text(t string) {
	if s.inText {
		s.flow.write(t)
	}
}
