package pdf

import (
	"slices"
	"strings"
)

// What tells a line of a justified column, whose spaces are as wide as gaps of a table.
const (
	fullLines = 2   // at least, of the same edges
	nearRows  = 8   // that are looked at on each side
	sameEdge  = 0.1 // in sizes of characters
	fullWords = 2   // of a line that is no row of a table

	letterWidth = 0.5 // in sizes of characters, about
)

// justified makes one piece of each line of running prose that wide spaces have parted: lines
// near it, without such, begin and end where it does. A line that has numbers behind a gap, as
// a table flush right has, stays in pieces.
func justified(rows []row) []row {
	out := rows
	for i := range rows {
		if len(rows[i].segments) < 2 || !isJustified(rows, i) {
			continue
		}
		if &out[0] == &rows[0] {
			out = slices.Clone(rows)
		}
		out[i] = out[i].inOne()
	}
	return out
}

// inOne is a row of prose in one piece.
func (r row) inOne() row {
	one := r.segments[0]
	one.text, one.x1, one.bold, one.hyphen = r.text(), r.x1, r.bold(), r.hyphen()
	r.segments, r.flow = []segment{one}, true
	return r
}

// isJustified reports whether enough full lines near rows[i], in the same run of lines, have
// its edges.
func isJustified(rows []row, i int) bool {
	r := &rows[i]
	for _, s := range r.segments[1:] {
		if isNumber(s.text) {
			return false
		}
	}
	if !stretched(r) {
		return false
	}
	full := 0
	for _, step := range [2]int{-1, 1} {
		for k := i + step; k >= 0 && k < len(rows) && k >= i-nearRows && k <= i+nearRows && follow(&rows[min(k, k-step)], &rows[max(k, k-step)]); k += step {
			if aligned(&rows[k], r) {
				return false
			}
			if isFull(&rows[k], r) {
				full++
			}
		}
	}
	return full >= fullLines
}

// stretched reports whether the spaces within the pieces of a row are about as wide as the gaps
// between them: those of a justified line are all the same.
func stretched(r *row) bool {
	gap := r.x1 - r.x0
	for i, s := range r.segments[1:] {
		gap = min(gap, s.x0-r.segments[i].x1)
	}
	for _, s := range r.segments {
		words := strings.Fields(s.text)
		letters := len([]rune(strings.Join(words, "")))
		if spaces := s.x1 - s.x0 - letterWidth*r.size*float64(letters); len(words) > 1 && spaces < 0.5*gap*float64(len(words)-1) {
			return false
		}
	}
	return true
}

// follow reports whether two rows are lines of the same text, one below the other.
func follow(a, b *row) bool {
	dy := a.y - b.y
	return a.turn == b.turn && abs(a.size-b.size) < otherSize*a.size && dy > 0.5*a.size && dy < 2*a.size
}

// aligned reports whether pieces of two rows begin below each other behind gaps, as those of a
// table do.
func aligned(a, b *row) bool {
	for _, s := range a.segments[1:] {
		for _, other := range b.segments[1:] {
			if abs(s.x0-other.x0) < sameEdge*s.size {
				return true
			}
		}
	}
	return false
}

// isFull reports whether a line without gaps has the edges of another, which may be indented.
func isFull(line, of *row) bool {
	edge := sameEdge * of.size
	return len(line.segments) == 1 && abs(line.x1-of.x1) < edge && of.x0 > line.x0-edge && of.x0 < line.x0+maxIndent*of.size && len(strings.Fields(line.text())) >= fullWords
}
