package answer

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// keyed tells rows apart by the question's words. Rows of a table resemble each
// other: a row with fewer of the naming words than another row of its file is
// that row's neighbour and no evidence.
// Leaving out items of lists alike changed nothing, and trusting rows less for
// unaccounted words cost as many right answers as wrong ones.
type keyed struct {
	asked map[string]bool // words of the question, stemmed for comparison
	rows  []*keyedRow
}

// keyedRow is a row with its part of the question.
type keyedRow struct {
	passage, piece int
	file           *keyedFile
	cells          []cell
	keys           map[string]bool // words of the question in its cells and in no column's name
}

// keyedFile is the columns of a file.
type keyedFile struct {
	names map[string]bool
	words map[string]bool // of all names
	asked map[string]bool // columns that the question names
}

// newKeyed reads the rows of cut passages.
func newKeyed(asked Asked, m *marked) *keyed {
	k := &keyed{asked: contentWords(asked.inFull())}
	files := map[string]*keyedFile{}
	for n := range m.passages {
		path := m.passages[n].Path
		if files[path] == nil {
			files[path] = &keyedFile{names: map[string]bool{}, words: map[string]bool{}}
		}
		for i, p := range m.pieces[n] {
			if p.Kind == Row && !m.namesColumns(n, i) && !m.headsTable(n, i) {
				k.rows = append(k.rows, newKeyedRow(m, n, i, files[path]))
			}
		}
	}
	for _, f := range files {
		f.asked = k.named(f.names)
	}
	for _, r := range k.rows {
		maps.DeleteFunc(r.keys, func(w string, _ bool) bool { return !k.asked[w] || r.file.words[w] })
	}
	return k
}

func newKeyedRow(m *marked, passage, i int, file *keyedFile) *keyedRow {
	r := &keyedRow{passage: passage, piece: i, file: file, cells: m.cells(passage, i), keys: map[string]bool{}}
	for _, c := range r.cells {
		if c.name != "" {
			file.names[c.name] = true
			maps.Copy(file.words, nameWords(c.name))
		}
		maps.Copy(r.keys, contentWords(c.value))
	}
	return r
}

// nameWords are the words of a column's name; e-mail counts as email too.
func nameWords(name string) map[string]bool {
	words := contentWords(name)
	maps.Copy(words, contentWords(strings.ReplaceAll(name, "-", "")))
	return words
}

// named returns the column names with most words of the question, and among
// these the fewest others.
func (k *keyed) named(names map[string]bool) map[string]bool {
	best, found := 0.0, map[string]bool{}
	for name := range names {
		words, n := contentWords(name), 0
		for w := range nameWords(name) {
			if k.asked[w] {
				n++
			}
		}
		score := float64(n) - float64(max(0, len(words)-n))/100
		if n == 0 || score < best {
			continue
		}
		if score > best {
			best, found = score, map[string]bool{}
		}
		found[name] = true
	}
	return found
}

// row returns a piece's row; nil for other kinds.
func (k *keyed) row(passage, piece int) *keyedRow {
	at := slices.IndexFunc(k.rows, func(r *keyedRow) bool { return r.passage == passage && r.piece == piece })
	if at < 0 {
		return nil
	}
	return k.rows[at]
}

// beside reports whether a row is only the neighbour of the named one.
func (k *keyed) beside(r *keyedRow) bool {
	return slices.ContainsFunc(k.rows, func(o *keyedRow) bool {
		return o.file == r.file && len(o.keys) > len(r.keys) && holdsAll(o.keys, r.keys)
	})
}

// alone reports whether a row alone holds all words of the question that name
// rows.
func (k *keyed) alone(r *keyedRow) bool {
	return len(r.keys) > 0 && !slices.ContainsFunc(k.rows, func(o *keyedRow) bool {
		if o == r {
			return false
		}
		for w := range o.keys {
			if !r.keys[w] && !r.file.words[w] {
				return true
			}
		}
		return holdsAll(o.keys, r.keys)
	})
}

// Weights of a row, in logits, fitted to 266 questions about rows, records and
// lines outside the reader's training; half name a row and mostly a column. Of
// 176 answerable ones, 53 are surely right with them and 17 without; of the 90
// others 5 are answered surely and 9 perhaps, against 7 and 16.
const (
	toldWeight  = 2.4
	blankWeight = -2.7
)

// logit is what a row adds to its answer's likelihood: it rises where the row
// alone is named, all words are accounted for and the asked cell exists, and
// falls where that cell is empty.
func (k *keyed) logit(p *Passage, r *keyedRow) float64 {
	if r == nil || len(r.keys) == 0 || len(r.file.asked) == 0 {
		return 0
	}
	if len(r.named()) == 0 {
		return blankWeight
	}
	above := contentWords(contextLine(p))
	for w := range k.asked {
		if !r.keys[w] && !r.file.words[w] && !above[w] && !askingWords[w] {
			return 0
		}
	}
	if k.alone(r) {
		return toldWeight
	}
	return 0
}

// askingWords name neither rows nor columns.
var askingWords = contentWords("again get got have long many much number time use used")

// named returns the cells of the asked column.
func (r *keyedRow) named() (cells []cell) {
	for _, c := range r.cells {
		if r.file.asked[c.name] {
			cells = append(cells, c)
		}
	}
	return cells
}

// others returns the cells without words that name the row.
func (r *keyedRow) others() (cells []cell) {
	for _, c := range r.cells {
		if heldWords(r.keys, c.value) == 0 {
			cells = append(cells, c)
		}
	}
	return cells
}

// short is a row's short answer: the cell of the asked column, or else the
// reader's span within a cell that does not name the row.
func (r *keyedRow) short(marks *PassageMarks) (found Range, ok bool) {
	cells := r.named()
	if len(cells) == 1 {
		return cells[0].Range, true
	}
	whole := len(cells) > 1 // such as two telephones
	if !whole {
		cells = r.others()
	}
	most := math.Inf(-1)
	for _, c := range cells {
		at, logit, marked := marks.best(c.Range)
		if marked && logit > most {
			found, most, ok = at, logit, true
			if whole {
				found = c.Range
			}
		}
	}
	return found, ok
}

func holdsAll(set, other map[string]bool) bool {
	for w := range other {
		if !set[w] {
			return false
		}
	}
	return true
}
