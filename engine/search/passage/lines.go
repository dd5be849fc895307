package passage

import (
	"strings"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/store"
)

// shownOfLog is how much of a chunk of a log is shown and reranked, in bytes: a dozen lines, or a line with what was thrown.
const shownOfLog = 800

// shownLines returns what of a chunk of a log is shown: the line with most of the query's words, of equal ones the last, and
// lines that follow it; where nothing is asked for, the last lines. A chunk has some forty. Of other files it is all.
func (r *Reader) shownLines(body string, file *store.File) piece {
	if file.Kind != layout.Log || r.query == nil {
		return piece{0, len(body)}
	}
	return r.linesOf(body)
}

// linesOf returns which lines of a text are shown.
func (r *Reader) linesOf(body string) (best piece) {
	marks := r.highlighted(body)
	if len(marks) == 0 {
		return lastLines(body)
	}
	most, start := 0, 0
	for line := range strings.Lines(body) {
		of := piece{start, start + len(line)}
		start = of.end
		var within []engine.Range
		for len(marks) > 0 && marks[0].Start < of.end {
			within, marks = append(within, marks[0]), marks[1:]
		}
		if words := marked(body, within, of); words > 0 && words >= most {
			best, most = of, words
		}
	}
	for line := range strings.Lines(body[best.end:]) {
		if best.end+len(line)-best.start > shownOfLog {
			break
		}
		best.end += len(line)
	}
	return best
}

// lastLines returns as many of them as are shown.
func lastLines(body string) piece {
	end := len(strings.TrimRight(body, blanks))
	start := strings.LastIndexByte(body[:end], '\n') + 1
	for start > 0 {
		above := strings.LastIndexByte(body[:start-1], '\n') + 1
		if end-above > shownOfLog {
			break
		}
		start = above
	}
	return piece{start, end}
}

// highlighted returns where words of the query stand in a text.
func (r *Reader) highlighted(body string) []engine.Range {
	if r.lit == nil {
		lit := r.Highlighter(r.query)
		r.lit = &lit
	}
	return r.lit.Find(body)
}
