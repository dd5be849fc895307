package pdf

import (
	"math"
	"strings"
	"unicode/utf16"

	"dowse/indexer/document"
)

// segment is a run of characters on one line without a wide gap. Its coordinates are
// turned so that the text runs from left to right: x grows along the line, y upwards.
type segment struct {
	text   string
	x0, x1 float64
	y      float64        // of the baseline
	size   float64        // of the characters, in points
	turn   int            // quarter turns of the text on the page
	bold   bool           // all of it is
	hyphen bool           // it ends with the hyphen of a divided word, which text leaves out
	shift  document.Shift // of its last character
}

// glyph is a character as it stands on the page.
type glyph struct {
	r       rune
	x0, x1  float64
	y       float64
	size    float64
	turn    int
	bold    bool
	letters string         // what it says where that is not r: é
	shift   document.Shift // by its form: fonts have figures that stand beside the line
}

// Characters that PDFium puts where a word is divided at the end of a line.
const (
	divided    = '\x02'
	dividedOld = '\ufffe'
)

// readSegments reads the characters of a page in the order in which PDFium has them.
func readSegments(p *instance, text uint64, says *actual, left *budget) []segment {
	n := min(p.count("FPDFText_CountChars", text), left.chars)
	b := segmenter{glyphs: glyphsOf(p, text, says), left: left, held: make([]token, 0, min(n, 2*heldTokens))}
	left.chars -= n
	says.silent(p, text, n)
	for i := 0; i < n && p.err == nil; i++ {
		b.addCharacter(uint64(i))
	}
	b.sayRest()
	b.flush()
	b.end()
	return b.segments
}

// addCharacter takes character i of the page.
func (b *segmenter) addCharacter(i uint64) {
	r := rune(b.glyphs.p.do(b.glyphs.unicode, b.glyphs.text, i))
	switch {
	case utf16.IsSurrogate(r) && b.high == 0:
		b.high = r
		return
	case utf16.IsSurrogate(r):
		r = utf16.DecodeRune(b.high, r)
	}
	b.high = 0
	switch r {
	case '\r', '\n':
		b.addToken(token{kind: isEnd, made: true})
	case divided, dividedOld, '\u00ad':
		b.addToken(token{kind: isDivision})
	case ' ', '\t', '\u00a0', '\u3000', 0:
		b.addToken(b.glyphs.spaceAt(i))
	default:
		t := b.glyphs.token(i, r)
		if n := b.glyphs.order(); n > 0 {
			b.sayDrawn(n, &t.g)
		}
		b.addToken(t)
	}
}

// Distances, in sizes of characters.
const (
	wideGap  = 1.6  // no space between words is as wide
	wordGap  = 0.28 // two characters further apart are of two words
	offLine  = 0.55 // a character that stands higher or lower is on another line
	backward = 0.6  // how far a line may go back

	// Of characters beside their line.
	smallSize = 0.92
	raised    = 0.15
	lowered   = 0.08
	touching  = 0.05 // no space is as narrow
)

// segmenter puts glyphs together.
type segmenter struct {
	glyphs   glyphs
	segments []segment
	now      segment
	text     document.Shifted
	last     glyph
	spaced   bool // a space since the last glyph
	leaders  int  // dots in a row
	high     rune // the first half of a character
	left     *budget
	held     []token
	part     *spoken // which the tokens inside are of
	inside   []token
	drawn    int // parts of the page that are passed
}

// end ends the segment.
func (b *segmenter) end() {
	b.now.text = strings.TrimRight(b.text.String(), " ")
	b.now.shift = b.text.At
	if b.now.text != "" && b.left.segments > 0 {
		b.left.segments--
		b.segments = append(b.segments, b.now)
	}
	b.text.Reset()
	b.now, b.spaced, b.leaders = segment{}, false, 0
}

func (b *segmenter) space() { b.spaced = b.text.Len() > 0 }

// divide notes that the word at hand goes on in the next line.
func (b *segmenter) divide() {
	if b.text.Len() > 0 {
		b.now.hyphen = true
		b.end()
	}
}

// add appends a glyph, to a new segment where it stands apart.
func (b *segmenter) add(g glyph) {
	letters := g.letters
	if letters == "" {
		letters = expand(g.r)
	}
	if letters == "" {
		return
	}
	if b.text.Len() > 0 && b.startsSegment(g) {
		b.end()
	}
	shift := document.OnLine
	if b.text.Len() == 0 {
		b.now = segment{x0: g.x0, x1: g.x1, y: g.y, size: g.size, turn: g.turn, bold: g.bold}
	} else {
		b.now.bold = b.now.bold && g.bold
		gap := max(g.x0-b.last.x1, b.last.x0-g.x1)
		size := g.size
		if shift = b.shiftOf(g); shift != document.OnLine {
			size = b.now.size
		}
		touches := shift != b.text.At && gap < touching*size // PDFium sees a space where the size changes
		if b.spaced && !touches || gap > wordGap*size && !isWide(g.r) && !isWide(b.last.r) {
			b.text.WriteByte(' ')
		}
		if g.size > b.now.size*1.05 && b.text.Len() < 4 { // a small label before the text
			b.now.size, b.now.y = g.size, g.y
		}
		b.now.x0, b.now.x1 = min(b.now.x0, g.x0), max(b.now.x1, g.x1)
	}
	b.text.Turn(shift, letters)
	b.last, b.spaced = g, false
	if g.r == '.' || g.r == '·' {
		if b.leaders++; b.leaders > 3 { // dots that lead to a page number
			return
		}
	} else {
		b.leaders = 0
	}
	b.text.WriteString(letters)
}

// shiftOf tells a glyph beside the line of its segment.
func (b *segmenter) shiftOf(g glyph) document.Shift {
	if g.shift != document.OnLine {
		return g.shift
	}
	return shiftOf(g.size/b.now.size, (g.y-b.now.y)/b.now.size)
}

// shiftOf tells small characters beside a line by their size and how far up they stand, both in sizes of the line's.
func shiftOf(size, up float64) document.Shift {
	switch {
	case size > smallSize:
	case up > raised:
		return document.Raised
	case -up > lowered:
		return document.Lowered
	}
	return document.OnLine
}

// startsSegment reports whether a glyph begins a new segment.
func (b *segmenter) startsSegment(g glyph) bool {
	size := max(g.size, b.now.size)
	switch {
	case g.turn != b.now.turn, math.Abs(g.y-b.now.y) > offLine*size:
		return true
	case g.x0-b.last.x1 > wideGap*size, b.last.x0-g.x1 > wideGap*size:
		return true
	}
	// Text that runs from right to left goes back all the time, by a letter.
	return g.x0 < b.now.x0-backward*size && g.x1 < b.last.x0-backward*size && !isRightToLeft(g.r)
}

// isWide reports whether characters of its script stand side by side without spaces.
func isWide(r rune) bool {
	return r >= 0x2e80 && r < 0xfb00 || r >= 0xff00 && r < 0xffe0 || r >= 0x20000
}

func isRightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00
}

// ligatures are letters that stand for several, and signs that fonts of their own have.
var ligatures = map[rune]string{
	'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl", 'ﬅ': "st", 'ﬆ': "st",
	'\uf0b7': "•", '\uf0a7': "•", '\uf076': "•", '\uf0d8': "•", '\uf0fc': "✓", '\uf02d': "-",
}

// expand returns the letters of a character, "" of one that says nothing.
func expand(r rune) string {
	if s, is := ligatures[r]; is {
		return s
	}
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, r >= 0xe000 && r < 0xf900, r >= 0xfff0 && r <= 0xffff, r == '\u200b', r == '\ufeff', r > 0x10ffff:
		return ""
	}
	return string(r)
}
