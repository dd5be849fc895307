package office

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/codepage"
)

// readODF reads a text, presentation or spreadsheet of OpenDocument, in an archive or
// flat.
func readODF(ctx context.Context, in *document.Input) (*document.Document, error) {
	content, masters, meta, err := odfContent(ctx, in)
	if err != nil {
		return nil, err
	}
	var m odfMasters
	if err := readXML(ctx, in, masters, &m); err != nil {
		return nil, err
	}
	b := in.Builder()
	r := odfReader{out: writer{b: b}, styles: map[string]odfStyle{}, format: "odt", said: running{}, used: map[string]bool{}}
	r.pages = bytes.Contains(content, []byte("soft-page-break"))
	if err := readXML(ctx, in, content, &r); err != nil {
		return nil, err
	}
	r.flush()
	if above := r.said.fresh(append(r.running(), m.flow.finish()...)); len(above) > 0 {
		b.Place()
		r.out.blocks(above)
	}
	if meta.Date.IsZero() && meta.Title == "" && len(meta.Authors) == 0 {
		meta = r.meta.result() // flat: it stands in the same file
	}
	return b.Document(r.format, r.byline.to(meta)), nil
}

// odfContent returns the XML that holds the text of a file, and that which holds its headers and footers.
func odfContent(ctx context.Context, in *document.Input) (content, masters []byte, meta document.Meta, err error) {
	if kindOfHead(in.Data[:min(len(in.Data), formatHead)]) == flatODF {
		content = bytes.Clone(in.Data)
		return content, content, meta, nil
	}
	p, err := openParts(in)
	if err != nil {
		return nil, nil, meta, err
	}
	if p.has("META-INF/manifest.xml") {
		encrypted := false
		err := p.each(ctx, "META-INF/manifest.xml", func(e element) { encrypted = encrypted || e.name == "encryption-data" })
		if err != nil {
			return nil, nil, meta, err
		}
		if encrypted {
			return nil, nil, meta, document.ErrEncrypted
		}
	}
	if meta, err = p.properties(ctx, "meta.xml"); err != nil {
		return nil, nil, meta, err
	}
	if masters, err = p.read("styles.xml"); err != nil && !missing(err) {
		return nil, nil, meta, err
	}
	content, err = p.read("content.xml")
	if missing(err) && p.has("styles.xml") { // a template of styles alone
		err = nil
	}
	return content, masters, meta, err
}

// formatHead is how much of a file its format is told by.
const formatHead = 4 << 10

// odfReader reads content.xml.
type odfReader struct {
	out    writer
	format string
	pages  bool // page breaks of the last layout are kept in the file
	styles map[string]odfStyle
	flow   flow
	define string // the style that is described, with its family before it
	span   odfSpan
	spans  []odfSpan // those around it
	lists  int       // open ones
	meta   properties
	inMeta bool
	slides int
	inNote bool // the notes of a slide
	title  bool // a frame that has the title of a slide
	notes  []bool
	across int // cells that belong to the last one to their left
	hints  int // open title and desc elements of pictures
	sheet  *odsSheet
	said   running
	style  string // of the paragraph: author, date or ""
	byline byline
	decl   int             // the header or footer of slides that is open: 1 more than its place in decls
	decls  []slideHeader   // in the order of the file
	used   map[string]bool // those that a slide shows
}

// slideHeader is a header or footer that slides show by its name.
type slideHeader struct {
	name string
	text strings.Builder
}

// running returns the headers and footers that slides show.
func (r *odfReader) running() []block {
	var blocks []block
	for i := range r.decls {
		if d := &r.decls[i]; r.used[d.name] {
			blocks = append(blocks, block{text: d.text.String()})
		}
	}
	return blocks
}

// start sees an element. What is left out: what was deleted, definitions, what is the
// same on all slides.
func (r *odfReader) start(e element) (skip bool) {
	switch {
	case r.inMeta:
		return r.meta.start(e)
	case r.sheet != nil:
		return r.sheet.start(e)
	}
	switch e.name {
	case "tracked-changes", "forms", "font-face-decls", "scripts", "master-styles", "settings", "sequence-decls",
		"header", "footer", "date-time", "page-number", "binary-data", "page-thumbnail",
		"calculation-settings", "database-ranges", "named-expressions", "index-title-template", "bibliography-configuration":
		return true
	case "meta":
		r.inMeta = true
	case "footer-decl", "header-decl":
		r.decls = append(r.decls, slideHeader{name: e.attribute("name")})
		r.decl = len(r.decls)
	case "style":
		r.define = e.attribute("family") + " " + e.attribute("name")
		r.styles[r.define] = odfStyle{parent: e.attribute("parent-style-name"), outline: e.number("default-outline-level", 0)}
	case "text-properties", "properties":
		if style, ok := r.styles[r.define]; ok {
			style.odfSpan = odfSpan{odfShift(e.attribute("text-position")), e.attribute("font-name")}
			r.styles[r.define] = style
		}
	case "presentation":
		if e.prefix == "office" {
			r.format = "odp"
		}
	case "document-content", "document":
		r.class(e.attribute("class"))
	case "spreadsheet":
		r.format = "ods"
	case "drawing":
		r.format = "odg"
	case "table":
		if r.format == "ods" && r.flow.top() == nil {
			r.sheet = newODSSheet(r.out.b, e.attribute("name"))
		} else {
			r.flow.begin(true)
		}
	case "page":
		r.slide()
		for _, name := range []string{e.attribute("use-footer-name"), e.attribute("use-header-name")} {
			if name != "" {
				r.used[name] = true
			}
		}
	case "notes":
		r.flush()
		r.inNote = true
	default:
		return r.inside(e)
	}
	return false
}

// class takes what OpenOffice before 2005 says of a file, whose body has the text in it.
func (r *odfReader) class(class string) {
	switch class {
	case "presentation":
		r.format = "odp"
	case "spreadsheet":
		r.format = "ods"
	case "drawing":
		r.format = "odg"
	}
}

// inside sees what stands within a text.
func (r *odfReader) inside(e element) (skip bool) {
	switch e.name {
	case "p", "h":
		r.paragraph(e)
	case "list", "ordered-list", "unordered-list":
		r.lists++
	case "table-row":
		r.flow.beginRow()
	case "table-header-rows":
		// The row comes next; see end.
	case "table-cell":
		r.across = e.number("number-columns-spanned", 1) - 1
		r.flow.beginCell(e.number("number-columns-repeated", 1), false)
	case "covered-table-cell":
		// It belongs to the cell to the left, or to that in the row above.
		r.flow.beginCell(e.number("number-columns-repeated", 1), r.across <= 0)
		r.across--
	case "frame":
		switch e.attribute("class") {
		case "header", "footer", "date-time", "page-number", "page":
			return true
		}
		r.title = e.attribute("class") == "title"
	case "title", "desc":
		if e.prefix == "svg" {
			r.hints++
			r.flow.write(" ")
		}
	case "note", "annotation", "footnote", "endnote":
		r.flow.begin(false)
		r.notes = append(r.notes, true)
	case "note-citation", "footnote-citation", "endnote-citation", "creator", "date", "date-string", "creator-initials":
		return len(r.notes) > 0
	case "ruby-text":
		r.flow.beside(true)
	case "span":
		r.spans = append(r.spans, r.span)
		style := r.styles["text "+e.attribute("style-name")].odfSpan
		r.span = odfSpan{cmp.Or(style.shift, r.span.shift), cmp.Or(style.font, r.span.font)}
		r.flow.shift = r.span.shift
	case "s":
		r.flow.write(strings.Repeat(" ", min(max(e.number("c", 1), 1), 100)))
	case "tab":
		r.flow.write("\t")
	case "line-break":
		r.flow.write("\n")
	case "soft-page-break":
		if r.flow.page == 0 {
			r.flow.page = 1
		}
		r.flow.page++
	}
	return false
}

// paragraph opens a paragraph of the kind that its element and its style say.
func (r *odfReader) paragraph(e element) {
	if r.pages && r.flow.page == 0 && r.format == "odt" {
		r.flow.page = 1
	}
	kind, level := paragraph, 0
	switch style := e.attribute("style-name"); {
	case e.name == "h":
		kind, level = heading, e.number("outline-level", 1)
	case r.format == "odt" && r.styled(style) > 0:
		kind, level = heading, r.styled(style)
	case r.title && r.format == "odp" && !r.inNote:
		kind, level = heading, 1
	case r.lists > 0:
		kind, level = item, r.lists-1
	}
	if r.style = strings.ToLower(e.attribute("style-name")); r.style != "author" && r.style != "date" {
		r.style = ""
	}
	r.flow.beginParagraph(kind, level)
}

// slide begins a page of a presentation.
func (r *odfReader) slide() {
	r.flush()
	r.slides++
	unit := document.Page
	if r.format != "odg" {
		r.format, unit = "odp", document.Slide
	}
	r.out.b.Place(document.Part{Unit: unit, Number: r.slides})
}

// flush writes what was read.
func (r *odfReader) flush() {
	page := r.flow.page
	r.out.blocks(r.flow.finish())
	r.flow, r.lists, r.notes, r.title = flow{page: page}, 0, nil, false
}

func (r *odfReader) end(name string) {
	switch {
	case r.inMeta:
		r.inMeta = name != "meta"
		r.meta.end(name)
		return
	case r.sheet != nil:
		if r.sheet.end(name) {
			r.sheet = nil
		}
		return
	}
	switch name {
	case "footer-decl", "header-decl":
		r.decl = 0
	case "p", "h":
		if t := r.flow.top(); r.style != "" && t != nil && !t.isTable {
			r.byline.add(r.style, t.text.String())
			r.style = ""
		}
		r.flow.end(false)
	case "table":
		r.flow.end(true)
	case "table-header-rows":
		r.flow.headerRow()
	case "list", "ordered-list", "unordered-list":
		r.lists = max(r.lists-1, 0)
	case "frame":
		r.title = false
	case "span":
		if n := len(r.spans) - 1; n >= 0 {
			r.span, r.spans = r.spans[n], r.spans[:n]
			r.flow.shift = r.span.shift
		}
	case "ruby-text":
		r.flow.beside(false)
	case "title", "desc":
		if r.hints > 0 {
			r.hints--
			r.flow.write(" ")
		}
	case "note", "annotation", "footnote", "endnote":
		if len(r.notes) > 0 {
			r.notes = r.notes[:len(r.notes)-1]
			r.flow.end(false)
		}
	case "notes":
		r.flush()
		r.inNote = false
	}
}

func (r *odfReader) text(s string) {
	switch {
	case r.inMeta:
		r.meta.text(s)
	case r.sheet != nil:
		r.sheet.text(s)
	case r.decl > 0:
		r.decls[r.decl-1].text.WriteString(s)
	default:
		r.flow.write(codepage.Symbols(r.span.font, s))
	}
}

// missing reports whether an error says only that there is no such part.
func missing(err error) bool { return errors.Is(err, errNoPart) }
