package office

import (
	"context"
	"fmt"
	"path"
	"sort"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/codepage"
)

// readPPTX reads a presentation of PowerPoint, slide by slide.
func readPPTX(ctx context.Context, in *document.Input) (*document.Document, error) {
	p, err := openOPC(ctx, in, "ppt/presentation.xml")
	if err != nil {
		return nil, err
	}
	targets, seen := p.links.byID(), map[string]bool{}
	var slides []string
	err = p.each(ctx, p.main, func(e element) {
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
	deck := deckReader{p: p.parts, w: writer{b: b}, seen: map[string]bool{}}
	for i, name := range slides {
		b.Place(document.Part{Unit: document.Slide, Number: i + 1})
		if err := deck.slide(ctx, name); err != nil {
			return nil, fmt.Errorf("slide %d: %w", i+1, err)
		}
	}
	if above := (running{}).fresh(deck.running); len(above) > 0 {
		b.Place()
		deck.w.blocks(above)
	}
	return p.document(ctx, b, "pptx", byline{})
}

// deckReader reads slides, and what stands on many of them.
type deckReader struct {
	p       *parts
	w       writer
	running []block         // footers, and texts of masters and layouts
	seen    map[string]bool // masters and layouts
}

// slide writes a slide: its title, its shapes in their order, the texts of diagrams and
// charts, the speaker's notes, and comments.
func (d *deckReader) slide(ctx context.Context, name string) error {
	links, err := d.p.relationsOf(ctx, name)
	if err != nil {
		return err
	}
	s := slideReader{}
	if err := d.part(ctx, name, &s); err != nil {
		return err
	}
	blocks := s.flow.finish()
	sort.SliceStable(blocks, func(i, j int) bool { return blocks[i].kind == heading && blocks[j].kind != heading })
	d.w.blocks(blocks)
	for _, kind := range []string{"diagramData", "chart", "chartEx", "notesSlide", "comments"} {
		for _, target := range links.ofKind(kind) {
			s := slideReader{notes: kind == "notesSlide", loose: strings.HasPrefix(kind, "chart")}
			if kind == "comments" && strings.HasPrefix(path.Base(target), "comment") {
				s.loose = true
			}
			if err := d.part(ctx, target, &s); err != nil {
				return err
			}
			d.w.blocks(s.flow.finish())
		}
	}
	return d.masters(ctx, links)
}

// part reads one, and keeps what it repeats of others.
func (d *deckReader) part(ctx context.Context, name string, s *slideReader) error {
	if err := d.p.events(ctx, name, s); err != nil && !missing(err) {
		return err
	}
	d.running = append(d.running, s.repeated...)
	return nil
}

// masters reads the layout of a slide and the master of that, once.
func (d *deckReader) masters(ctx context.Context, links relations) error {
	for _, kind := range []string{"slideLayout", "slideMaster"} {
		for _, name := range links.ofKind(kind) {
			if d.seen[name] {
				return nil
			}
			d.seen[name] = true
			s := slideReader{master: true}
			if err := d.part(ctx, name, &s); err != nil {
				return err
			}
			d.running = append(d.running, s.flow.finish()...)
			below, err := d.p.relationsOf(ctx, name)
			if err != nil {
				return err
			}
			if kind == "slideLayout" {
				links = append(links, below...)
			}
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
	font   string // of the run, if its letters are symbols
	master bool   // a master or a layout: what slides fill is a prompt there
	// repeated are footers, which stand on every slide as a rule.
	repeated []block
}

func (s *slideReader) start(e element) (skip bool) {
	switch e.name {
	case "Fallback", "txStyles", "numRef", "numLit", "formatCode":
		return true
	case "sp", "pic", "graphicFrame", "cxnSp":
		s.holder, s.held = "", false
	case "cNvPr":
		if alt := strings.TrimSpace(e.attribute("descr")); alt != "" && !s.notes && !s.master {
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
	case "r", "fld":
		s.font, s.flow.shift = "", document.OnLine
	case "sym", "latin":
		if font := e.attribute("typeface"); codepage.IsSymbolic(font) {
			s.font = font
		}
	case "rPr":
		switch base := e.attribute("baseline"); {
		case strings.HasPrefix(base, "-"):
			s.flow.shift = document.Lowered
		case strings.Trim(base, "0%") != "":
			s.flow.shift = document.Raised
		}
	case "t":
		if s.inText = true; e.prefix == "m" { // of a formula
			s.flow.space()
		}
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
				if text := t.text.String(); s.isFooter() && len(s.repeated) < maxFooters && strings.TrimSpace(text) != "" {
					s.repeated = append(s.repeated, block{text: text})
				}
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
	return s.held && (s.master || s.notes && s.holder != "body")
}

// isFooter reports whether the shape is a header or a footer.
func (s *slideReader) isFooter() bool { return s.holder == "ftr" || s.holder == "hdr" }

// maxFooters is how many paragraphs are taken as headers and footers of a part.
const maxFooters = 20

func (s *slideReader) text(t string) {
	if s.inText {
		s.flow.write(codepage.Symbols(s.font, t))
	}
}
