package tui

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"dowse/engine"
)

const (
	rowIndent   = 5 // mark, rank and a space
	minHeading  = 8
	minTitle    = 20
	bothCells   = 36 // from here on title and heading are cut to stand beside each other
	headingMark = "  § "
	titleMark   = " · "
	bylineMark  = " — "
	innerMark   = "└ "
	pickMark    = "✓"
	// snippetBytes bounds the part of a passage that is looked at; two lines of
	// the widest terminal need less.
	snippetBytes = 4096
)

type rowView struct {
	passage       engine.Passage
	head          *engine.Passage // that it stands under; nil for heads
	chosen        bool
	picked        bool
	further       int       // folded passages of the same file
	repeats       int       // folded passages that say the same
	reasons       bool      // say why it was found
	now           time.Time // its age counts until then
	share         float64   // of the best score
	width, height int
	names         *names
}

// drawRow draws a passage's rank, place, heading and score, then its text.
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
	for _, line := range snippet(v, title, v.width-rowIndent-1, textRows, s) {
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

// drawPlace draws a shortened path with its file name highlighted.
func drawPlace(short, line string, name lipgloss.Style, s styles) string {
	dir, base := path.Split(short)
	out := ""
	if dir != "" {
		out = s.soft.Render(dir)
	}
	return out + name.Render(base) + s.faint.Render(line)
}

func lastHeading(heading string) string {
	if i := strings.LastIndex(heading, " > "); i >= 0 {
		heading = heading[i+len(" > "):]
	}
	return strings.TrimSpace(flattenMarked(heading, nil).text)
}

// body returns a passage's text without the heading line that the row shows,
// cut to what a row needs around the first matched word.
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

func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && s[i]&0xc0 == 0x80 {
		i--
	}
	return min(max(i, 0), len(s))
}

func shift(ranges []engine.Range, start, end int) []engine.Range {
	var out []engine.Range
	for _, r := range ranges {
		out = appendRange(out, max(r.Start, start)-start, min(r.End, end)-start)
	}
	return out
}

// tellingStart returns the start of the window with the most matched words, a
// little before its first; 0 unless it beats the first window.
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

func wordStart(s string, i int) int {
	if i <= 0 {
		return 0
	}
	if space := strings.IndexByte(s[i:], ' '); space >= 0 {
		return i + space + 1
	}
	return runeStart(s, i)
}

func cutFront(m marked, n int) marked {
	return marked{text: m.text[n:], hits: shift(m.hits, n, len(m.text))}
}

// drawMarked draws the stretch r: its matched words in style hit, the rest in
// plain and as it is meant.
func drawMarked(m marked, r textRange, plain, hit lipgloss.Style, s styles) string {
	var out strings.Builder
	at, hits, spans := r.start, m.hits, m.spans
	for at < r.end {
		for len(hits) > 0 && hits[0].End <= at {
			hits = hits[1:]
		}
		for len(spans) > 0 && spans[0].End <= at {
			spans = spans[1:]
		}
		end, ink := r.end, plain
		if len(spans) > 0 {
			if spans[0].Start <= at {
				end, ink = min(end, spans[0].End), s.look(plain, spans[0].Look)
			} else {
				end = min(end, spans[0].Start)
			}
		}
		if len(hits) > 0 {
			if hits[0].Start <= at {
				end, ink = min(r.end, hits[0].End), hit
			} else {
				end = min(end, hits[0].Start)
			}
		}
		out.WriteString(ink.Render(m.text[at:end]))
		at = end
	}
	return out.String()
}

// drawHead draws the first line: mark, rank, place, title, heading, score bar.
// It returns the title where it has no room for it.
func drawHead(v rowView, s styles) (line, left string) {
	mark, name := " ", s.name
	if v.chosen {
		mark, name = s.accent.Render("▌"), s.chosen
	}
	number := strconv.Itoa(v.passage.Rank)
	if v.passage.SimilarTo > 0 {
		number = "=" + number
	}
	rank := s.faint.Render(padLeft(number, rowIndent-2)) + " "
	if v.picked {
		rank = s.faint.Render(padLeft(number, rowIndent-2)) + s.accent.Render(pickMark)
	}
	right := rowFacts(v, s)
	room := v.width - rowIndent - width(right) - 2
	if v.ofHead() {
		return spread(fit(mark+rank+innerPlace(v, room, name, s), v.width-width(right)-2), right, v.width), ""
	}
	full := v.names.short(v.passage.Path, 1<<16)
	telling, heading := captions(v.passage)
	whereRoom := room
	if telling+heading == "" { // only the name stands beside it
		whereRoom = max(room, 2*(room-width("…/"+path.Base(full))))
	}
	where := whereText(v.passage.Telling(), v.passage.LineStart, whereRoom)
	placeRoom, title, heading := shareHead(room, width(full+where), width("…/"+path.Base(full)+where), telling, heading)
	line = mark + rank + drawPlace(v.names.short(v.passage.Path, placeRoom-width(where)), where, name, s)
	if title != "" {
		line += s.line.Render(titleMark) + s.text.Render(title)
	}
	if heading != "" {
		line += s.line.Render(headingMark) + s.soft.Render(heading)
	}
	if title+heading != "" {
		line = fit(line, v.width-width(right)-2)
	}
	if title == "" {
		left = telling
	}
	return spread(line, right, v.width), left
}

// ofHead reports whether the passage stands under another one of its file.
func (v rowView) ofHead() bool { return v.head != nil && v.head.Path == v.passage.Path }

// innerPlace draws where a passage is in the file of its head, in room cells.
func innerPlace(v rowView, room int, name lipgloss.Style, s styles) string {
	p := v.passage
	where := whereText(p.Telling(), p.LineStart, 2*room)
	if line, ok := strings.CutPrefix(where, ":"); ok {
		where = "line " + line
	}
	place := s.line.Render(innerMark) + name.Render(strings.TrimPrefix(where, ", "))
	if _, heading := captions(p); heading != "" {
		place += s.line.Render(headingMark) + s.soft.Render(heading)
	}
	return place
}

// captions returns the document's title, where it says more than the file's
// name, and the innermost heading.
func captions(p engine.Passage) (title, heading string) {
	if heading = lastHeading(p.Heading); p.Locator != nil && strings.Contains(p.Locator.Label, heading) {
		heading = "" // message 3 (Re: roof)
	}
	return strings.TrimSpace(flattenMarked(p.TellingTitle(), nil).text), heading
}

// shareHead divides room cells: the file's name comes first, then heading,
// title and folders. place and name are the cells that the place and its file
// name want.
func shareHead(room, place, name int, title, heading string) (placeRoom int, shownTitle, shownHeading string) {
	cells := func(mark, text string) int {
		if text == "" {
			return 0
		}
		return width(mark) + width(text)
	}
	titleCells, headingCells := cells(titleMark, title), cells(headingMark, heading)
	least := min(name, room)
	switch left := room - least; {
	case titleCells+headingCells <= left:
	case titleCells > 0 && headingCells > 0 && left >= bothCells:
		title = fit(title, max(left/2, left-headingCells)-width(titleMark))
	case headingCells > 0:
		if title = ""; left < min(headingCells, minHeading+width(headingMark)) {
			heading = ""
		}
	case left < min(titleCells, minTitle):
		title = ""
	}
	labels := cells(titleMark, title) + cells(headingMark, heading)
	return min(place, max(room-labels, least)), title, heading
}
