package tui

import (
	"strings"

	"dowse/internal/fold"
)

// chooser is what the lists that cover the body have in common: a filter, entries of a
// few rows each, one of them chosen, and a confirmation that it may ask for.
type chooser struct {
	open   bool
	asking bool // asks for confirmation
	moved  bool // the person chose

	filter string
	shown  []int // which of the list match the filter
	more   bool  // one more entry follows, for what is typed
	chosen int   // entry
	top    int   // first entry in sight
	rows   int   // of an entry
	area   rect
}

// match shows those of n whose text has every word of a filter, and chooses the first one.
func (c *chooser) match(words []string, n int, text func(i int) string) {
	c.shown, c.chosen, c.top, c.moved, c.asking = c.shown[:0], 0, 0, false, false
	for i := range n {
		folded, holds := fold.String(text(i)), true
		for _, word := range words {
			holds = holds && strings.Contains(folded, word)
		}
		if holds {
			c.shown = append(c.shown, i)
		}
	}
}

// filterWords returns the words of a filter, folded.
func filterWords(filter string) []string { return strings.Fields(fold.String(filter)) }

// entries counts the entries, including the one for what is typed.
func (c *chooser) entries() int {
	if c.more {
		return len(c.shown) + 1
	}
	return len(c.shown)
}

// index returns which of the list is chosen; false where none is.
func (c *chooser) index() (int, bool) {
	if c.chosen < 0 || c.chosen >= len(c.shown) {
		return 0, false
	}
	return c.shown[c.chosen], true
}

// choose chooses an entry, or the nearest one, and reveals it.
func (c *chooser) choose(entry int) {
	c.chosen, c.moved, c.asking = max(min(entry, c.entries()-1), 0), true, false
	c.reveal()
}

// chooseAgain chooses the entry that the list has at i, or else the one that was chosen.
func (c *chooser) chooseAgain(is func(i int) bool, chosen int) {
	for entry, i := range c.shown {
		if is(i) {
			chosen = entry
		}
	}
	c.choose(chosen)
}

func (c *chooser) setArea(area rect) {
	c.area = area
	c.reveal()
}

func (c *chooser) perPage() int { return max(c.area.h/max(c.rows, 1), 1) }

func (c *chooser) reveal() {
	page := c.perPage()
	c.top = max(min(c.top, c.chosen, max(c.entries()-page, 0)), c.chosen-page+1, 0)
}

// at returns the entry on a row of the screen.
func (c *chooser) at(y int) (entry int, ok bool) {
	row := y - c.area.y
	entry = c.top + row/max(c.rows, 1)
	return entry, row >= 0 && row < c.area.h && entry < c.entries()
}

// render draws the entries in sight as h lines of w cells, or what to say where there are none.
func (c *chooser) render(w, h int, draw func(entry, w int) []string, empty func() []paragraph) []string {
	var lines []string
	for entry := c.top; entry < c.entries() && len(lines) < h; entry++ {
		lines = append(lines, draw(entry, w)...)
		for len(lines)%max(c.rows, 1) != 0 {
			lines = append(lines, "")
		}
	}
	if len(lines) == 0 {
		return drawParagraphs(empty(), w, h)
	}
	return block(lines, w, h)
}

// count says how many of n are shown.
func (c *chooser) count(n int, noun string) string {
	text := counted(n, noun)
	if len(c.shown) < n {
		text = count(len(c.shown)) + " of " + text
	}
	return text
}

// mark draws what stands before an entry, and returns the style of its name.
func (s styles) mark(chosen bool) (mark string, name func(...string) string) {
	if chosen {
		return s.accent.Render("▌"), s.chosen.Render
	}
	return " ", s.name.Render
}
