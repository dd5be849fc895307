package office

import (
	"strings"

	"dowse/indexer/document"

	"github.com/dustin/go-humanize"
)

// Kinds of blocks.
type blockKind uint8

const (
	paragraph blockKind = iota
	heading
	item
	tabular
	limited // the rest was not held; text is the limit
)

// block is a part of a text.
type block struct {
	kind  blockKind
	level int // of a heading from 1, of an item from 0
	page  int // on which it begins, from 1; 0 where pages are not known
	text  string
	rows  []tableRow // of a tabular one
}

// tableRow is a row of a table within a text.
type tableRow struct {
	header bool // the file says that its cells name the columns
	cells  []tableCell
}

// tableCell is a cell and how many columns it takes.
type tableCell struct {
	blocks    []block
	span      int
	continues bool // of a merged one: it belongs to the cell above
}

// maxOpen is how deep paragraphs and tables may stand within each other (a table in a
// text box in a cell, ...); what is deeper is read as if it stood there.
const maxOpen = 40

// maxFlow bounds what a flow holds, in bytes of text and rowSize for each block, row and
// cell: a bomb may consist of empty ones.
const (
	maxFlow = 64 << 20
	rowSize = 96
)

// flow puts blocks together from the beginnings and ends of paragraphs and tables,
// as they come. What belongs to a paragraph without being in its text (notes, text
// boxes) follows it.
type flow struct {
	page int
	size int // see maxFlow
	lost bool
	// reading: what is written is how the words above or below are read (ruby).
	reading bool
	shift   document.Shift // of what is written
	done    []block
	open    []*frame
	// How many were opened beyond maxOpen, and not closed.
	deepTables, deepParagraphs int
}

// frame is a paragraph or a table that is not complete.
type frame struct {
	isTable bool
	block   block
	text    document.Shifted // of a paragraph
	read    strings.Builder  // how its words are read
	after   []block          // what follows a paragraph, or stands before a table
	inCell  bool             // of a table
}

// top returns the innermost frame, nil outside of all.
func (f *flow) top() *frame {
	if len(f.open) == 0 {
		return nil
	}
	return f.open[len(f.open)-1]
}

// begin opens a paragraph or a table.
func (f *flow) begin(isTable bool) {
	if t := f.top(); len(f.open) >= maxOpen && (isTable || !t.isTable) {
		if isTable {
			f.deepTables++
		} else {
			f.deepParagraphs++
		}
		return
	}
	f.open = append(f.open, &frame{isTable: isTable, block: block{page: f.page}})
}

// beginParagraph opens a paragraph.
func (f *flow) beginParagraph(kind blockKind, level int) {
	f.begin(false)
	f.set(kind, level)
}

// set says what the open paragraph is.
func (f *flow) set(kind blockKind, level int) {
	if t := f.top(); t != nil && !t.isTable && f.deepParagraphs == 0 {
		t.block.kind, t.block.level = kind, level
	}
}

// write adds to the open paragraph.
func (f *flow) write(s string) {
	t := f.top()
	if t == nil || t.isTable || s == "" || !f.room(len(s)) {
		return
	}
	if f.reading {
		t.read.WriteString(s)
		return
	}
	if t.text.Len() == 0 {
		t.block.page = f.page
	}
	t.text.Turn(f.shift, s)
	t.text.WriteString(s)
}

// space keeps the next words of the open paragraph apart from those before.
func (f *flow) space() {
	if t := f.top(); t != nil && t.text.Len() > 0 && !strings.HasSuffix(t.text.String(), " ") {
		f.write(" ")
	}
}

// beside begins and ends how words are read, which follows their paragraph: the words stay one text.
func (f *flow) beside(on bool) {
	if f.reading = on; on {
		f.write(" ")
	}
}

// room counts what comes to be held, and reports whether it may.
func (f *flow) room(n int) bool {
	if f.size+n > maxFlow {
		f.lost = true
		return false
	}
	f.size += n
	return true
}

// add puts complete blocks where the flow is: after the open paragraph, into the open
// cell, or at the end.
func (f *flow) add(blocks ...block) {
	t := f.top()
	switch {
	case t == nil:
		f.done = append(f.done, blocks...)
	case !t.isTable:
		t.after = append(t.after, blocks...)
	default:
		if !t.inCell { // a table that says nothing of its rows
			f.beginCell(1, false)
		}
		if !t.inCell {
			return // there is no room
		}
		row := &t.block.rows[len(t.block.rows)-1]
		cell := &row.cells[len(row.cells)-1]
		cell.blocks = append(cell.blocks, blocks...)
	}
}

// end closes a paragraph or a table. One that is not open is none.
func (f *flow) end(isTable bool) {
	switch {
	case isTable && f.deepTables > 0:
		f.deepTables--
		return
	case !isTable && f.deepParagraphs > 0:
		f.deepParagraphs--
		f.write("\n")
		return
	}
	t := f.top()
	if t == nil || t.isTable != isTable {
		return
	}
	f.open = f.open[:len(f.open)-1]
	if isTable {
		if t.block.kind = tabular; len(t.block.rows) == 0 || !f.room(rowSize) {
			f.add(t.after...)
			return
		}
		f.add(t.after...)
		f.add(t.block)
		return
	}
	if read := strings.Fields(t.read.String()); len(read) > 0 {
		t.text.WriteString(" (" + strings.Join(read, " ") + ")")
	}
	if t.block.text = t.text.String(); strings.TrimSpace(t.block.text) != "" && f.room(rowSize) {
		f.add(t.block)
	}
	f.add(t.after...)
}

// caption says what the open table is about.
func (f *flow) caption(s string) {
	if t := f.top(); t != nil && t.isTable && f.deepTables == 0 && s != "" {
		t.after = append(t.after, block{text: s, page: t.block.page})
	}
}

// beginRow opens a row of the open table.
func (f *flow) beginRow() {
	if t := f.top(); t != nil && t.isTable && f.deepTables == 0 && f.room(rowSize) {
		t.block.rows = append(t.block.rows, tableRow{})
		t.inCell = false
	}
}

// headerRow says that the open row names the columns.
func (f *flow) headerRow() {
	if t := f.top(); t != nil && t.isTable && f.deepTables == 0 && len(t.block.rows) > 0 {
		t.block.rows[len(t.block.rows)-1].header = true
	}
}

// beginCell opens a cell of the open table.
func (f *flow) beginCell(span int, continues bool) {
	t := f.top()
	if t == nil || !t.isTable || f.deepTables > 0 || !f.room(rowSize) {
		return
	}
	if len(t.block.rows) == 0 {
		t.block.rows = append(t.block.rows, tableRow{})
	}
	row := &t.block.rows[len(t.block.rows)-1]
	row.cells = append(row.cells, tableCell{span: min(max(span, 1), maxColumns), continues: continues})
	t.inCell = true
}

// cell returns the cell that was begun last, nil where none is open.
func (f *flow) cell() *tableCell {
	t := f.top()
	if t == nil || !t.isTable || !t.inCell {
		return nil
	}
	row := &t.block.rows[len(t.block.rows)-1]
	return &row.cells[len(row.cells)-1]
}

// finish closes what is open still and returns all blocks.
func (f *flow) finish() []block {
	f.deepTables, f.deepParagraphs = 0, 0
	for t := f.top(); t != nil; t = f.top() {
		f.end(t.isTable)
	}
	if f.lost {
		f.done = append(f.done, block{kind: limited, text: humanize.IBytes(maxFlow) + " of paragraphs and cells"})
	}
	return f.done
}
