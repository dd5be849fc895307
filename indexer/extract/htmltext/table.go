package htmltext

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

const (
	maxColumns = 1000 // of a table whose columns are named
	maxName    = 80   // bytes of a column's name; what is longer is a text
	maxTables  = 16   // within each other; those deeper are read as part of that one
)

// table is an open table. Where its first rows are <th> alone, they name the columns, and each
// row below says them: "Item: desk; Cost: 30", as those of other formats.
type table struct {
	names  []string // by column
	data   bool     // a cell that names nothing was seen
	nested bool     // tables stand in it: it arranges the page
	column int      // of the cell
	width  int      // columns of the cell
	heads  int      // cells of the row that may be names
	said   []string // those names, by column
	from   int      // where the text of such a cell begins, -1 outside of one
	reach  []int    // rows below into which a cell of a column reaches
	taken  []bool   // columns of the row that a cell above reaches into
}

// openTable enters a table.
func (r *htmlReader) openTable() {
	if t := r.table(); t != nil {
		t.nested, t.names = true, nil
	}
	if r.out.inline = false; len(r.tables) == maxTables {
		r.deepTables++
		return
	}
	r.tables = append(r.tables, table{from: -1})
}

// closeTable leaves it.
func (r *htmlReader) closeTable() {
	r.endRow()
	switch {
	case r.deepTables > 0:
		r.deepTables--
	case len(r.tables) > 0:
		r.tables = r.tables[:len(r.tables)-1]
	}
}

// table returns the innermost one, nil where none is open.
func (r *htmlReader) table() *table {
	if len(r.tables) == 0 {
		return nil
	}
	return &r.tables[len(r.tables)-1]
}

// beginRow begins a row of the innermost table.
func (r *htmlReader) beginRow() {
	r.endRow()
	r.cells = 0
	r.out.block(1, "")
	t := r.table()
	if t == nil {
		return
	}
	t.column, t.width, t.heads, t.said = 0, 0, 0, nil
	for i := range t.reach {
		if t.taken[i] = t.reach[i] > 0; t.taken[i] {
			t.reach[i]--
		}
	}
}

// endRow ends it. If it has names alone, they are those of the columns.
func (r *htmlReader) endRow() {
	r.out.inline = false
	t := r.table()
	if t == nil {
		return
	}
	t.endName(&r.out)
	if !t.data && !t.nested && t.heads > 1 {
		t.names = t.said
	}
	t.heads, t.said = 0, nil
}

// cell begins a cell.
func (r *htmlReader) cell(tag atom.Atom, values map[string]string) {
	r.cells++
	t := r.table()
	if t != nil {
		t.endName(&r.out)
		t.place(number(values["colspan"], maxColumns), number(values["rowspan"], 1<<16))
		t.data = t.data || tag != atom.Th
	}
	switch {
	case t == nil || t.nested || t.data && t.names == nil:
		if r.out.inline = false; r.cells > 1 {
			line := r.line
			r.out.words(" | ", &line)
		}
		return
	case !t.data:
		t.heads++
		t.from = r.out.text.Len()
		r.out.owe("")
	case t.column < len(t.names) && t.names[t.column] != "":
		r.out.owe(t.names[t.column] + ": ")
	default:
		r.out.owe("")
	}
	r.out.inline = true
}

// endName ends a cell of the first rows, whose text names a column.
func (t *table) endName(out *textWriter) {
	if t.from < 0 {
		return
	}
	name := strings.TrimPrefix(strings.TrimSpace(out.text.String()[t.from:]), "; ")
	if t.from = -1; len(name) > maxName {
		name = ""
	}
	for len(t.said) < t.column+t.width {
		t.said = append(t.said, "")
	}
	for i := range t.width {
		t.said[t.column+i] = strings.TrimRight(name, ": ")
	}
}

// place finds the column of the next cell, beside those that reach down into its row.
func (t *table) place(columns, rows int) {
	for t.column += t.width; t.column < len(t.taken) && t.taken[t.column]; {
		t.column++
	}
	t.column = min(t.column, maxColumns)
	t.width = min(columns, maxColumns-t.column)
	if end := t.column + t.width; end > len(t.reach) {
		t.reach = append(t.reach, make([]int, end-len(t.reach))...)
		t.taken = append(t.taken, make([]bool, end-len(t.taken))...)
	}
	for i := range t.width {
		t.reach[t.column+i] = rows - 1
	}
}

// number reads an attribute that counts something, from 1 to most.
func number(s string, most int) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return 1
	}
	return min(max(n, 1), most)
}

// wanted are the attributes that matter.
var wanted = []string{"alt", "role", "colspan", "rowspan", "epub:type"}

// attributes returns them.
func (r *htmlReader) attributes(tag atom.Atom, more bool) map[string]string {
	var values map[string]string
	for more {
		var key, value []byte
		key, value, more = r.tokens.TagAttr()
		if k := string(key); slices.Contains(wanted, k) || tag == atom.A && k == "class" {
			if values == nil {
				values = map[string]string{}
			}
			values[k] = string(value)
		}
	}
	return values
}
