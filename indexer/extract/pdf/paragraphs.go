package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// block is a paragraph, or a table where that is not nil.
type block struct {
	text  string
	size  float64
	lines int
	bold  bool
	item  bool // of a list
	table *table

	x0, maxX1 float64 // of its lines: the left edge of the last one, the rightmost end
	last      row
}

// blocksOf puts the rows of a page into paragraphs and tables.
func blocksOf(rows []row, d divisions) []block {
	rows = justified(rows)
	w := blockWriter{divisions: d, step: stepOf(rows)}
	for i := 0; i < len(rows); {
		n, columns := tableAt(rows[i:])
		if n == 0 {
			w.line(rows[i], next(rows, i))
			i++
			continue
		}
		if prose := asProse(rows[i:i+n], columns); prose != nil {
			for k, r := range prose {
				w.line(r, next(prose, k))
			}
		} else {
			t := newTable(rows[i:i+n], columns)
			w.end()
			w.blocks = append(w.blocks, block{table: &t, size: rows[i].size})
		}
		i += n
	}
	w.end()
	return w.blocks
}

// next returns the row behind rows[i], nil behind the last one.
func next(rows []row, i int) *row {
	if i+1 < len(rows) {
		return &rows[i+1]
	}
	return nil
}

// stepOf returns the median distance of two lines, in sizes of their characters.
func stepOf(rows []row) float64 {
	var steps []float64
	for i := 1; i < len(rows); i++ {
		a, b := &rows[i-1], &rows[i]
		if dy := (a.y - b.y) / b.size; a.turn == b.turn && dy > 0.5 && dy < 3 {
			steps = append(steps, dy)
		}
	}
	if len(steps) == 0 {
		return 1.2
	}
	slices.SortFunc(steps, cmp.Compare)
	return steps[len(steps)/2]
}

// blockWriter puts lines into paragraphs.
type blockWriter struct {
	blocks    []block
	divisions divisions
	step      float64
	now       block
	text      []string // of the lines, joined at the end of the paragraph
	hyphens   []bool
}

// end ends the paragraph at hand.
func (w *blockWriter) end() {
	if w.now.lines == 0 {
		return
	}
	var out strings.Builder
	line := w.text[0]
	for i, next := range w.text[1:] {
		// Only the last word of the joined text decides.
		cut := strings.LastIndexByte(line, ' ') + 1
		out.WriteString(line[:cut])
		line = w.divisions.join(line[cut:], w.hyphens[i], next)
	}
	out.WriteString(line)
	w.now.text = out.String()
	w.blocks = append(w.blocks, w.now)
	w.now, w.text, w.hyphens = block{}, w.text[:0], w.hyphens[:0]
}

// line takes the next line; after is the one behind it.
func (w *blockWriter) line(r row, after *row) {
	text := r.text()
	if w.now.lines > 0 && w.parts(&r, after, text) {
		w.end()
	}
	if w.now.lines == 0 {
		w.now = block{size: r.size, bold: r.bold(), maxX1: r.x1}
		if rest, is := bullet(text); is {
			w.now.item, text = true, rest
		}
	}
	w.now.lines++
	w.now.bold = w.now.bold && r.bold()
	w.now.x0, w.now.maxX1, w.now.last = r.x0, max(w.now.maxX1, r.x1), r
	w.text, w.hyphens = append(w.text, text), append(w.hyphens, r.hyphen())
}

// Distances that part paragraphs.
const (
	otherSize = 0.12 // share by which sizes differ
	skipShare = 1.3  // of the distance of lines
	indent    = 0.8  // in sizes of characters
	maxIndent = 6
)

// parts reports whether a line begins another paragraph than the one at hand.
func (w *blockWriter) parts(r, after *row, text string) bool {
	last := &w.now.last
	size := max(r.size, last.size)
	if _, is := bullet(text); is || r.turn != last.turn || abs(r.size-w.now.size) > otherSize*size {
		return true
	}
	if last.hyphen() {
		return false
	}
	if w.now.bold != r.bold() && (w.now.bold || r.bold()) && endsLine(last, r) {
		return true
	}
	dy := last.y - r.y
	if dy <= 0 || dy > 12*size { // the next column, or what stands elsewhere
		return !goesOnBelow(last.text(), text)
	}
	if dy > skipShare*w.step*r.size && dy > 1.25*size {
		return true
	}
	return w.indented(last, r, after, text)
}

// indented tells by the ends of lines.
func (w *blockWriter) indented(last, r, after *row, text string) bool {
	size := r.size
	by := r.x0 - last.x0
	short := w.now.lines > 1 && last.x1 < w.now.maxX1-4*size
	switch {
	case short && !unicode.IsLower(firstRune(text)) && by > -indent*size:
		return true
	case w.now.item:
		return by < -indent*size && !unicode.IsLower(firstRune(text))
	case by > indent*size && by < maxIndent*size:
		// The first line of a paragraph, where the others stand out again.
		return w.now.lines > 1 || after != nil && after.turn == r.turn && abs(after.x0-last.x0) < 0.3*size
	case by < -indent*size:
		return w.now.lines > 1
	}
	return isNumbered(text) && (by < 0.3*size && isNumbered(w.text[0]))
}

// endsLine reports whether the next line begins anew where the font changes.
func endsLine(last, r *row) bool {
	return last.y-r.y > 0.5*r.size && !unicode.IsLower(firstRune(r.text()))
}

// goesOnBelow reports whether a sentence goes on at the top of the next column.
func goesOnBelow(line, next string) bool {
	return unicode.IsLower(firstRune(next)) && !strings.ContainsRune(".:;!?", lastRune(line))
}

// bullet cuts off what an item of a list begins with.
func bullet(text string) (rest string, is bool) {
	first := firstRune(text)
	if !strings.ContainsRune("•‣◦∙▪■●○◆➢✓–*·", first) {
		return text, false
	}
	rest = strings.TrimLeft(text[len(string(first)):], " ")
	if first != '•' && !strings.HasPrefix(text[len(string(first)):], " ") {
		return text, false
	}
	return rest, rest != ""
}

// isNumbered reports whether a line begins as an item that has a number: 1. (a) [12].
func isNumbered(text string) bool {
	word, _, more := strings.Cut(text, " ")
	if !more || len(word) > 5 {
		return false
	}
	inner := strings.Trim(word, "()[].")
	return inner != word && inner != "" && (strings.Trim(inner, "0123456789") == "" || len(inner) == 1)
}

func abs(f float64) float64 { return max(f, -f) }
