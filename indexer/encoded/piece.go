package encoded

import "strings"

// class is what kind of letter of an alphabet a byte is.
type class uint8

const (
	none class = iota
	upper
	lower
	digit
	sign // + and /, or - and _ of URLs
)

// alphabet has the classes of base64 and of base64url.
var alphabet = func() (classes [256]class) {
	for c := range classes {
		switch {
		case 'A' <= c && c <= 'Z':
			classes[c] = upper
		case 'a' <= c && c <= 'z':
			classes[c] = lower
		case '0' <= c && c <= '9':
			classes[c] = digit
		case strings.IndexByte("+/-_", byte(c)) >= 0:
			classes[c] = sign
		}
	}
	return classes
}()

// maxPads is how many signs fill up the last word: two of base64, three where LZ-string wrote it.
const maxPads = 3

// piece is a word of the alphabet, as long as it goes, and the signs that fill it up.
type piece struct {
	start, end int
	padded     bool
}

func (p piece) size() int { return p.end - p.start }

// pieceAt returns the piece that begins at an offset, an empty one where none does.
func pieceAt(text string, at int) piece {
	p := piece{start: at, end: at}
	for p.end < len(text) {
		if alphabet[text[p.end]] != none {
			p.end++
		} else if n := escaped(text[p.end:], signs); n > 0 && p.end > at {
			p.end += n
		} else {
			break
		}
	}
	for range maxPads {
		n := escaped(text[p.end:], pads)
		if p.end == at || n == 0 {
			break
		}
		p.end, p.padded = p.end+n, true
	}
	return p
}

// How JSON and URLs write letters of the alphabet and what fills it up.
var (
	signs = []string{`\/`, "%2b", "%2f", `\u002b`, `\u002f`}
	pads  = []string{"=", "%3d", `\u003d`}
)

// escaped returns the length of the escape that a text begins with, 0 where there is none.
func escaped(text string, as []string) int {
	if text == "" || text[0] != '\\' && text[0] != '%' && text[0] != '=' {
		return 0
	}
	for _, s := range as {
		if len(text) >= len(s) && strings.EqualFold(text[:len(s)], s) {
			return len(s)
		}
	}
	return 0
}

// isTail reports whether a piece is the last line of a run whose lines are of some width, and no word that
// somebody wrote below it.
func (p piece) isTail(text string, width int, l look) bool {
	const fewest = 16 // letters that no word has by chance
	switch {
	case p.size() == 0 || p.size() > width || width%4 == 0 && p.size()%4 != 0,
		p.end < len(text) && (text[p.end] == ' ' || text[p.end] == '\t'):
		return false
	case p.padded:
		return true
	}
	return l.unlike > 0 && (p.size() >= fewest || !strings.HasSuffix(text[:p.start], "\n\n"))
}

// isHead reports whether a piece is what a run begins with on the line of its name.
func (p piece) isHead(text string) bool {
	return p.end > p.start && !p.padded && p.begins(text) && strings.IndexByte(":,;", text[p.end]) < 0
}

// begins reports whether a piece stands behind the sign that ends a name: PHOTO;ENCODING=b:iVBORw0.
func (p piece) begins(text string) bool {
	return p.start > 0 && strings.IndexByte(`:,;">'(=`, text[p.start-1]) >= 0
}

// look is what the letters of pieces look like.
type look struct {
	letters int // of the alphabet, digits and signs included
	differ  int // neighbours that differ
	unlike  int // pairs of letters that are rare in every language
	other   int // letters that are no hexadecimal digits
}

func (l *look) add(more look) {
	l.letters += more.letters
	l.differ += more.differ
	l.unlike += more.unlike
	l.other += more.other
}

// encoded reports whether the letters look as those of a code do.
func (l *look) encoded() bool { return l.unlike > 0 && l.unlike*unlikeness >= l.differ }

// isHashes reports whether lines of some width may be hashes, one below the other.
func (l *look) isHashes(width int) bool {
	return l.other == 0 && (width == 56 || width == 64 || width == 96 || width == 128)
}

// lookAt looks at a piece.
func lookAt(text string, p piece) (l look) {
	for i := p.start; i < p.end; i++ {
		c := text[i]
		is := alphabet[c]
		if is == none {
			continue
		}
		l.letters++
		if is == sign || c > 'f' || 'F' < c && c < 'a' {
			l.other++
		}
		if i == p.start || text[i-1] == c {
			continue
		}
		l.differ++
		switch before := alphabet[text[i-1]]; {
		case before == lower && is == upper,
			before == digit && (is == upper || is == lower),
			is == digit && (before == upper || before == lower):
			l.unlike++
		}
	}
	return l
}
