package document

import (
	"sort"
	"strings"
)

// LineMark says that the text from Offset on comes from Line of the file.
type LineMark struct{ Offset, Line int32 }

// CountLines makes the lines of the text those of the file.
func (d *Document) CountLines() { d.lines = countedLines(d.Text) }

// CountLinesBelow makes the lines of the text those of the file that follow so many others.
func (d *Document) CountLinesBelow(above int) {
	d.CountLines()
	d.lines.above = above
}

// MarkLines says where lines of the file stand in the text. Marks ascend by offset.
func (d *Document) MarkLines(marks []LineMark) { d.lines = lineMap{marks: marks} }

// Marks returns what MarkLines was given; nil where the lines are those of the text.
// The caller does not change them.
func (d *Document) Marks() []LineMark { return d.lines.marks }

// Line returns the line of the file, from 1, on which the byte of Text at offset
// stands. An offset beyond the text counts as its end.
func (d *Document) Line(offset int) int {
	return d.lines.line(d.Text, min(max(offset, 0), len(d.Text)))
}

// lineMap leads from offsets of a text to lines of its file.
type lineMap struct {
	// before holds, for every block of lineBlock bytes, the number of line ends
	// that stand before it: a line is found by counting in one block.
	before []int32
	// marks, when not nil, replace the counting where the text has other lines
	// than the file.
	marks []LineMark
	above int // lines of the file that stand above the text; where marks is nil
}

const lineBlock = 4096

func countedLines(text string) lineMap {
	m := lineMap{before: make([]int32, len(text)/lineBlock+1)}
	n := int32(0)
	for i := range m.before {
		m.before[i] = n
		n += int32(strings.Count(text[i*lineBlock:min((i+1)*lineBlock, len(text))], "\n"))
	}
	return m
}

func (m *lineMap) line(text string, offset int) int {
	if m.marks != nil {
		i := sort.Search(len(m.marks), func(i int) bool { return int(m.marks[i].Offset) > offset })
		if i == 0 {
			return 1
		}
		return int(m.marks[i-1].Line)
	}
	if m.before == nil { // the Document was put together by hand
		return m.above + 1 + strings.Count(text[:offset], "\n")
	}
	block := offset / lineBlock
	return m.above + 1 + int(m.before[block]) + strings.Count(text[block*lineBlock:offset], "\n")
}
