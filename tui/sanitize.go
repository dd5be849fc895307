package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
	"dowse/tui/rich"

	"github.com/charmbracelet/x/ansi"
)

const (
	tabWidth = 4
	// maxMarks bounds the combining marks on a letter; no language needs more,
	// and towers of them spill over lines.
	maxMarks = 4
)

// marked is sanitized text with the ranges of its matched words, ascending and
// disjoint, and of what is code or strong.
type marked struct {
	text  string
	hits  []engine.Range
	spans []rich.Span
}

// sanitize makes one line safe for a terminal. Control characters become
// symbols of U+2400 (ESC is ␛); C1 controls, bidirectional controls and invalid
// UTF-8 become U+FFFD; tabs become spaces; invisible format characters are
// dropped. Safe text comes back unchanged.
func sanitize(s string) string {
	if isPlain(s) {
		return s
	}
	return sanitizeMarked(s, nil).text
}

// Sanitize is sanitize for front ends that print.
func Sanitize(s string) string { return sanitize(s) }

// Unsafe reports whether a rune could steer a terminal or reorder a line, for
// front ends that escape it otherwise.
func Unsafe(r rune) bool { return r < ' ' || r == 0x7f || isHostile(r) }

// sanitizeMarked sanitizes s and moves the ranges of matched words along;
// ranges are clipped to s.
func sanitizeMarked(s string, hits []engine.Range) marked {
	return clean(s, hits, false)
}

// flattenMarked is sanitizeMarked with every run of white space as one space.
func flattenMarked(s string, hits []engine.Range) marked {
	return clean(s, hits, true)
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// cleaner is the state of one pass over a text.
type cleaner struct {
	out     strings.Builder
	flatten bool
	prev    rune // the last rune written
	marks   int  // combining marks since the last letter
	lastTab int  // where in out the last tab ended
	column  int  // cells before lastTab
}

func clean(s string, hits []engine.Range, flatten bool) marked {
	c := cleaner{flatten: flatten}
	c.out.Grow(len(s) + len(s)/8)
	var moved []engine.Range
	next, open := 0, -1
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if open >= 0 && i >= hits[next].End {
			moved = appendRange(moved, open, c.out.Len())
			next, open = next+1, -1
		}
		for open < 0 && next < len(hits) && i >= hits[next].Start {
			if i < hits[next].End {
				open = c.out.Len()
				break
			}
			next++
		}
		c.write(r, size)
		i += size
	}
	if open >= 0 {
		moved = appendRange(moved, open, c.out.Len())
	}
	return marked{text: c.out.String(), hits: moved}
}

func appendRange(ranges []engine.Range, start, end int) []engine.Range {
	if end <= start {
		return ranges
	}
	return append(ranges, engine.Range{Start: start, End: end})
}

func (c *cleaner) write(r rune, size int) {
	switch {
	case r == utf8.RuneError && size == 1:
		c.put(utf8.RuneError)
	case c.flatten && unicode.IsSpace(r):
		if c.out.Len() > 0 && c.prev != ' ' {
			c.put(' ')
		}
	case r == '\t':
		c.tab()
	case r < ' ':
		c.put('␀' + r)
	case r == 0x7f:
		c.put('␡')
	case isHostile(r):
		c.put(utf8.RuneError)
	case isInvisible(r, c.prev):
		// Dropped: invisible, and terminals disagree about its effect.
	case unicode.In(r, unicode.Mn, unicode.Me):
		if c.marks++; c.marks <= maxMarks {
			c.out.WriteRune(r)
		}
	case unicode.IsSpace(r):
		c.put(' ')
	default:
		c.put(r)
	}
}

func (c *cleaner) put(r rune) {
	c.out.WriteRune(r)
	c.prev, c.marks = r, 0
}

func (c *cleaner) tab() {
	c.column += ansi.StringWidth(c.out.String()[c.lastTab:])
	fill := tabWidth - c.column%tabWidth
	for range fill {
		c.put(' ')
	}
	c.column += fill
	c.lastTab = c.out.Len()
}

// isHostile reports whether r could steer the terminal or reorder a line.
func isHostile(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f: // C1 controls
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f: // direction marks
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // embeddings, overrides, isolates
		return true
	case r == 0x2028, r == 0x2029: // line and paragraph separators
		return true
	case r >= 0xfff9 && r <= 0xfffb: // interlinear annotation
		return true
	}
	return false
}

// isInvisible reports whether r after prev shows nothing. Joiners count as
// visible between letters of scripts that need them, not between emoji.
func isInvisible(r, prev rune) bool {
	switch {
	case r == 0x200d, r == 0x200c:
		return prev < 0x0600 || prev >= 0x2000
	case r == 0x00ad, r == 0x034f, r == 0x180e, r == 0x200b, r == 0xfeff:
		return true
	case r >= 0x2060 && r <= 0x2064, r >= 0x206a && r <= 0x206f:
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef: // variation selectors
		return true
	case r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // fillers
		return true
	}
	return unicode.Is(unicode.Cf, r)
}
