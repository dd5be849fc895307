package tui

import (
	"path"
	"strconv"
	"strings"

	"dowse/engine"

	"github.com/charmbracelet/lipgloss"
)

const (
	rowIndent   = 5 // the mark, the rank and the space after it
	scoreCells  = 5
	minHeading  = 8
	minTitle    = 20
	bothCells   = 36 // from here on a title and a heading are cut to stand beside each other
	wideRow     = 50 // from here on a row says in words what it folds
	headingMark = "  § "
	titleMark   = " · "
	bylineMark  = " — "
	staleMark   = "changed"
	// snippetBytes bounds what is looked at of one passage; two lines of the
	// widest terminal need less.
	snippetBytes = 4096
)

// rowView is everything that one row shows.
type rowView struct {
	passage       engine.Passage
	chosen        bool
	repeats       int     // passages that say the same
	share         float64 // of the best score
	width, height int
	home          string
}

// drawRow draws a passage: rank, place, heading and score, then its text.
func drawRow(v rowView, s styles) []string {
	head, title := drawHead(v, s)
	lines := []string{head}
	textRows := 1
	if v.height >= 3 {
		textRows = 2
	}
	mark := " "
	if v.chosen {
		mark = s.accent.Render("▌")
	}
	indent := mark + blanks(rowIndent-1)
	for _, line := range snippet(v.passage, title, v.width-rowIndent-1, textRows, s) {
		lines = append(lines, indent+line)
	}
	for len(lines) < textRows+1 {
		lines = append(lines, mark)
	}
	for len(lines) < v.height {
		lines = append(lines, "")
	}
	return lines
}

// repeatsText says how many passages say the same as one, in a row of w cells.
func repeatsText(n, w int) string {
	if w < wideRow {
		return "+" + strconv.Itoa(n)
	}
	return strconv.Itoa(n) + " more like this"
}

// drawPlace draws a shortened path with its file name standing out.
func drawPlace(short, line string, name lipgloss.Style, s styles) string {
	dir, base := path.Split(short)
	out := ""
	if dir != "" {
		out = s.soft.Render(dir)
	}
	return out + name.Render(base) + s.faint.Render(line)
}

// lastHeading returns the innermost heading, safe to draw.
func lastHeading(heading string) string {
	if i := strings.LastIndex(heading, " > "); i >= 0 {
		heading = heading[i+len(" > "):]
	}
	return strings.TrimSpace(flattenMarked(heading, nil).text)
}

// body returns the text of a passage without the heading line that the row shows
// already, cut to what a row can need around the first matched word.
func body(p engine.Passage) (string, []engine.Range) {
	start := 0
	if first, _, ok := strings.Cut(p.Text, "\n"); ok {
		title := strings.TrimSpace(strings.Trim(first, "#=* \t\r"))
		if title != "" && strings.HasSuffix(p.Heading, title) {
			start = len(first) + 1
		}
	}
	start += headRow(p, start)
	end := len(p.Text)
	if len(p.Highlights) > 0 && p.Highlights[0].Start-start > snippetBytes/2 {
		start = runeStart(p.Text, p.Highlights[0].Start-snippetBytes/2)
	}
	if end-start > snippetBytes {
		end = runeStart(p.Text, start+snippetBytes)
	}
	return p.Text[start:end], shift(p.Highlights, start, end)
}

// runeStart moves i back to the start of a rune of s.
func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && s[i]&0xc0 == 0x80 {
		i--
	}
	return min(max(i, 0), len(s))
}

// shift moves ranges into the stretch [start, end) and drops those outside.
func shift(ranges []engine.Range, start, end int) []engine.Range {
	var out []engine.Range
	for _, r := range ranges {
		out = appendRange(out, max(r.Start, start)-start, min(r.End, end)-start)
	}
	return out
}

// tellingStart returns where in the text the window of so many bytes with the most
// matched words begins, a little before its first; 0 unless a later window is
// better than the first.
func tellingStart(m marked, window int) int {
	within := func(from int) int {
		n := 0
		for _, h := range m.hits {
			if h.Start >= from && h.End <= from+window {
				n++
			}
		}
		return n
	}
	best, start := within(0), 0
	for _, h := range m.hits {
		from := wordStart(m.text, h.Start-window/4)
		if n := within(from); n > best {
			best, start = n, from
		}
	}
	return start
}

// wordStart returns the start of the word after byte i, or 0.
func wordStart(s string, i int) int {
	if i <= 0 {
		return 0
	}
	if space := strings.IndexByte(s[i:], ' '); space >= 0 {
		return i + space + 1
	}
	return runeStart(s, i)
}

// cutFront drops the first n bytes.
func cutFront(m marked, n int) marked {
	return marked{m.text[n:], shift(m.hits, n, len(m.text))}
}

// drawMarked draws the stretch r with its matched words in their own style.
func drawMarked(m marked, r textRange, plain, hit lipgloss.Style) string {
	var out strings.Builder
	at := r.start
	for _, h := range shift(m.hits, r.start, r.end) {
		if h.Start+r.start > at {
			out.WriteString(plain.Render(m.text[at : h.Start+r.start]))
		}
		out.WriteString(hit.Render(m.text[h.Start+r.start : h.End+r.start]))
		at = h.End + r.start
	}
	if at < r.end {
		out.WriteString(plain.Render(m.text[at:r.end]))
	}
	return out.String()
}
