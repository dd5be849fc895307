package office

import (
	"context"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"dowse/indexer/document"
)

// readXPS reads pages as they were printed to a file (XPS, OpenXPS): glyphs at places, line by line.
func readXPS(ctx context.Context, in *document.Input) (*document.Document, error) {
	p, err := openParts(in)
	if err != nil {
		return nil, err
	}
	pages, err := p.fixedPages(ctx)
	if err != nil {
		return nil, err
	}
	b := in.Builder()
	for i, name := range pages {
		var page fixedPage
		if err := p.events(ctx, name, &page); missing(err) {
			continue
		} else if err != nil {
			return nil, err
		}
		b.Place(document.Part{Unit: document.Page, Number: i + 1})
		for _, paragraph := range page.paragraphs() {
			b.Paragraph(paragraph)
		}
	}
	meta, err := p.properties(ctx, "docprops/core.xml")
	if err != nil && !missing(err) {
		return nil, err
	}
	return b.Document("xps", meta), nil
}

// fixedPages returns the names of the pages: the file names a sequence of documents, each of which names its pages.
func (p *parts) fixedPages(ctx context.Context) ([]string, error) {
	root, err := p.relationsOf(ctx, "")
	if err != nil {
		return nil, err
	}
	names := root.ofKind("fixedrepresentation")
	for _, reference := range []string{"DocumentReference", "PageContent"} {
		var below []string
		for _, name := range names {
			err := p.each(ctx, name, func(e element) {
				if e.name == reference {
					below = append(below, resolve(name, e.attribute("Source")))
				}
			})
			if err != nil && !missing(err) {
				return nil, err
			}
		}
		names = below
	}
	if len(names) == 0 { // some programs name them so and nowhere else
		for name := range p.files {
			if strings.HasSuffix(name, ".fpage") {
				names = append(names, name)
			}
		}
		sort.Slice(names, func(i, j int) bool {
			return len(names[i]) < len(names[j]) || len(names[i]) == len(names[j]) && names[i] < names[j]
		})
	}
	return names, nil
}

// maxGlyphs is how many runs of glyphs of a page are read.
const maxGlyphs = 200_000

// glyphRun is what stands at a place, in units of the page: one font, one line.
type glyphRun struct {
	x, y, size, end float64
	text            string
}

// fixedPage reads a page.
type fixedPage struct{ runs []glyphRun }

func (f *fixedPage) start(e element) bool {
	if e.name != "Glyphs" || len(f.runs) >= maxGlyphs {
		return false
	}
	text := strings.TrimPrefix(e.attribute("UnicodeString"), "{}") // braces would be a reference
	number := func(name string) float64 {
		n, err := strconv.ParseFloat(e.attribute(name), 64)
		if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
			return 0
		}
		return n
	}
	if text != "" {
		run := glyphRun{x: number("OriginX"), y: number("OriginY"), size: number("FontRenderingEmSize"), text: text}
		run.end = run.x + run.size*advance(e.attribute("Indices"), len([]rune(text)))
		f.runs = append(f.runs, run)
	}
	return false
}

func (*fixedPage) end(string)  {}
func (*fixedPage) text(string) {}

// advance returns how wide the glyphs of a run are, in sizes of the font: the file may say it of each ("index,width;..."
// in hundredths), half a size is the mean of others.
func advance(indices string, glyphs int) float64 {
	said := strings.Split(indices, ";")
	width := 0.0
	for i := range glyphs {
		own := 0.5
		if i < len(said) {
			if fields := strings.Split(said[i], ","); len(fields) > 1 {
				if n, err := strconv.ParseFloat(fields[1], 64); err == nil && n >= 0 && n < 1000 {
					own = n / 100
				}
			}
		}
		width += own
	}
	return width
}

// Distances between lines and runs, in sizes of the font.
const (
	sameLine      = 0.3 // as high as that
	nextParagraph = 1.8 // from line to line
	runGap        = 0.2 // as wide is a blank
)

// paragraphs returns what the page says: runs of a line in the order of the file, which is that of reading.
func (f *fixedPage) paragraphs() []string {
	var all []string
	var text strings.Builder
	flush := func() {
		all = append(all, text.String())
		text.Reset()
	}
	for i, run := range f.runs {
		if i > 0 {
			before := f.runs[i-1]
			down := run.y - before.y
			switch size := max(run.size, before.size); {
			case math.Abs(down) <= sameLine*size:
				if gap := run.x - before.end; gap > runGap*size || gap < -size {
					text.WriteByte(' ')
				}
			case down < 0 || down > nextParagraph*size:
				flush()
			default:
				text.WriteByte('\n')
			}
		}
		text.WriteString(run.text)
	}
	flush()
	return slices.DeleteFunc(all, func(s string) bool { return strings.TrimSpace(s) == "" })
}
