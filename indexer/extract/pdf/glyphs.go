package pdf

import (
	"math"
	"strings"

	"dowse/indexer/document"

	"github.com/tetratelabs/wazero/api"
)

// glyphs reads what PDFium knows of the characters of a page.
type glyphs struct {
	p      *instance
	text   uint64          // handle of the page's text
	object uint64          // that look was read of, 0 of none
	look   look            // of the last character
	bold   map[uint64]bool // by font
	figure float64         // width of the widest figure, in sizes
	actual *actual

	// Functions that are called for each character, looked up once.
	unicode, objectOf, box, origin api.Function
}

// glyphsOf reads the characters of a page's text.
func glyphsOf(p *instance, text uint64, says *actual) glyphs {
	return glyphs{
		p: p, text: text, bold: map[uint64]bool{}, actual: says,
		unicode: p.function("FPDFText_GetUnicode"), objectOf: p.function("FPDFText_GetTextObject"),
		box: p.function("FPDFText_GetLooseCharBox"), origin: p.function("FPDFText_GetCharOrigin"),
	}
}

// look is what the characters of a text object have in common.
type look struct {
	size float64 // in points
	turn int     // quarter turns of the text on the page
	bold bool
}

// Offsets within the scratch memory.
const (
	atMatrix = 0       // 6 numbers of 32 bits
	atBox    = 0       // 4
	atOrigin = 8 * 4   // 2 numbers of 64 bits
	atEnd    = 8*4 + 8 // the second of them
)

// glyph reads character i, which is r, so that its line runs from left to right.
func (c *glyphs) glyph(i uint64, r rune) glyph {
	if object := c.p.do(c.objectOf, c.text, i); object != c.object || object == 0 {
		c.object, c.look = object, c.lookOf(i, object)
	}
	at := uint64(c.p.scratch)
	c.p.do(c.box, c.text, i, at+atBox)
	left, top, right, bottom := c.p.float(atBox), c.p.float(atBox+4), c.p.float(atBox+8), c.p.float(atBox+12)
	c.p.do(c.origin, c.text, i, at+atOrigin, at+atEnd)
	x, y := c.p.double(atOrigin), c.p.double(atEnd)
	g := glyph{r: r, size: c.look.size, turn: c.look.turn, bold: c.look.bold}
	switch g.turn {
	case 0:
		g.x0, g.x1, g.y = left, right, y
	case 1: // upwards
		g.x0, g.x1, g.y = bottom, top, -x
	case 2: // upside down
		g.x0, g.x1, g.y = -right, -left, -y
	case 3: // downwards
		g.x0, g.x1, g.y = -top, -bottom, x
	}
	if g.x1 < g.x0 {
		g.x0, g.x1 = g.x1, g.x0
	}
	if r >= '0' && r <= '9' {
		g.shift = c.figureShift(i, &g)
	}
	return g
}

// Figures that a font has for what is raised or lowered, in sizes.
const (
	narrowFigure = 0.8  // of the widest one; figures in a column are as wide as each other
	raisedFoot   = 0.2  // how far above the line a raised one begins
	loweredTop   = 0.35 // where a lowered one ends, which begins below the line; an old-style 3 does as well
)

// figureShift tells such a figure, which is i, by its outline: it has the size and the line of those around it.
func (c *glyphs) figureShift(i uint64, g *glyph) document.Shift {
	width := (g.x1 - g.x0) / g.size
	if c.figure = max(c.figure, width); width > narrowFigure*c.figure || g.turn != 0 {
		return document.OnLine
	}
	at := uint64(c.p.scratch) // four numbers of 64 bits: left, right, bottom, top
	if c.p.call("FPDFText_GetCharBox", c.text, i, at, at+8, at+16, at+24) == 0 {
		return document.OnLine
	}
	switch foot, top := (c.p.double(16)-g.y)/g.size, (c.p.double(24)-g.y)/g.size; {
	case foot > raisedFoot:
		return document.Raised
	case foot < 0 && top < loweredTop:
		return document.Lowered
	}
	return document.OnLine
}

// token reads character i with the part of the page that it is of.
func (c *glyphs) token(i uint64, r rune) token {
	t := token{g: c.glyph(i, r)}
	if t.of = c.actual.of[c.object]; t.of != nil {
		t.unknown = c.p.call("FPDFText_HasUnicodeMapError", c.text, i) == 1
	}
	return t
}

// order is the place of the last character's object on the page, 0 where it is not known.
func (c *glyphs) order() int { return c.actual.order[c.object] }

// spaceAt reads a space. Where it stands is of interest if it is a glyph that has no character.
func (c *glyphs) spaceAt(i uint64) token {
	t := token{kind: isSpace, made: c.p.call("FPDFText_IsGenerated", c.text, i) != 0}
	if !t.made && c.p.call("FPDFText_HasUnicodeMapError", c.text, i) == 1 {
		t.g = c.glyph(i, ' ')
	}
	return t
}

// lookOf reads the look of character i, which is of a text object, 0 for none.
func (c *glyphs) lookOf(i, object uint64) look {
	size := finite(api.DecodeF64(c.p.call("FPDFText_GetFontSize", c.text, i)))
	turn := 0
	if c.p.call("FPDFText_GetMatrix", c.text, i, uint64(c.p.scratch)+atMatrix) != 0 {
		along, up := [2]float64{c.p.float(atMatrix), c.p.float(atMatrix + 4)}, [2]float64{c.p.float(atMatrix + 8), c.p.float(atMatrix + 12)}
		if scale := math.Hypot(up[0], up[1]); scale > 0 {
			size *= scale
		}
		turn = int(math.Round(math.Atan2(along[1], along[0])/(math.Pi/2))+4) % 4
	}
	return look{size: min(max(math.Abs(size), 0.1), 1000), turn: turn, bold: c.isBold(c.p.call("FPDFTextObj_GetFont", object))}
}

func (c *glyphs) isBold(font uint64) bool {
	bold, known := c.bold[font]
	if !known {
		bold = font != 0 && isBold(c.p.string("FPDFFont_GetBaseFontName", font))
		c.bold[font] = bold
	}
	return bold
}

// isBold tells by the name of a font whether it is bold: CMBX10, Helvetica-Bold.
func isBold(font string) bool {
	if at := strings.IndexByte(font, '+'); at >= 0 {
		font = font[at+1:]
	}
	font = strings.ToLower(font)
	return strings.Contains(font, "bold") || strings.Contains(font, "black") || strings.Contains(font, "heavy") ||
		strings.Contains(font, "cmbx") || strings.HasPrefix(font, "sfbx") || strings.HasPrefix(font, "ecbx") || strings.HasPrefix(font, "sfrb")
}
