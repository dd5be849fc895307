package office

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/codepage"
)

// readDOCX reads a document of Word.
func readDOCX(ctx context.Context, in *document.Input) (*document.Document, error) {
	p, err := openOPC(ctx, in, "word/document.xml")
	if err != nil {
		return nil, err
	}
	d := docxReader{notes: map[string][]block{}}
	if d.styles, err = readStyles(ctx, p.parts, firstOf(p.links.ofKind("styles"), "word/styles.xml")); err != nil {
		return nil, err
	}
	for _, kind := range []string{"footnotes", "endnotes", "comments"} {
		for _, name := range p.links.ofKind(kind) {
			if err := d.part(ctx, p.parts, name); err != nil && !errors.Is(err, errNoPart) {
				return nil, err
			}
		}
	}
	b := in.Builder()
	w := writer{b: b}
	if err := d.part(ctx, p.parts, p.main); err != nil {
		return nil, err
	}
	w.blocks(d.flow.finish())
	if err := writeReferred(ctx, p.parts, &w, p.links); err != nil {
		return nil, err
	}
	said := running{}
	for _, name := range append(p.links.ofKind("header"), p.links.ofKind("footer")...) {
		d.flow = flow{}
		if err := d.part(ctx, p.parts, name); err != nil && !errors.Is(err, errNoPart) {
			return nil, err
		}
		w.blocks(said.fresh(d.flow.finish()))
	}
	return p.document(ctx, b, "docx", d.byline)
}

// writeReferred writes the parts that a document refers to: texts of diagrams and charts, and whole documents.
func writeReferred(ctx context.Context, p *parts, w *writer, links relations) error {
	for _, link := range links {
		switch link.kind {
		case "diagramData", "chart", "chartEx":
			s := slideReader{loose: link.kind != "diagramData"}
			if err := p.events(ctx, link.target, &s); err != nil && !missing(err) {
				return err
			}
			w.blocks(s.flow.finish())
		case "aFChunk":
			data, err := p.read(link.target)
			if missing(err) {
				continue
			}
			if err == nil {
				err = chunk(ctx, p.in, w.b, link.target, data)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// firstOf returns the first of some names, or otherwise.
func firstOf(names []string, otherwise string) string {
	if len(names) > 0 {
		return names[0]
	}
	return otherwise
}

// docxReader reads the parts of a document that have paragraphs.
type docxReader struct {
	styles wordStyles
	flow   flow
	inText bool
	font   string             // of the run
	drop   bool               // the paragraph is the large first letter of the next one
	letter string             // that letter
	note   string             // the note or comment that is open: "footnote 3"
	notes  map[string][]block // by that
	style  string             // of the paragraph, by its name
	byline byline
}

// part reads one of them into the flow; of notes, into the notes.
func (d *docxReader) part(ctx context.Context, p *parts, name string) error {
	data, err := p.read(name)
	if err != nil {
		return err
	}
	d.flow.page, d.inText = 0, false
	if bytes.Contains(data, []byte("lastRenderedPageBreak")) {
		d.flow.page = 1
	}
	return readXML(ctx, p.in, data, d)
}

// start sees an element. What is left out: what was deleted or moved away, what was
// before a change, codes of fields, the second form of a drawing, definitions.
func (d *docxReader) start(e element) (skip bool) {
	switch e.name {
	case "Fallback", "moveFrom", "del", "delText", "instrText", "delInstrText", "sectPr", "sdtPr", "tabs",
		"pPrChange", "rPrChange", "tblPrChange", "trPrChange", "tcPrChange", "tblGridChange":
		return true
	case "p":
		d.flow.beginParagraph(paragraph, 0)
		d.flow.write(d.letter)
		d.drop, d.letter = false, ""
	case "t":
		if d.inText = true; e.prefix == "m" && d.flow.shift == document.OnLine { // of a formula
			d.flow.space()
		}
	case "rt":
		d.flow.beside(true)
	case "tbl":
		d.flow.begin(true)
	case "tr":
		d.flow.beginRow()
	case "tblHeader":
		if e.on() {
			d.flow.headerRow()
		}
	case "tc":
		d.flow.beginCell(1, false)
	case "footnote", "endnote", "comment":
		d.note = e.name + " " + e.attribute("id")
	default:
		d.inside(e)
	}
	return false
}

// inside sees what stands within paragraphs and cells, or describes them.
func (d *docxReader) inside(e element) {
	switch e.name {
	case "pStyle":
		id := e.attribute("val")
		d.flow.set(d.styles.kind(id))
		if style := d.styles[id]; style != nil {
			d.style = style.name
		}
	case "outlineLvl":
		if n := e.number("val", 9); n >= 0 && n < 9 {
			d.flow.set(heading, n+1)
		}
	case "ilvl":
		if t := d.flow.top(); t != nil && t.block.kind != heading {
			d.flow.set(item, e.number("val", 0))
		}
	case "numId":
		d.numbered(e.attribute("val") != "0")
	case "framePr":
		d.drop = e.attribute("dropCap") == "drop" || e.attribute("dropCap") == "margin"
	case "tblCaption", "tblDescription":
		d.flow.caption(e.attribute("val"))
	case "gridSpan":
		if c := d.flow.cell(); c != nil {
			c.span = min(max(e.number("val", 1), 1), maxColumns)
		}
	case "vMerge":
		if c := d.flow.cell(); c != nil {
			c.continues = e.attribute("val") != "restart"
		}
	case "r":
		if d.font = ""; e.prefix != "m" {
			d.flow.shift = document.OnLine
		}
	case "rFonts":
		d.font = e.attribute("ascii")
	case "sym":
		if letter, err := strconv.ParseUint(e.attribute("char"), 16, 16); err == nil {
			d.flow.write(codepage.Symbol(e.attribute("font"), rune(letter)))
		}
	case "vertAlign":
		d.flow.shift = document.ShiftNamed(e.attribute("val"))
	case "sup", "sub": // of a formula
		d.flow.shift = document.ShiftNamed(e.name)
	case "tab", "ptab":
		d.flow.write("\t")
	case "br", "cr":
		d.flow.write("\n")
	case "noBreakHyphen":
		d.flow.write("-")
	case "docPr":
		d.flow.write(spaced(e.attribute("descr")))
	case "lastRenderedPageBreak":
		d.flow.page++
	case "footnoteReference", "endnoteReference", "commentReference":
		key := strings.TrimSuffix(e.name, "Reference") + " " + e.attribute("id")
		d.flow.add(d.notes[key]...)
		delete(d.notes, key) // once, whatever refers to it
	}
}

// numbered says that the open paragraph is one of a list, or is none though its style is.
func (d *docxReader) numbered(on bool) {
	t := d.flow.top()
	switch {
	case t == nil || t.isTable || t.block.kind == heading:
	case !on:
		d.flow.set(paragraph, 0)
	case t.block.kind != item:
		d.flow.set(item, 0)
	}
}

func (d *docxReader) end(name string) {
	switch name {
	case "p":
		if t := d.flow.top(); d.drop && t != nil && !t.isTable {
			d.letter = t.text.String()
			t.text.Reset()
		}
		if t := d.flow.top(); d.style != "" && t != nil && !t.isTable {
			d.byline.add(d.style, t.text.String())
		}
		d.drop, d.style = false, ""
		d.flow.end(false)
	case "tbl":
		d.flow.end(true)
	case "t":
		d.inText = false
	case "rt":
		d.flow.beside(false)
	case "sup", "sub":
		d.flow.shift = document.OnLine
	case "footnote", "endnote", "comment":
		d.notes[d.note] = d.flow.finish()
		d.flow = flow{size: d.flow.size}
	}
}

func (d *docxReader) text(s string) {
	if d.inText {
		d.flow.write(codepage.Symbols(d.font, s))
	}
}

// spaced returns an alternative text so that it does not touch the words around it.
func spaced(s string) string {
	if s == "" {
		return ""
	}
	return " " + s + " "
}
