package tui

import "slices"

// What stands on the line above the passages that are off the topic.
const (
	lessRelevant    = "less relevant"
	nothingRelevant = "nothing seems to be about this; the nearest"
)

// firstBelow returns the index of the first passage below the line of relevance, the
// number of passages where there is no line.
func (l *resultList) firstBelow() int {
	for i, p := range l.passages {
		if !p.Relevant {
			return i
		}
	}
	return len(l.passages)
}

// lineRow returns the row of the list on which the line of relevance stands, if the part
// in sight reaches it.
func (l *resultList) lineRow() (row int, ok bool) {
	first := l.firstBelow()
	return (first - l.top) * l.rowHeight(), l.top <= first && first < len(l.passages)
}

// withLine puts the line of relevance between the rows in sight.
func (l *resultList) withLine(rows []string, w int) []string {
	at, ok := l.lineRow()
	if !ok || at > len(rows) {
		return rows
	}
	label := lessRelevant
	if l.firstBelow() == 0 {
		label = nothingRelevant
	}
	return slices.Insert(rows, at, heading(label, w, l.styles))
}
