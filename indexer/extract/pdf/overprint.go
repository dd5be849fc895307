package pdf

import (
	"math"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is what a page says next: a character, or what stands between two.
type token struct {
	kind    tokenKind
	made    bool    // PDFium put it there: a space where there is a gap
	g       glyph   // of a character; of a space that is a glyph, where it stands
	of      *spoken // the part of the page that says how it reads; nil of none
	unknown bool    // of a character of such a part: the font does not say which it is
}

type tokenKind uint8

const (
	isGlyph tokenKind = iota
	isSpace
	isEnd      // of a line
	isDivision // of a word, at the end of a line
	isGone     // a mark that is part of its letter now
)

// TeX sets é of its first encoding as two glyphs over each other, ´ and e, and ≠ as a slash
// without width and =. PDFium gives both in the order of their left edges, and those that
// stand higher, of É, at the end of the line.
const (
	heldTokens = 4096 // of a page that are looked at together
	nearTokens = 256  // how far from its letter a mark may be
)

// marks are the combining forms of glyphs that TeX and others print over letters.
var marks = map[rune]rune{
	'`': '\u0300', '´': '\u0301', 'ˆ': '\u0302', '^': '\u0302', '˜': '\u0303', '~': '\u0303', '¯': '\u0304', '˘': '\u0306', '˙': '\u0307',
	'¨': '\u0308', '˚': '\u030a', '°': '\u030a', '˝': '\u030b', 'ˇ': '\u030c', '¸': '\u0327', '˛': '\u0328', '\u20d7': '\u20d7',
	negation: negation, '/': negation, '.': dotBelow, ' ': stroke,
}

const (
	negation    = '\u0338'
	dotBelow    = '\u0323'
	macronBelow = '\u0331'
	stroke      = '\u0335' // of ł: Computer Modern has it where others have the space
)

// overprinted puts the marks of some tokens into the letters that they are printed over.
func overprinted(tokens []token) []token {
	changed := false
	for i := range tokens {
		if m, is := marks[tokens[i].g.r]; is && tokens[i].kind <= isSpace && !tokens[i].made {
			if at, letters := letterOf(tokens, i, m); letters != "" {
				tokens[at].g.letters, tokens[i].kind, changed = letters, isGone, true
			}
		}
	}
	if changed {
		closeUp(tokens)
	}
	return tokens
}

// letterOf looks for the letter that the mark tokens[i] is printed over, and returns what both
// are together, "" of none. The next glyph comes first: TeX prints the mark before.
func letterOf(tokens []token, i int, mark rune) (at int, letters string) {
	for d := 1; d <= nearTokens; d++ {
		for _, at := range [2]int{i + d, i - d} {
			if at < 0 || at >= len(tokens) || tokens[at].kind != isGlyph {
				continue
			}
			if letters := tokens[i].g.over(&tokens[at].g, mark); letters != "" {
				return at, letters
			}
		}
	}
	return 0, ""
}

// over returns what a mark and the glyph that it is printed over are together, "" where it is
// printed elsewhere or where they are nothing.
func (m *glyph) over(g *glyph, mark rune) string {
	size := g.size
	center, width := (m.x0+m.x1)/2, m.x1-m.x0
	if width < 0.01*size { // it is drawn to the right of where it stands
		center += 0.3 * size
		if mark == negation && abs(m.x0-g.x0) > 0.1*size {
			return ""
		}
	}
	dy := m.y - g.y
	if m.turn != g.turn || center < g.x0 || center > g.x1 || math.Abs(dy) > 0.75*size || g.letters == "" && g.r < '!' {
		return ""
	}
	aside := math.Abs(center - (g.x0+g.x1)/2)
	below := dy < -0.1*size
	switch {
	case mark == dotBelow && (!below || aside > 0.12*size), mark == negation && (!unicode.Is(unicode.Sm, g.r) || m.r == '/' && aside > 0.2*size):
		return ""
	case mark == stroke:
		return map[rune]string{'l': "ł", 'L': "Ł"}[g.r]
	case mark == '\u0304' && below:
		mark = macronBelow
	}
	return marked(g, mark)
}

// marked returns a letter with a mark more: one character, or for letters two.
func marked(g *glyph, mark rune) string {
	base := g.letters
	switch {
	case base != "":
	case g.r == 'ı':
		base = "i"
	case g.r == 'ȷ':
		base = "j"
	default:
		base = string(g.r)
	}
	first, _ := utf8.DecodeRuneInString(base)
	composed := norm.NFC.String(base + string(mark))
	if _, n := utf8.DecodeRuneInString(composed); n < len(composed) && (!unicode.IsLetter(first) || len(composed) > maxMarked) {
		return ""
	}
	return composed
}

// maxMarked is how many bytes a letter and its marks have.
const maxMarked = 12

// closeUp drops what PDFium put between two glyphs of a word since a mark stood between them.
func closeUp(tokens []token) {
	last, gone := -1, false
	for i := range tokens {
		switch tokens[i].kind {
		case isGone:
			gone = true
		case isGlyph:
			if last >= 0 && gone && touch(&tokens[last].g, &tokens[i].g) {
				for k := last + 1; k < i; k++ {
					if tokens[k].made {
						tokens[k].kind = isGone
					}
				}
			}
			last, gone = i, false
		}
	}
}

// touch reports whether two glyphs stand side by side on a line without a space.
func touch(a, b *glyph) bool {
	gap := b.x0 - a.x1
	return a.turn == b.turn && math.Abs(a.y-b.y) < 0.1*a.size && gap > -0.3*a.size && gap < 0.12*a.size
}

// push holds a token until those around it are known.
func (b *segmenter) push(t token) {
	b.held = append(b.held, t)
	if n := len(b.held); n >= 2*heldTokens || n >= heldTokens && t.kind == isEnd {
		b.flush()
	}
}

// flush puts the tokens that are held into segments.
func (b *segmenter) flush() {
	for _, t := range overprinted(b.held) {
		switch t.kind {
		case isGlyph:
			b.add(t.g)
		case isSpace:
			b.space()
		case isEnd:
			b.end()
		case isDivision:
			b.divide()
		}
	}
	b.held = b.held[:0]
}
