package office

import (
	"context"
	"fmt"
	"strings"

	"dowse/indexer/document"
)

// Limits of what takes many times the bytes that it has in the file; Excel's own are about these.
const (
	maxStyles   = 1 << 16 // of cells
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
	p, err := openOPC(ctx, in, "xl/workbook.xml")
	if err != nil {
		return nil, err
	}
	var book workbook
	sheets, err := book.sheets(ctx, p.parts, p.main, p.links)
	if err != nil {
		return nil, err
	}
	if err := book.shared(ctx, p.parts, p.links); err != nil {
		return nil, err
	}
	b := in.Builder()
	for _, s := range sheets {
		if err := book.sheet(ctx, p.parts, b, s); err != nil {
			return nil, fmt.Errorf("sheet %s: %w", s.name, err)
		}
	}
	if above := (running{}).fresh(book.running); len(above) > 0 {
		b.Place()
		(&writer{b: b}).blocks(above)
	}
	return p.document(ctx, b, "xlsx", byline{})
}

// readWorkbookPart reads a part of a workbook, of XML or binary. A missing part is no error.
func (p *parts) readWorkbookPart(ctx context.Context, name string, to events, binary func(kind int, r payload)) error {
	data, err := p.read(name)
	switch {
	case missing(err):
		return nil
	case err != nil:
		return err
	case isBinary(name):
		err = biff(ctx, data, binary)
	default:
		err = readXML(ctx, p.in, data, to)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// isBinary reports whether a part is one of a binary workbook; see biff.
func isBinary(part string) bool { return strings.HasSuffix(part, ".bin") }

// sheets lists the sheets of a workbook.
func (w *workbook) sheets(ctx context.Context, p *parts, main string, links relations) (sheets []sheetPart, err error) {
	if !p.has(main) {
		return nil, fmt.Errorf("%w: %s", errNoPart, main)
	}
	targets, seen := links.byID(), map[string]bool{}
	add := func(name, id string) {
		if part := targets[id]; part != "" && !seen[part] {
			seen[part] = true
			sheets = append(sheets, sheetPart{name, part})
		}
	}
	err = p.readWorkbookPart(ctx, main, elements(func(e element) {
		switch e.name {
		case "workbookPr":
			v := e.attribute("date1904")
			w.date1904 = v == "1" || v == "true"
		case "sheet":
			add(e.attribute("name"), e.attribute("id"))
		}
	}), func(kind int, r payload) {
		switch kind {
		case brtWbProp:
			w.date1904 = r.number()&1 != 0
		case brtBundleSh:
			id, rest := r.from(8).wide()
			name, _ := rest.wide()
			add(name, id)
		}
	})
	return sheets, err
}

// shared reads the strings and the number formats.
func (w *workbook) shared(ctx context.Context, p *parts, links relations) error {
	for _, name := range links.ofKind("sharedStrings") {
		var s sharedStrings
		if err := p.readWorkbookPart(ctx, name, &s, s.record); err != nil {
			return err
		}
		w.strings = s.all
	}
	for _, name := range links.ofKind("styles") {
		f := formatReader{codes: map[int]string{}}
		if err := p.readWorkbookPart(ctx, name, elements(f.element), f.record); err != nil {
			return err
		}
		w.formats = f.all
	}
	return nil
}

// formatReader reads the number formats of the styles of cells.
type formatReader struct {
	codes   map[int]string
	inCells bool
	all     []numberFormat
}

func (f *formatReader) element(e element) {
	switch e.name {
	case "numFmt":
		f.code(e.number("numFmtId", 0), e.attribute("formatCode"))
	case "cellStyleXfs", "cellXfs":
		f.inCells = e.name == "cellXfs"
	case "cellStyles", "dxfs":
		f.inCells = false
	case "xf":
		f.style(e.number("numFmtId", 0))
	}
}

func (f *formatReader) record(kind int, r payload) {
	switch kind {
	case brtFmt:
		code, _ := r.from(2).wide()
		f.code(int(r.number()&0xffff), code)
	case brtBeginCellXFs, brtEndCellXFs:
		f.inCells = kind == brtBeginCellXFs
	case brtXF:
		f.style(int(r.number() >> 16))
	}
}

// code takes a format of the file's own.
func (f *formatReader) code(id int, code string) {
	f.codes[id] = code
}

// style takes a style of cells.
func (f *formatReader) style(id int) {
	if !f.inCells || len(f.all) >= maxStyles {
		return
	}
	code, ok := f.codes[id]
	if !ok {
		code = builtinFormats[id]
	}
	f.all = append(f.all, parseNumberFormat(code))
}

// sharedStrings reads the table of strings, without how they are pronounced.
type sharedStrings struct {
	all    []string
	chars  document.Shifted
	inText bool
	shift  document.Shift // of the run
}

func (s *sharedStrings) start(e element) (skip bool) {
	s.inText = e.name == "t"
	switch e.name {
	case "r", "si":
		s.shift = document.OnLine
	case "vertAlign":
		s.shift = document.ShiftNamed(e.attribute("val"))
	}
	return e.name == "rPh"
}

func (s *sharedStrings) end(name string) {
	s.inText = false
	if name == "si" {
		s.all = append(s.all, unescapeString(s.chars.String()))
		s.chars.Reset()
	}
}

func (s *sharedStrings) record(kind int, r payload) {
	if kind == brtSSTItem {
		s.all = append(s.all, r.rich())
	}
}

func (s *sharedStrings) text(t string) {
	if !s.inText {
		return
	}
	s.chars.Turn(s.shift, t)
	s.chars.WriteString(t)
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
	for _, table := range links.ofKind("table") {
		err := p.readWorkbookPart(ctx, table, elements(func(e element) {
			if e.name == "table" && e.number("headerRowCount", 1) > 0 {
				_, n := cellAt(e.attribute("ref"))
				r.headers[n] = true
			}
		}), func(kind int, e payload) {
			if kind == brtBeginList && e.from(24).number() > 0 {
				r.headers[int(e.number())+1] = true
			}
		})
		if err != nil {
			return err
		}
	}
	if isBinary(s.part) {
		err = r.binary(ctx, data)
	} else {
		err = r.read(ctx, data)
	}
	if err != nil {
		return err
	}
	r.out.flush()
	w.running = append(w.running, r.running...)
	return w.writeReferred(ctx, p, b, links)
}
