package office

import (
	"strings"

	"dowse/indexer/document"
)

// maxLayoutCell is the text above which a cell of a table is no datum: the table
// is there for how the page looks.
const maxLayoutCell = 1000

// writer writes blocks.
type writer struct {
	b    *document.Builder
	page int // the last that has a place
}

// blocks writes all of them, in their order.
func (w *writer) blocks(all []block) {
	// Layout tables hold blocks again: a stack instead of recursion.
	stack := [][]block{all}
	for len(stack) > 0 && !w.b.Full() {
		top := &stack[len(stack)-1]
		if len(*top) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		next := (*top)[0]
		*top = (*top)[1:]
		if next.page > w.page {
			w.page = next.page
			w.b.Place(document.Part{Unit: document.Page, Number: next.page})
		}
		switch {
		case next.kind == limited:
			w.b.Meet(next.text)
		case next.kind == heading:
			w.b.Heading(next.level, next.text)
		case next.kind == item:
			w.b.Item(next.level, next.text)
		case next.kind == paragraph:
			w.b.Paragraph(next.text)
		case isLayout(next.rows):
			stack = append(stack, within(next.rows))
		default:
			w.table(next.rows)
		}
	}
}

// isLayout reports whether a table has one column, tables, or long texts in it.
func isLayout(table []tableRow) bool {
	width := 0
	for _, row := range table {
		width = max(width, len(row.cells))
		for _, c := range row.cells {
			size := 0
			for _, b := range c.blocks {
				size += len(b.text)
				if b.kind == tabular || size > maxLayoutCell {
					return true
				}
			}
		}
	}
	return width < 2
}

// within returns the blocks of all cells.
func within(table []tableRow) []block {
	var all []block
	for _, row := range table {
		for _, c := range row.cells {
			all = append(all, c.blocks...)
		}
	}
	return all
}

// table writes a table by rows.
func (w *writer) table(table []tableRow) {
	w.b.EndRows()
	pages := make([]int, len(table)) // those of rows that begin one
	out := rows{b: w.b, place: func(row int) []document.Part {
		if pages[row-1] == 0 {
			return nil
		}
		return []document.Part{{Unit: document.Page, Number: pages[row-1]}}
	}}
	above := map[int]string{} // the last text of each column, for merged cells
	for i, from := range table {
		next := row{number: i + 1, header: from.header}
		column := 0
		for _, c := range from.cells {
			text := cellText(c.blocks)
			if len(c.blocks) > 0 && c.blocks[0].page > w.page {
				w.page = c.blocks[0].page
				pages[i] = w.page
			}
			if c.continues && text == "" && len(above[column]) <= maxName {
				text = above[column]
			} else {
				above[column] = text
			}
			if strings.TrimSpace(text) != "" {
				next.cells = append(next.cells, cell{column: column, text: text})
			}
			column = min(column+c.span, maxColumns)
		}
		if len(next.cells) == 0 { // an empty row is no gap within a text
			continue
		}
		out.last = next.number - 1
		out.add(next)
	}
	out.flush()
	w.b.EndRows()
}

// cellText joins what stands in a cell.
func cellText(blocks []block) string {
	if len(blocks) == 1 {
		return strings.TrimSpace(blocks[0].text)
	}
	texts := make([]string, 0, len(blocks))
	for _, b := range blocks {
		if text := strings.TrimSpace(b.text); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " ")
}
