package tui

// Sizes that decide the layout, in cells.
const (
	minWidth, minHeight = 40, 10 // below this nothing useful fits
	sideWidth           = 100    // from here on the preview stands at the right
	belowHeight         = 24     // from here on it stands below
	foundHeight         = 3      // rows that an answer leaves to the results
	machineHeight       = 13     // rows of the memory and stages panels
	mapWidth            = 60     // from here on the map of a reranking is drawn,
	twoColumns          = 76     // memory and stages stand side by side,
	threeColumns        = 120    // and the map beside them
)

// rect is a part of the screen, in cells from the top left corner.
type rect struct{ x, y, w, h int }

func (r rect) contains(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

func (r rect) empty() bool { return r.w <= 0 || r.h <= 0 }

// previewWish is the person's choice for the preview.
type previewWish int

const (
	previewAuto previewWish = iota // where there is room
	previewOn
	previewOff
)

type wishes struct {
	preview           previewWish
	machine, progress bool
	answer            int  // rows
	trail             bool // names the passage that results are like
	divided           divided
}

// divided is the list's share of list and preview as the person dragged it, beside
// each other and above each other; 0 where they did not.
type divided struct{ side, below float64 }

// What dragging leaves of list and preview at least, in cells and rows.
const leastCells, leastRows = 20, 4

// layout places everything. An empty rectangle is not drawn.
type layout struct {
	tooSmall                                   bool
	side                                       bool // the preview stands at the right of the list
	query, rule, answer, list, border, preview rect
	machine, progress, status                  rect
	trail                                      rect
	found                                      rect // list, border and preview together
	body                                       rect // found, answer and trail
}

// computeLayout divides a screen of w times h cells; it is pure.
func computeLayout(w, h int, want wishes) layout {
	var l layout
	if w < minWidth || h < minHeight {
		l.tooSmall = true
		return l
	}
	l.query = rect{0, 0, w, 1}
	l.rule = rect{0, 1, w, 1}
	l.status = rect{0, h - 1, w, 1}
	bottom := h - 1
	if want.progress {
		bottom--
		l.progress = rect{0, bottom, w, 1}
	}
	if want.machine {
		rows := min(max(machineHeight, bottom/3), (bottom-2)*2/3)
		if w < twoColumns { // one panel above the other; two results stay
			rows = min(2*machineHeight-8, bottom-2-4)
		}
		bottom -= rows
		l.machine = rect{0, bottom, w, rows}
	}
	l.body = rect{0, 2, w, bottom - 2}
	l.found = l.body
	if want.trail {
		l.trail = rect{0, 2, w, 1}
		l.found.y, l.found.h = l.found.y+1, l.found.h-1
	}
	if rows := answerRows(want.answer, l.found.h); rows > 0 {
		l.answer = rect{0, l.found.y, w, rows}
		l.found.y, l.found.h = l.found.y+rows, l.found.h-rows
	}
	l.list = l.found
	l.splitBody(want.preview, want.divided, w, h)
	return l
}

// answerRows returns the rows of an answer in a body of h: two fifths, so that
// cited passages stay in sight, but enough to be read; 0 without room.
func answerRows(wanted, h int) int {
	rows := min(wanted, max(h*2/5, 4), h-foundHeight)
	if rows < minAnswerRows {
		return 0
	}
	return rows
}

func (l *layout) splitBody(wish previewWish, at divided, w, h int) {
	if wish == previewOff || wish == previewAuto && w < sideWidth && h < belowHeight {
		return
	}
	if w >= sideWidth {
		l.side = true
		left := w * 9 / 20
		if at.side > 0 {
			left = max(min(int(at.side*float64(w)+.5), w-leastCells-1), leastCells)
		}
		l.list.w = left
		l.border = rect{left, l.found.y, 1, l.found.h}
		l.preview = rect{left + 1, l.found.y, w - left - 1, l.found.h}
		return
	}
	rows := l.found.h / 2
	if rows < 4 {
		return // three lines of preview say less than one more result
	}
	top := l.found.h - rows
	if at.below > 0 {
		top = max(min(int(at.below*float64(l.found.h)+.5), l.found.h-leastRows), min(leastRows, top))
		rows = l.found.h - top
	}
	l.list.h = top
	l.border = rect{0, l.found.y + top, w, 1}
	l.preview = rect{0, l.found.y + top + 1, w, rows - 1}
}
