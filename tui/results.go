package tui

import (
	"dowse/engine"
)

// resultList is the ranked list: what is in it, which passage is chosen and
// which part is in sight.
type resultList struct {
	styles styles
	home   string

	passages []engine.Passage
	chosen   int
	top      int // index of the first passage in sight
	area     rect

	cache map[rowKey][]string
}

// rowKey is everything that a drawn row depends on, besides the passages.
type rowKey struct {
	index, width, height int
	chosen               bool
}

func newResultList(s styles, home string) resultList {
	return resultList{styles: s, home: home, cache: map[rowKey][]string{}}
}

// set shows passages. With keep, the chosen passage stays chosen and stays on
// its row of the screen as far as that can be; without, the first is chosen.
func (l *resultList) set(passages []engine.Passage, keep bool) {
	chosen, row := 0, 0
	if old, ok := l.selected(); ok && keep {
		row = l.chosen - l.top
		if chosen = find(passages, old); chosen < 0 {
			chosen = min(l.chosen, len(passages)-1)
		}
	}
	l.passages = passages
	l.chosen = max(chosen, 0)
	l.top = l.chosen - row
	clear(l.cache)
	l.reveal()
}

// find returns the index of the passage that is old: the same chunk, or else
// the passage of the same file that shares lines with it; -1 if there is none.
func find(passages []engine.Passage, old engine.Passage) int {
	for i, p := range passages {
		if p.Path == old.Path && p.ChunkID == old.ChunkID && p.ChunkID != 0 {
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

// selected returns the chosen passage.
func (l *resultList) selected() (engine.Passage, bool) {
	if l.chosen < 0 || l.chosen >= len(l.passages) {
		return engine.Passage{}, false
	}
	return l.passages[l.chosen], true
}

// choose selects the passage at index, or the nearest that exists.
func (l *resultList) choose(index int) {
	l.chosen = min(max(index, 0), max(len(l.passages)-1, 0))
	l.reveal()
}

func (l *resultList) setArea(area rect) {
	l.area = area
	clear(l.cache)
	l.reveal()
}

// rowHeight is the number of lines of one passage: a head, one or two lines of
// text, and where there is room an empty line.
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

// perPage is the number of passages that are in sight in full.
func (l *resultList) perPage() int { return max(l.area.h/l.rowHeight(), 1) }

// reveal moves the part in sight so that the chosen passage is in it and no
// room is wasted at the end.
func (l *resultList) reveal() {
	page := l.perPage()
	l.top = min(l.top, l.chosen)
	l.top = max(l.top, l.chosen-page+1)
	l.top = min(l.top, max(len(l.passages)-page, 0))
	l.top = max(l.top, 0)
}

// at returns the index of the passage drawn on screen row y.
func (l *resultList) at(y int) (int, bool) {
	index := l.top + (y-l.area.y)/l.rowHeight()
	return index, y >= l.area.y && y < l.area.y+l.area.h && index < len(l.passages)
}

// Render draws the part in sight as h lines of w cells.
func (l *resultList) Render(w, h int) []string {
	lines := make([]string, 0, h)
	for i := l.top; i < len(l.passages) && len(lines) < h; i++ {
		lines = append(lines, l.row(i, w)...)
	}
	if len(lines) > h {
		lines = lines[:h]
	}
	return block(lines, w, h)
}

// row draws one passage, or finds it drawn.
func (l *resultList) row(index, w int) []string {
	key := rowKey{index, w, l.rowHeight(), index == l.chosen}
	if lines, ok := l.cache[key]; ok {
		return lines
	}
	best := 0.0
	for _, p := range l.passages {
		best = max(best, p.Score)
	}
	lines := drawRow(rowView{
		passage: l.passages[index],
		chosen:  key.chosen,
		share:   share(l.passages[index].Score, best),
		width:   w,
		height:  key.height,
		home:    l.home,
	}, l.styles)
	l.cache[key] = lines
	return lines
}

// share is score in proportion to the best score, 0 when there is none.
func share(score, best float64) float64 {
	if best <= 0 {
		return 0
	}
	return score / best
}
