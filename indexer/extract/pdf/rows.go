package pdf

import (
	"math"
	"slices"
	"strings"

	"dowse/indexer/document"
)

// row is what stands on one line of a page, in pieces where there are wide gaps.
type row struct {
	segments []segment
	x0, x1   float64
	y        float64
	size     float64
	turn     int
	flow     bool // known to be of a column of prose
}

// rowsOf puts segments into rows, in the order in which a page is read.
func rowsOf(segments []segment) (rows []row) {
	for _, s := range inOrder(segments) {
		if n := len(rows); n > 0 && rows[n-1].continues(s) {
			rows[n-1].add(s)
			continue
		}
		rows = append(rows, row{segments: []segment{s}, x0: s.x0, x1: s.x1, y: s.y, size: s.size, turn: s.turn})
	}
	return rows
}

// continues reports whether a segment belongs to the row.
func (r *row) continues(s segment) bool {
	last := r.segments[len(r.segments)-1]
	size := max(r.size, s.size)
	return s.turn == r.turn && !last.hyphen && math.Abs(s.y-r.y) <= 0.4*size &&
		(s.x0 >= last.x1-0.3*size || s.x1 <= last.x0+0.3*size && isRightToLeft(firstRune(s.text)))
}

// add appends a segment, to the last one where no wide gap is between them.
func (r *row) add(s segment) {
	shift := shiftOf(s.size/r.size, (s.y-r.y)/r.size)
	r.x0, r.x1, r.size = min(r.x0, s.x0), max(r.x1, s.x1), max(r.size, s.size)
	last := &r.segments[len(r.segments)-1]
	gap := s.x0 - last.x1
	if gap > wideGap*s.size {
		r.segments = append(r.segments, s)
		return
	}
	apart := " "
	if shift != document.OnLine && gap < wordGap*r.size || shift != last.shift && gap < touching*r.size {
		apart = shift.Mark(last.text, s.text)
	}
	if last.text += apart + s.text; shift == document.OnLine {
		shift = s.shift
	}
	last.shift = shift
	last.x0, last.x1 = min(last.x0, s.x0), max(last.x1, s.x1)
	last.bold, last.hyphen = last.bold && s.bold, s.hyphen
}

// text returns the row's words.
func (r *row) text() string {
	if len(r.segments) == 1 {
		return r.segments[0].text
	}
	parts := make([]string, len(r.segments))
	for i, s := range r.segments {
		parts[i] = s.text
	}
	return strings.Join(parts, " ")
}

// hyphen reports whether the last word goes on in the next row.
func (r *row) hyphen() bool { return r.segments[len(r.segments)-1].hyphen }

// bold reports whether all of the row is.
func (r *row) bold() bool {
	return !slices.ContainsFunc(r.segments, func(s segment) bool { return !s.bold })
}

// Of what order the segments of a page are.
const (
	messyShare = 0.12 // steps back up, as a share of the segments, of a page that is put in order
	messyLeast = 4
	maxCuts    = 12 // depth of the cuts that do so
)

// inOrder returns segments in the order in which they are read. That is mostly the one in
// which the file has them; where it jumps about, the page is cut along its gaps.
func inOrder(segments []segment) []segment {
	back := 0
	for i := 1; i < len(segments); i++ {
		a, b := segments[i-1], segments[i]
		if a.turn == b.turn && b.y > a.y+max(a.size, b.size) && b.x0 < a.x1 {
			back++
		}
	}
	if back < messyLeast || float64(back) < messyShare*float64(len(segments)) {
		return segments
	}
	turns := [4][]segment{}
	for _, s := range segments {
		turns[s.turn] = append(turns[s.turn], s)
	}
	sorted := make([]segment, 0, len(segments))
	for _, of := range turns {
		sorted = cut(sorted, of, maxCuts)
	}
	return sorted
}

// cut appends segments in order: a gap from top to bottom puts what is left of it first,
// one from left to right what is above.
func cut(to, segments []segment, deeper int) []segment {
	if len(segments) < 2 {
		return append(to, segments...)
	}
	size := 0.0
	for _, s := range segments {
		size += s.size / float64(len(segments))
	}
	across, wide := gap(segments, func(s segment) (float64, float64) { return s.x0, s.x1 })
	along, high := gap(segments, func(s segment) (float64, float64) { return -s.y - 0.7*s.size, -s.y + 0.2*s.size })
	var first, second []segment
	switch {
	case deeper > 0 && wide > size && len(segments) > 3:
		first, second = split(segments, func(s segment) bool { return s.x0 < across })
	case deeper > 0 && high > 0.2*size:
		first, second = split(segments, func(s segment) bool { return -s.y < along })
	}
	if len(first) == 0 || len(second) == 0 {
		segments = slices.Clone(segments)
		slices.SortStableFunc(segments, readsBefore)
		return append(to, segments...)
	}
	return cut(cut(to, first, deeper-1), second, deeper-1)
}

// readsBefore compares segments by the line that they stand on, then from the left.
func readsBefore(a, b segment) int {
	line := func(s segment) float64 { return math.Round(s.y / 3) }
	switch {
	case line(a) > line(b) || line(a) == line(b) && a.x0 < b.x0:
		return -1
	case line(a) < line(b) || a.x0 > b.x0:
		return 1
	}
	return 0
}

// gap returns the widest gap between segments on an axis: its middle and its width.
func gap(segments []segment, extent func(segment) (float64, float64)) (at, width float64) {
	type interval struct{ from, to float64 }
	all := make([]interval, len(segments))
	for i, s := range segments {
		all[i].from, all[i].to = extent(s)
	}
	slices.SortFunc(all, func(a, b interval) int {
		switch {
		case a.from < b.from:
			return -1
		case a.from > b.from:
			return 1
		}
		return 0
	})
	end := all[0].to
	for _, v := range all[1:] {
		if v.from-end > width {
			at, width = (v.from+end)/2, v.from-end
		}
		end = max(end, v.to)
	}
	return at, width
}

// split parts segments, each in the order in which they were.
func split(segments []segment, isFirst func(segment) bool) (first, second []segment) {
	for _, s := range segments {
		if isFirst(s) {
			first = append(first, s)
		} else {
			second = append(second, s)
		}
	}
	return first, second
}
