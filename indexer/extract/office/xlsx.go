package office

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"dowse/indexer/document"
)

// Limits of what sheets share; Excel's own are about these. More strings do not fit
// into a text.
const (
	maxStyles   = 1 << 16
	maxStrings  = 5_000_000
	maxComments = 100_000
)

// workbook is what the sheets of a file share.
type workbook struct {
	strings  []string
	formats  []numberFormat // by style
	date1904 bool
	running  []block // headers and footers
}

// sheetPart is a sheet and where it stands.
type sheetPart struct{ name, part string }

// readXLSX reads a workbook of Excel, sheet by sheet; hidden ones too.
func readXLSX(ctx context.Context, in *document.Input) (*document.Document, error) {
	p, err := openParts(in)
	if err != nil {
		return nil, err
	}
	root, err := p.relationsOf(ctx, "")
	if err != nil {
		return nil, err
	}
	main := firstOf(root.of("officeDocument"), "xl/workbook.xml")
	if strings.HasSuffix(main, ".bin") {
		return nil, fmt.Errorf("it is a binary workbook; save it as .xlsx")
	}
	links, err := p.relationsOf(ctx, main)
	if err != nil {
		return nil, err
	}
	var book workbook
	sheets, err := book.sheets(ctx, p, main, links)
	if err != nil {
		return nil, err
	}
	if err := book.shared(ctx, p, links); err != nil {
		return nil, err
	}
	b := in.Builder()
	for _, s := range sheets {
		if err := book.sheet(ctx, p, b, s); err != nil {
			return nil, fmt.Errorf("sheet %s: %w", s.name, err)
		}
	}
	if above := (running{}).fresh(book.running); len(above) > 0 {
		b.Place()
		(&writer{b: b}).blocks(above)
	}
	meta, err := p.properties(ctx, firstOf(root.of("core-properties"), "docprops/core.xml"))
	if err != nil {
		return nil, err
	}
	return b.Document("xlsx", meta), nil
}

// sheets lists the sheets of a workbook.
func (w *workbook) sheets(ctx context.Context, p *parts, main string, links relations) ([]sheetPart, error) {
	targets, seen := links.byID(), map[string]bool{}
	var sheets []sheetPart
	err := p.each(ctx, main, func(e element) {
		switch e.name {
		case "workbookPr":
			v := e.attribute("date1904")
			w.date1904 = v == "1" || v == "true"
		case "sheet":
			if part := targets[e.attribute("id")]; part != "" && !seen[part] {
				seen[part] = true
				sheets = append(sheets, sheetPart{e.attribute("name"), part})
			}
		}
	})
	return sheets, err
}

// shared reads the strings and the number formats.
func (w *workbook) shared(ctx context.Context, p *parts, links relations) error {
	for _, name := range links.of("sharedStrings") {
		var s sharedStrings
		if err := p.events(ctx, name, &s); err != nil && !missing(err) {
			return err
		}
		w.strings = s.all
	}
	for _, name := range links.of("styles") {
		codes, inCells := map[int]string{}, false
		err := p.each(ctx, name, func(e element) {
			switch e.name {
			case "numFmt":
				if len(codes) < maxStyles {
					codes[e.number("numFmtId", 0)] = e.attribute("formatCode")
				}
			case "cellStyleXfs", "cellXfs":
				inCells = e.name == "cellXfs"
			case "cellStyles", "dxfs":
				inCells = false
			case "xf":
				if inCells && len(w.formats) < maxStyles {
					id := e.number("numFmtId", 0)
					code, ok := codes[id]
					if !ok {
						code = builtinFormats[id]
					}
					w.formats = append(w.formats, parseNumberFormat(code))
				}
			}
		})
		if err != nil && !missing(err) {
			return err
		}
	}
	return nil
}

// sharedStrings reads the table of strings, without how they are pronounced.
type sharedStrings struct {
	all    []string
	chars  strings.Builder
	inText bool
}

func (s *sharedStrings) start(e element) (skip bool) {
	s.inText = e.name == "t"
	return e.name == "rPh"
}

func (s *sharedStrings) end(name string) {
	s.inText = false
	if name == "si" {
		if len(s.all) >= maxStrings {
			return
		}
		s.all = append(s.all, unescapeString(s.chars.String()))
		s.chars.Reset()
	}
}

func (s *sharedStrings) text(t string) {
	if s.inText {
		s.chars.WriteString(t)
	}
}

// sheet writes a sheet, and what is said beside its cells: comments, texts of drawings.
func (w *workbook) sheet(ctx context.Context, p *parts, b *document.Builder, s sheetPart) error {
	if !p.has(s.part) {
		return nil
	}
	links, err := p.relationsOf(ctx, s.part)
	if err != nil {
		return err
	}
	data, err := p.read(s.part)
	if err != nil {
		return err
	}
	r := sheetReader{book: w, out: beginSheet(b, s.name), headers: map[int]bool{}}
	for _, table := range links.of("table") {
		err := p.each(ctx, table, func(e element) {
			if e.name == "table" && e.number("headerRowCount", 1) > 0 {
				_, n := cellAt(e.attribute("ref"))
				r.headers[n] = true
			}
		})
		if err != nil && !missing(err) {
			return err
		}
	}
	if at := bytes.LastIndex(data, []byte("sheetData>")); at >= 0 { // they stand behind the rows
		r.merged(ctx, data[at+len("sheetData>"):])
	}
	if err := readXML(ctx, data, &r); err != nil {
		return err
	}
	r.out.flush()
	w.running = append(w.running, r.running...)
	return w.beside(ctx, p, b, links)
}

// beside writes comments and the texts of drawings of a sheet.
func (w *workbook) beside(ctx context.Context, p *parts, b *document.Builder, links relations) error {
	threads := links.of("threadedComment")
	for _, name := range append(threads, links.of("comments")...) {
		var c commentReader
		if err := p.events(ctx, name, &c); err != nil && !missing(err) {
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
	for _, name := range links.of("drawing") {
		below, err := p.relationsOf(ctx, name)
		if err != nil {
			return err
		}
		for _, part := range slices.Concat([]string{name}, below.of("chart"), below.of("diagramData")) {
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
