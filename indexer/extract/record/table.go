package record

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode"

	"dowse/indexer/document"
)

const (
	sampleRows = 50 // rows by which the delimiter and the header are told
	maxName    = 80 // bytes of the name of a column
)

// delimiters, those that stand in sentences last.
const delimiters = "\t;|,"

// readTable reads a file of rows of values.
func readTable(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	comma, start := delimiter(text, document.Extension(in.Name))
	if comma == 0 {
		return nil, document.ErrOther // a list or a text, of which lines say more
	}
	sample := rows(text[start:], comma, sampleRows)
	var names []string
	if isHeader(sample) {
		names = sample[0]
	}
	w := newWriter(in, text)
	reader := newReader(text[start:], comma)
	for number := 1; !w.b.Full(); number++ {
		cells, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, document.ErrOther
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if number == 1 && names != nil {
			if len(sample) > 1 {
				continue
			}
			names = nil // there is nothing but the header
		}
		line, _ := reader.FieldPos(0)
		w.line = line + strings.Count(text[:start], "\n")
		w.data(0, document.Part{Unit: document.Row, Number: number}, names, cells)
	}
	return w.document("csv"), nil
}

// newReader returns a reader of rows that takes quotation marks anywhere and rows of any length.
func newReader(text string, comma rune) *csv.Reader {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = comma, true, -1, true
	return r
}

// rows returns the first n rows.
func rows(text string, comma rune, n int) [][]string {
	r := newReader(text, comma)
	r.ReuseRecord = false
	var all [][]string
	for len(all) < n {
		cells, err := r.Read()
		if err != nil { // the end, most often
			break
		}
		all = append(all, cells)
	}
	return all
}

// delimiter returns what stands between the values, 0 where there is no table, and where that begins:
// spreadsheets may write a first line "sep=;".
func delimiter(text, ext string) (comma rune, start int) {
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(strings.ToLower(first), "sep=") && len(strings.TrimRight(first, "\r")) == 5 && len(first) < len(text) {
		if c := rune(first[4]); strings.ContainsRune(delimiters, c) {
			return c, len(first) + 1
		}
	}
	best, widest := 0.0, 0
	for _, c := range delimiters {
		all := rows(text[:min(len(text), 64<<10)], c, sampleRows)
		if len(all) == 0 {
			continue
		}
		same, width := 0, 0
		widths := map[int]int{}
		for _, row := range all {
			if widths[len(row)]++; len(row) > 1 && widths[len(row)] > same {
				same, width = widths[len(row)], len(row)
			}
		}
		share := float64(same) / float64(len(all))
		if ext != "csv" && c == '\t' { // its name says so
			share *= 2
		}
		if share > best && share >= 0.5 || share == best && width > widest {
			best, widest, comma = share, width, c
		}
	}
	return comma, 0
}

// isHeader reports whether the first of some rows names the columns: short words, each once, of which none
// stands below as a value.
func isHeader(sample [][]string) bool {
	if len(sample) == 0 {
		return false
	}
	seen := map[string]bool{}
	empty := 0
	for i, name := range sample[0] {
		name = strings.TrimSpace(name)
		if name == "" {
			empty++
			continue
		}
		if len(name) > maxName || seen[name] || isValue(name) {
			return false
		}
		seen[name] = true
		for _, row := range sample[1:] {
			if i < len(row) && strings.TrimSpace(row[i]) == name {
				return false
			}
		}
	}
	return empty <= len(sample[0])/4
}

// isValue reports whether a cell is a number, a date, an address or the like, and no name.
func isValue(cell string) bool {
	if _, err := strconv.ParseFloat(strings.ReplaceAll(cell, ",", "."), 64); err == nil {
		return true
	}
	if strings.Contains(cell, "@") || strings.Contains(cell, "://") {
		return true
	}
	digits, letters := 0, 0
	for _, r := range cell {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters == 0 || digits > 2*letters
}
