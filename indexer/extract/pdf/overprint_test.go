package pdf

import (
	"fmt"
	"strings"
	"testing"
)

// over is a content stream of glyphs that are moved to where pdfTeX moves them: at x and y of
// hundredths of a size of 10 points.
func over(pieces ...[3]any) string {
	var b strings.Builder
	for _, p := range pieces {
		fmt.Fprintf(&b, "BT /F 10 Tf %d.%02d %d Td (%s) Tj ET\n", 50+p[0].(int)/10, p[0].(int)%10*10, 700+p[1].(int), p[2])
	}
	return b.String()
}

// Letters of Helvetica: C is 72 tenths of a point wide, a and e 56, f 28, u 56, the marks 33.
func TestLettersOfTwoGlyphs(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"before its letter":    {over([3]any{0, 0, "caf"}, [3]any{146, 0, `\264`}, [3]any{134, 0, "e now"}), "café now"},
		"behind it":            {over([3]any{0, 0, "cafe"}, [3]any{146, 0, `\264`}, [3]any{190, 0, " now"}), "café now"},
		"higher, of a capital": {over([3]any{0, 0, "of"}, [3]any{128, 3, `\250`}, [3]any{111, 0, "Uber"}), "of Über"},
		"within a word":        {over([3]any{0, 0, "L"}, [3]any{72, 3, `\264`}, [3]any{56, 0, "EVI"}), "LÉVI"},
		"below":                {over([3]any{0, 0, "gar"}, [3]any{153, 0, `\270`}, [3]any{144, 0, "con"}), "garçon"},
		"beside":               {over([3]any{0, 0, "20"}, [3]any{111, 0, `\260`}, [3]any{151, 0, "C"}), "20°C"},
		"a full stop":          {over([3]any{0, 0, "it is."}), "it is."},
		"a dot below":          {over([3]any{0, 0, "ha"}, [3]any{111, -2, "."}, [3]any{111, 0, "tha"}), "haṭha"},
		"alone":                {over([3]any{0, 0, "the sign"}, [3]any{400, 0, `\264`}, [3]any{460, 0, "here"}), "the sign ´ here"},
	} {
		d, err := readMade(t, newReader(t), made{pages: []string{c.content}}.bytes())
		if err != nil || d.Text != c.want {
			t.Errorf("%s: %v, %v, want %q", name, d, err, c.want)
		}
	}
}

// negated is the slash of Computer Modern, which has no width.
func negated(x float64) token { return token{g: glyph{r: negation, x0: x, x1: x, size: 10}} }

func TestSlashOverARelation(t *testing.T) {
	sign := func(r rune, x float64) token { return token{g: glyph{r: r, x0: x, x1: x + 8, size: 10}} }
	for name, c := range map[string]struct {
		tokens []token
		want   string
	}{
		"not equal":       {[]token{sign('a', 0), negated(8), sign('=', 8), sign('b', 16)}, "a≠b"},
		"no element":      {[]token{sign('∈', 8), {g: glyph{r: '/', x0: 9.5, x1: 14.5, size: 10}}}, "∉"},
		"a slash beside":  {[]token{sign('=', 8), {g: glyph{r: '/', x0: 16, x1: 21, size: 10}}}, "=/"},
		"not over a word": {[]token{negated(8), sign('x', 8)}, "\u0338x"},
		"a Polish l":      {[]token{sign('a', 0), {kind: isSpace, g: glyph{r: ' ', x0: 8, x1: 11, size: 10}}, sign('l', 8), sign('a', 16)}, "ała"},
		"a space":         {[]token{sign('a', 0), {kind: isSpace, made: true, g: glyph{r: ' ', x0: 8, x1: 11, size: 10}}, sign('l', 8)}, "a l"},
	} {
		b := segmenter{left: &budget{segments: 9}}
		for _, tok := range c.tokens {
			b.push(tok)
		}
		b.flush()
		if b.end(); len(b.segments) != 1 || b.segments[0].text != c.want {
			t.Errorf("%s: %v, want %q", name, b.segments, c.want)
		}
	}
}

// A page of marks alone is held in parts.
func TestMarksWithoutLetters(t *testing.T) {
	b := segmenter{left: &budget{segments: 9}}
	most := 0
	for i := range 5 * heldTokens {
		b.push(token{g: glyph{r: '´', x0: float64(i), x1: float64(i) + 1, size: 10}})
		most = max(most, len(b.held))
	}
	b.flush()
	if b.end(); most > 2*heldTokens || len(b.segments) == 0 {
		t.Errorf("%d tokens are held at once; %d segments", most, len(b.segments))
	}
}
