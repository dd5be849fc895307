package office

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"dowse/indexer/document"

	"github.com/dustin/go-humanize"
)

// Limits of a sheet of Gnumeric.
const (
	maxCells   = 1 << 20 // that are held: the file has them in any order
	maxRegions = 500     // of cells with a number format of their own
)

// readGnumeric reads a workbook of Gnumeric, sheet by sheet. Results of formulas are not in the file.
func readGnumeric(ctx context.Context, in *document.Input) (*document.Document, error) {
	r := gnumericReader{b: in.Builder()}
	if err := readXML(ctx, in, in.Data, &r); err != nil {
		return nil, err
	}
	return r.b.Document("gnumeric", r.meta.result()), nil
}

// gnumericReader reads its XML.
type gnumericReader struct {
	b      *document.Builder
	meta   properties
	inMeta bool
	sheet  bool
	name   string
	chars  strings.Builder
	cells  []placedCell
	next   placedCell
	kind   int // of the value of the cell: 40 is a number, 50 an error, 60 a text
	format string
	open   region // whose style comes next
	styles []region
	said   []comment
}

// placedCell is a cell and the row where it stands, from 1.
type placedCell struct {
	row int
	cell
}

// region is an area of cells with a number format.
type region struct {
	left, right, top, bottom int
	format                   string
}

func (g *gnumericReader) start(e element) (skip bool) {
	if g.inMeta {
		return g.meta.start(e)
	}
	g.chars.Reset()
	switch e.name {
	case "meta":
		g.inMeta = true
	case "Sheet":
		g.sheet, g.name, g.cells, g.styles, g.said = true, "", nil, nil, nil
	case "StyleRegion":
		g.open = region{left: e.number("startCol", 0), right: e.number("endCol", 0), top: e.number("startRow", 0) + 1, bottom: e.number("endRow", 0) + 1}
	case "Style":
		if g.open.format = e.attribute("Format"); g.open.format != "" && g.open.format != "General" && len(g.styles) < maxRegions {
			g.styles = append(g.styles, g.open)
		}
	case "Cell":
		g.next = placedCell{row: e.number("Row", 0) + 1, cell: cell{column: e.number("Col", 0)}}
		g.kind, g.format = e.number("ValueType", 0), e.attribute("ValueFormat")
	case "CellComment", "SheetObjectText", "SheetObjectBox", "SheetObjectEllipse", "SheetObjectGraphic", "SheetWidgetCheckbox", "SheetWidgetButton", "SheetWidgetFrame":
		if text := e.attribute("Text") + e.attribute("Label"); text != "" && len(g.said) < maxComments {
			c := comment{e.attribute("ObjectBound"), &strings.Builder{}}
			c.text.WriteString(text)
			g.said = append(g.said, c)
		}
	case "Summary", "SheetNameIndex", "Geometry", "PrintInformation", "Names", "Attributes", "Filters", "Solver", "Scenarios":
		return true
	}
	return false
}

func (g *gnumericReader) text(s string) {
	if g.inMeta {
		g.meta.text(s)
		return
	}
	g.chars.WriteString(s)
}

func (g *gnumericReader) end(name string) {
	if g.inMeta {
		g.inMeta = name != "meta"
		g.meta.end(name)
		return
	}
	switch name {
	case "Name":
		if g.sheet && g.name == "" {
			g.name = strings.TrimSpace(g.chars.String())
		}
	case "Cell", "Content": // in files of before 1.0 the text stands in the second
		g.cell()
	case "Sheet":
		g.write()
		g.sheet = false
	}
	g.chars.Reset()
}

// cell takes the cell that has ended.
func (g *gnumericReader) cell() {
	text := strings.TrimSpace(g.chars.String())
	formula := strings.HasPrefix(text, "=") && g.kind == 0
	if text == "" || formula || g.kind == 50 || g.next.column < 0 || g.next.column >= maxColumns || g.next.row < 1 {
		return
	}
	if len(g.cells) >= maxCells {
		g.b.Meet(humanize.Comma(maxCells) + " cells of a sheet")
		return
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && (g.kind == 30 || g.kind == 40) {
		format := g.format
		for _, r := range g.styles {
			if format == "" && g.next.column >= r.left && g.next.column <= r.right && g.next.row >= r.top && g.next.row <= r.bottom {
				format = r.format
			}
		}
		text, g.next.number = parseNumberFormat(format).show(f, false), true
	}
	g.next.text = text
	g.cells = append(g.cells, g.next)
}

// write writes the sheet that has ended.
func (g *gnumericReader) write() {
	slices.SortStableFunc(g.cells, func(a, b placedCell) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
	})
	out := beginSheet(g.b, g.name)
	for len(g.cells) > 0 && !g.b.Full() {
		next := row{number: g.cells[0].row}
		for len(g.cells) > 0 && g.cells[0].row == next.number {
			if n := len(next.cells); n == 0 || next.cells[n-1].column < g.cells[0].column {
				next.cells = append(next.cells, g.cells[0].cell)
			}
			g.cells = g.cells[1:]
		}
		out.add(next)
	}
	out.flush()
	for _, said := range g.said {
		g.b.Row([]string{"Comment " + said.ref}, []string{said.text.String()})
	}
}
