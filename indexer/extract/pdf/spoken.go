package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"dowse/indexer/document"
)

// readable is a text that a file says, as segments have theirs.
func readable(text string) string {
	var b strings.Builder
	for _, r := range document.Undivided(text) {
		if unicode.IsSpace(r) {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(expand(r))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// addToken takes the next token of the page, and holds the tokens of a part with ActualText until
// its end.
func (b *segmenter) addToken(t token) {
	if b.part != nil && (t.kind != isGlyph || t.of == b.part) && len(b.inside) < heldTokens {
		b.inside = append(b.inside, t)
		return
	}
	b.endPart(&t)
	if t.kind != isGlyph || t.of == nil {
		b.push(t)
		return
	}
	b.part, b.inside = t.of, append(b.inside, t)
}

// endPart ends the part at hand, if there is one; next comes behind it.
func (b *segmenter) endPart(next *token) {
	if b.part == nil {
		return
	}
	part, shown := b.part, b.inside
	b.part, b.inside = nil, nil
	end := len(shown)
	for end > 1 && shown[end-1].kind != isGlyph {
		end--
	}
	if behind := shown[end:]; len(behind) > 0 {
		next = &behind[0]
	}
	for _, t := range part.instead(shown[:end], b.lastGlyph(), next) {
		b.push(t)
	}
	for _, t := range shown[end:] {
		b.push(t)
	}
}

// lastGlyph is the glyph that was pushed last, nil where another token was.
func (b *segmenter) lastGlyph() *token {
	if n := len(b.held); n > 0 && b.held[n-1].kind == isGlyph {
		return &b.held[n-1]
	}
	return nil
}

// instead returns what stands for the tokens of a part: what it says, what the page shows where
// both are the same, and both where the page shows words that it does not say.
func (s *spoken) instead(shown []token, before, after *token) []token {
	if s.said {
		if s.keeps {
			return shown
		}
		return nil
	}
	s.said = true
	within := func(t *token, at glyph) bool {
		return t != nil && t.kind == isGlyph && isOfWord(t.g.r) && touchesEither(&t.g, &at)
	}
	first, last := shown[0].g, shown[len(shown)-1].g
	partOfWord := within(before, first) || within(after, last)
	reads := reading(s.text, textOf(shown), partOfWord)
	s.keeps = reads != readsSaid
	if reads == readsShown {
		return shown
	}
	if reads == readsBoth {
		shown = append(shown, token{kind: isSpace}, s.glyph(last))
		if after != nil && after.kind == isGlyph && isOfWord(after.g.r) {
			shown = append(shown, token{kind: isSpace})
		}
		return shown
	}
	at := first
	for _, t := range shown {
		if t.kind == isGlyph && math.Abs(t.g.y-at.y) < offLine*at.size {
			at.x0, at.x1, at.bold = min(at.x0, t.g.x0), max(at.x1, t.g.x1), at.bold && t.g.bold
		}
	}
	return []token{s.glyph(at)}
}

func touchesEither(a, b *glyph) bool { return touch(a, b) || touch(b, a) }

// glyph is one that says what the part says, where another stands.
func (s *spoken) glyph(at glyph) token {
	at.letters, at.r = s.text, firstRune(s.text)
	return token{g: at}
}

// drawnGlyph says a part that has no glyphs, within the box of what is drawn. next is the glyph
// behind it, nil of none: it tells how wide one is of which the font knows nothing.
func (s *spoken) drawnGlyph(next *glyph) token {
	n := float64(utf8.RuneCountInString(s.text))
	width, height := s.x1-s.x0, s.y1-s.y0
	if next != nil && next.turn == 0 && width <= 0 && abs(next.y-s.y0) < offLine*next.size && next.x0 >= s.x0 && next.x0-s.x0 < n*next.size {
		return s.glyph(glyph{x0: s.x0, x1: next.x0, y: next.y, size: next.size})
	}
	// Of a line of letters half as wide as high, or of several lines.
	width, height = max(width, 1), max(height, 1)
	return s.glyph(glyph{x0: s.x0, x1: s.x0 + width, y: s.y0, size: max(min(height, math.Sqrt(height*width/(0.6*n))), 1)})
}

// sayDrawn says the parts without glyphs that come before an object of text in the order of the
// page; next is the first glyph of that.
func (b *segmenter) sayDrawn(before int, next *glyph) {
	parts := b.glyphs.actual.parts
	for ; b.drawn < len(parts) && parts[b.drawn].order < before; b.drawn++ {
		s := parts[b.drawn]
		if !s.drawn || s.said {
			continue
		}
		b.endPart(nil)
		s.said = true
		t := s.drawnGlyph(next)
		b.closeUpTo(&t.g)
		b.push(t)
	}
}

// closeUpTo drops the spaces that PDFium put where a glyph stands.
func (b *segmenter) closeUpTo(g *glyph) {
	n := len(b.held)
	for n > 0 && b.held[n-1].kind == isSpace && b.held[n-1].made {
		n--
	}
	if n > 0 && b.held[n-1].kind == isGlyph && touch(&b.held[n-1].g, g) {
		b.held = b.held[:n]
	}
}

// sayRest handles the tokens left at the end of the page.
func (b *segmenter) sayRest() {
	b.endPart(nil)
	b.sayDrawn(math.MaxInt, nil)
}

// What stands in the text for a part of a page.
const (
	readsShown = iota // the glyphs, which say the same
	readsSaid         // what the file says
	readsBoth
)

// reading decides between what the file says and what the page shows; what is part of a word is
// shown or said, not both.
func reading(said, shown string, partOfWord bool) int {
	said, shown = plain(said), plain(shown)
	saidWords, shownWords := strings.FieldsFunc(said, notLetter), strings.FieldsFunc(shown, notLetter)
	if len(saidWords) == 0 { // a bullet, for a letter of a font of pictures
		if len(shownWords) > 0 && utf8.RuneCountInString(shown) > 1 {
			return readsShown
		}
		return readsSaid
	}
	switch {
	case !lacks(shown, shownWords, saidWords, 1):
		return readsShown
	case partOfWord || !lacks(said, saidWords, shownWords, 2) || alike(said, shown):
		return readsSaid
	}
	return readsBoth
}

// lacks reports whether a text lacks one of the words that have some letters at least.
func lacks(text string, has, words []string, least int) bool {
	known := make(map[string]bool, len(has))
	for _, word := range has {
		known[word] = true
	}
	for _, word := range words {
		if utf8.RuneCountInString(word) >= least && !known[word] && !(isWide(firstRune(word)) && strings.Contains(text, word)) {
			return true
		}
	}
	return false
}

// maxAlike is how many letters texts have of which those alone are compared: longer ones of a
// language have the same.
const maxAlike = 24

// alike reports whether two texts are the same with other spaces, or short ones of mostly the
// same letters: those of Hindi in the order in which they are drawn.
func alike(a, b string) bool {
	a, b = strings.Join(strings.FieldsFunc(a, notLetter), ""), strings.Join(strings.FieldsFunc(b, notLetter), "")
	most := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if a == b || most > maxAlike {
		return a == b
	}
	count, same := map[rune]int{}, 0
	for _, r := range a {
		count[r]++
	}
	for _, r := range b {
		if count[r] > 0 {
			count[r]--
			same++
		}
	}
	return 5*same >= 4*most
}

func plain(s string) string { return strings.ToLower(norm.NFKC.String(s)) }

func notLetter(r rune) bool { return !isOfWord(r) }

func isOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// textOf returns the characters of glyphs.
func textOf(tokens []token) string {
	var b strings.Builder
	for i := range tokens {
		switch t := &tokens[i]; t.kind {
		case isGlyph:
			if !t.unknown {
				b.WriteString(expand(t.g.r))
			}
		case isSpace, isEnd:
			b.WriteByte(' ')
		}
	}
	return b.String()
}
