package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/internal/pattern"
)

// codeLines is the most lines of code in a piece; longer blocks are cut into
// lines.
const codeLines = 4

// hardLines cuts running text at deliberate line breaks, as of logs and
// addresses. A wrapped paragraph breaks where the next word had no room, or
// within a sentence.
func hardLines(text string, r Range) []Range {
	lines := linesOf(text, r)
	width := wrapWidth(text, lines)
	var found []Range
	start := r.Start
	for i := range lines[:len(lines)-1] {
		line, next := lines[i], strings.TrimLeft(text[lines[i+1].Start:lines[i+1].End], space)
		word := next
		if end := strings.IndexAny(next, space); end >= 0 {
			word = next[:end]
		}
		room := width - utf8.RuneCountInString(strings.TrimRight(text[line.Start:line.End], space))
		if begins(next, utf8.RuneCountInString(word) < room) {
			found = append(found, Range{Start: start, End: line.End})
			start = lines[i+1].Start
		}
	}
	return append(found, Range{Start: start, End: r.End})
}

// begins reports whether a line begins an entry. room says that its first word
// had room in the line before; without room the break may be a wrap.
func begins(line string, room bool) bool {
	return room && !goesOn(line) || beginsEntry.MatchString(line) && (room || !midSentence.MatchString(line))
}

// goesOn reports whether a line begins within a sentence: some writers wrap
// unevenly.
func goesOn(line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return unicode.IsLower(first) || strings.ContainsRune(",;.)", first)
}

// beginsEntry is the beginning of a log line: a date, a time or a short label.
var beginsEntry = pattern.New(`^(?:\d{1,2}[./]\d{1,2}\b|\d{4}-\d\d|\d\d?:\d\d\b|[\pL\d][\pL\d -]{0,18}:\s)`)

// midSentence looks like a label but may continue a sentence: words without a
// capital, as in "had it: it came too late".
var midSentence = pattern.New(`^\p{Ll}[\pL\d]* `)

func linesOf(text string, r Range) []Range {
	var lines []Range
	for at := r.Start; at < r.End; {
		end := r.End
		if n := strings.IndexByte(text[at:r.End], '\n'); n >= 0 {
			end = at + n + 1
		}
		lines = append(lines, Range{Start: at, End: end})
		at = end
	}
	return lines
}

// Bounds for finding the wrap width.
const (
	leastWidth = 30 // characters; narrower lines tell nothing
	address    = 40 // letters of a word that cannot wrap
)

// wrapWidth is the width that lines were wrapped at, in characters: the longest
// line's, without addresses; 0 where unknown.
func wrapWidth(text string, lines []Range) int {
	width := 0
	for _, l := range lines {
		line := strings.TrimRight(text[l.Start:l.End], space)
		if !slices.ContainsFunc(strings.Fields(line), func(word string) bool { return len(word) > address }) {
			width = max(width, utf8.RuneCountInString(line))
		}
	}
	if width < leastWidth {
		return 0
	}
	return width
}

// Pieces is Split with long blocks of code cut into lines: the units of
// evidence.
func Pieces(text string) []Piece {
	var found []Piece
	for _, p := range Split(text) {
		if p.Kind != Code {
			found = append(found, p)
			continue
		}
		var lines []Range
		for _, l := range linesOf(text, p.Range) {
			if l.End = l.Start + len(strings.TrimRight(text[l.Start:l.End], space)); l.Start < l.End {
				lines = append(lines, l)
			}
		}
		if len(lines) <= codeLines {
			found = append(found, p)
			continue
		}
		for _, l := range lines {
			found = append(found, Piece{l, Code, p.Block})
		}
	}
	return found
}
