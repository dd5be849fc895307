package tui

import (
	"cmp"
	"slices"

	"dowse/engine"
)

// resultList is the ranked list: what is in it, which passage is chosen and
// which part is in sight.
type resultList struct {
	styles styles
	home   string

	passages []engine.Passage // those in the list; what is folded is not
	folds    folds
	chosen   int
	moved    bool // the person chose it
	top      int  // index of the first passage in sight
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
// its row of the screen as far as that can be; without, the first is chosen,
// and nobody has moved yet.
func (l *resultList) set(passages []engine.Passage, keep bool) {
	chosen, row := 0, 0
	passages = l.folds.set(passages, keep)
	if old, ok := l.selected(); ok && keep {
		row = l.chosen - l.top
		if chosen = find(passages, old); chosen < 0 {
			chosen = min(l.chosen, len(passages)-1)
		}
	}
	l.passages = passages
	l.moved = l.moved && keep
	l.chosen = max(chosen, 0)
	l.top = l.chosen - row
	clear(l.cache)
	l.reveal()
}

// find returns the index of the passage that is old: the same chunk, or else
// the passage of the same file that shares lines with it; -1 if there is none.
func find(passages []engine.Passage, old engine.Passage) int {
	for i, p := range passages {
		// In a later version of the file another text may have the id.
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

// selected returns the chosen passage.
func (l *resultList) selected() (engine.Passage, bool) {
	if l.chosen < 0 || l.chosen >= len(l.passages) {
		return engine.Passage{}, false
	}
	return l.passages[l.chosen], true
}

// choose selects, for the person, the passage at index, or the nearest that
// exists.
func (l *resultList) choose(index int) {
	l.chosen = min(max(index, 0), max(len(l.passages)-1, 0))
	l.moved = len(l.passages) > 0
	l.reveal()
}

// reorder puts those passages that are among chunks in the order of chunks:
// they share out the places that they have, with the ranks of these. The others
// stay where they are, the chosen passage stays chosen, and nothing scrolls.
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
	// The old slice belongs to the answer that it came with.
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

// rowHeight returns the number of lines of one passage: a head, one or two lines of
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

// perPage returns the number of passages that are in sight in full, beside the line of
// relevance where there is one.
func (l *resultList) perPage() int {
	h := l.area.h
	if l.firstBelow() < len(l.passages) {
		h--
	}
	return max(h/l.rowHeight(), 1)
}

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

// row draws one passage, or finds it drawn.
func (l *resultList) row(index, w int) []string {
	key := rowKey{index, w, l.rowHeight(), index == l.chosen}
	if lines, ok := l.cache[key]; ok {
		return lines
	}
	lines := drawRow(rowView{
		passage: l.passages[index],
		chosen:  key.chosen,
		repeats: l.folds.count(l.passages[index]),
		share:   l.share(index),
		width:   w,
		height:  key.height,
		home:    l.home,
	}, l.styles)
	l.cache[key] = lines
	return lines
}

// share returns where the score of a passage lies between the worst and the best,
// in 0 to 1. The worst is 0, unless scores go below that as a reranker's do.
func (l *resultList) share(index int) float64 {
	least, most := 0.0, l.passages[0].Score
	for _, p := range l.passages {
		least, most = min(least, p.Score), max(most, p.Score)
	}
	return share(l.passages[index].Score-least, most-least)
}

// share is part in proportion to whole, 0 when there is none.
func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}
