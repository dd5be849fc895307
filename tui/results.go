package tui

import (
	"cmp"
	"slices"
	"time"

	"dowse/engine"
)

// resultList is the ranked list with its choice and scroll position.
type resultList struct {
	styles styles
	names  *names

	passages []engine.Passage // listed ones, without folded ones
	folds    folds
	picks    *picks    // of this list and others before
	reasons  bool      // passages were found for different reasons
	now      time.Time // when they came, for their age
	chosen   int
	moved    bool // the person chose
	top      int  // index of the first passage in sight
	area     rect

	cache map[rowKey][]string
}

// rowKey is everything that a drawn row depends on beside the passages.
type rowKey struct {
	index, width, height int
	chosen               bool
}

func newResultList(s styles, n *names) resultList {
	return resultList{styles: s, names: n, picks: &picks{}, cache: map[rowKey][]string{}}
}

// set shows passages. With keep, the chosen passage stays chosen and, if
// possible, on its screen row; without, the first is chosen and moved is reset.
func (l *resultList) set(passages []engine.Passage, keep bool) {
	chosen, row := 0, 0
	passages = l.folds.set(passages, keep)
	if old, ok := l.selected(); ok && keep {
		row = l.chosen - l.top
		if chosen = find(passages, old); chosen < 0 {
			chosen = min(l.chosen, len(passages)-1)
		}
	}
	l.passages, l.reasons = passages, differ(passages)
	l.moved = l.moved && keep
	l.chosen = max(chosen, 0)
	l.top = l.chosen - row
	clear(l.cache)
	l.reveal()
}

// find returns the index of an old passage: the same chunk, or one of the same
// file with common lines; else -1.
func find(passages []engine.Passage, old engine.Passage) int {
	for i, p := range passages {
		// Another version of the file may have given the id to another text.
		same := p.FileID == old.FileID || p.Text == old.Text
		if p.Path == old.Path && p.ChunkID == old.ChunkID && p.ChunkID != 0 && same {
			return i
		}
	}
	for i, p := range passages {
		if p.Path == old.Path && p.LineStart <= old.LineEnd && old.LineStart <= p.LineEnd {
			return i
		}
	}
	return -1
}

func (l *resultList) selected() (engine.Passage, bool) {
	if l.chosen < 0 || l.chosen >= len(l.passages) {
		return engine.Passage{}, false
	}
	return l.passages[l.chosen], true
}

// choose selects the passage at index, or the nearest, for the person.
func (l *resultList) choose(index int) {
	l.chosen = min(max(index, 0), max(len(l.passages)-1, 0))
	l.moved = len(l.passages) > 0
	l.reveal()
}

// reorder sorts the passages among chunks by their order in chunks, over the
// places and ranks that they have together. The others stay, the chosen passage
// stays chosen, and nothing scrolls.
func (l *resultList) reorder(chunks []uint32) {
	rank := make(map[uint32]int, len(chunks))
	for i, c := range chunks {
		rank[c] = i
	}
	var places []int
	for i, p := range l.passages {
		if _, ok := rank[p.ChunkID]; ok {
			places = append(places, i)
		}
	}
	from := slices.Clone(places)
	slices.SortStableFunc(from, func(a, b int) int {
		return cmp.Compare(rank[l.passages[a].ChunkID], rank[l.passages[b].ChunkID])
	})
	if slices.Equal(from, places) {
		return
	}
	// The old slice belongs to its result.
	passages, chosen := slices.Clone(l.passages), l.chosen
	for i, to := range places {
		passages[to] = l.passages[from[i]]
		passages[to].Rank = l.passages[to].Rank
		if from[i] == l.chosen {
			chosen = to
		}
	}
	l.passages, l.chosen = passages, chosen
	clear(l.cache)
}

func (l *resultList) setArea(area rect) {
	l.area = area
	clear(l.cache)
	l.reveal()
}

// forgetRows has all rows drawn anew.
func (l *resultList) forgetRows() { clear(l.cache) }

// rowHeight returns the lines of a passage: a head, one or two of text, and an
// empty one where there is room.
func (l *resultList) rowHeight() int {
	switch {
	case l.area.h >= 20:
		return 4
	case l.area.h >= 12:
		return 3
	default:
		return 2
	}
}

// perPage returns the passages fully in sight, beside the line of relevance.
func (l *resultList) perPage() int {
	h := l.area.h
	if l.firstBelow() < len(l.passages) {
		h--
	}
	return max(h/l.rowHeight(), 1)
}

// reveal scrolls to the chosen passage and wastes no room at the end.
func (l *resultList) reveal() {
	page := l.perPage()
	if l.top = min(l.top, l.chosen); !l.moved {
		l.top = 0 // what an index that grows ranks before it is seen
	}
	l.top = max(l.top, l.chosen-page+1)
	l.top = min(l.top, max(len(l.passages)-page, 0))
	l.top = max(l.top, 0)
}

func (l *resultList) at(y int) (int, bool) {
	row := y - l.area.y
	inside := row >= 0 && row < l.area.h
	if line, ok := l.lineRow(); ok && row >= line {
		inside = inside && row > line
		row--
	}
	index := l.top + row/l.rowHeight()
	return index, inside && index < len(l.passages)
}

// Render draws the part in sight as h lines of w cells.
func (l *resultList) Render(w, h int) []string {
	lines := make([]string, 0, h)
	for i := l.top; i < len(l.passages) && len(lines) < h; i++ {
		lines = append(lines, l.row(i, w)...)
	}
	lines = l.withLine(lines, w)
	if len(lines) > h {
		lines = lines[:h]
	}
	return block(lines, w, h)
}

// row draws one passage, or finds it cached.
func (l *resultList) row(index, w int) []string {
	key := rowKey{index, w, l.rowHeight(), index == l.chosen}
	if lines, ok := l.cache[key]; ok {
		return lines
	}
	v := rowView{
		passage: l.passages[index],
		chosen:  key.chosen,
		picked:  l.picks.has(l.passages[index]),
		reasons: l.reasons,
		now:     l.now,
		share:   l.share(index),
		width:   w,
		height:  key.height,
		names:   l.names,
	}
	if head := l.headAt(index); head < index {
		v.head = &l.passages[head]
	} else {
		v.further, v.repeats = l.folds.count(v.passage)
	}
	lines := drawRow(v, l.styles)
	l.cache[key] = lines
	return lines
}

// share scales a passage's score to 0 to 1. The worst is 0, unless scores are
// negative as a reranker's.
func (l *resultList) share(index int) float64 {
	least, most := 0.0, l.passages[0].Score
	for _, p := range l.passages {
		least, most = min(least, p.Score), max(most, p.Score)
	}
	return share(l.passages[index].Score-least, most-least)
}

// share is part relative to whole; 0 when whole is.
func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}

// Labels of the line above passages that are off the topic.
const (
	lessRelevant    = "less relevant"
	nothingRelevant = "nothing seems to be about this; the nearest"
)

// firstBelow returns the index of the first passage below the line, or the
// number of passages.
func (l *resultList) firstBelow() int {
	for i, p := range l.passages {
		if !p.Relevant {
			return i
		}
	}
	return len(l.passages)
}

// lineRow returns the line's row in the list, if it is in sight.
func (l *resultList) lineRow() (row int, ok bool) {
	first := l.firstBelow()
	return (first - l.top) * l.rowHeight(), l.top <= first && first < len(l.passages)
}

// withLine inserts the line between the rows in sight.
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
