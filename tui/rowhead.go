package tui

import (
	"path"
	"strconv"
	"strings"

	"dowse/engine"
)

// drawHead draws the first line: mark, rank, place, title, heading, score bar. It returns
// the title too where there is no room for it.
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
	right := bar(v.share, scoreCells, s.bar, s.barRest) + " "
	if v.passage.Stale {
		right = s.warn.Render(staleMark) + " " + right
	}
	if v.repeats > 0 {
		right = s.soft.Render(repeatsText(v.repeats, v.width)) + " " + right
	}
	room := v.width - rowIndent - width(right) - 2
	full := shortenPath(v.passage.Path, v.home, 1<<16)
	telling, heading := captions(v.passage)
	whereRoom := room
	if telling+heading == "" { // only the name stands beside it
		whereRoom = max(room, 2*(room-width("…/"+path.Base(full))))
	}
	where := whereText(v.passage.Telling(), v.passage.LineStart, whereRoom)
	placeRoom, title, heading := shareHead(room, width(full+where), width("…/"+path.Base(full)+where), telling, heading)
	line = mark + rank + drawPlace(shortenPath(v.passage.Path, v.home, placeRoom-width(where)), where, name, s)
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

// captions returns what stands behind the place of a passage: the title of its document,
// where that says more, and the innermost heading, safe to draw.
func captions(p engine.Passage) (title, heading string) {
	if heading = lastHeading(p.Heading); p.Locator != nil && strings.Contains(p.Locator.Label, heading) {
		heading = "" // message 3 (Re: roof)
	}
	return strings.TrimSpace(flattenMarked(p.TellingTitle(), nil).text), heading
}

// shareHead shares out a room of cells: the name of the file comes first, with which the
// place takes so many cells, then the heading, the title and the folders.
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
