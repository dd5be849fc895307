package noteapp

import (
	"bytes"
	"context"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// clippingEnd stands behind each clipping of a Kindle.
const clippingEnd = "=========="

// isClippings reports whether a text is the clippings of a Kindle: a title, a line of what it is, the text, in any language.
func isClippings(name string, head []byte) bool {
	if document.Extension(name) != "txt" {
		return false
	}
	first, _, found := bytes.Cut(head, []byte(clippingEnd))
	lines := bytes.Split(bytes.TrimSpace(first), []byte("\n"))
	return found && len(lines) >= 2 && bytes.HasPrefix(lines[1], []byte("- ")) && bytes.Contains(lines[1], []byte(" | "))
}

// clippingBook is a title with its author in brackets.
var clippingBook = pattern.New(`^(.*\S)\s*\(([^()]*)\)$`)

// readClippings reads clippings in their order: below a heading for each book, what was marked and where.
func readClippings(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	w := &writer{Builder: in.Builder(), marks: []document.LineMark{}}
	book, number := "", 1
	var block []string
	first := 1
	for line := range strings.Lines(text) {
		if line = strings.Trim(line, "\r\n\ufeff "); line == clippingEnd {
			book = w.clipping(block, first, book)
			block, first = block[:0], number+1
		} else {
			block = append(block, line)
		}
		number++
		if w.Full() {
			break
		}
	}
	w.clipping(block, first, book)
	d := w.Document("clippings", document.Meta{})
	d.MarkLines(w.marks)
	return d, ctx.Err()
}

// clipping writes one that begins in a line of the file; book is that of the one before, and that of this one is returned.
func (w *writer) clipping(block []string, line int, book string) string {
	if len(block) < 3 {
		return book
	}
	title, place := block[0], strings.Trim(block[1], "- ")
	text := strings.TrimSpace(strings.Join(block[2:], "\n"))
	meta := document.Meta{Title: title, Date: clippingTime(place)}
	if m := clippingBook.FindStringSubmatch(title); m != nil {
		meta.Title, meta.Authors = m[1], []string{m[2]}
	}
	where, _, _ := strings.Cut(place, " | ")
	w.notes++
	w.EndRows()
	w.Place(document.Part{Unit: document.Note, Number: w.notes, Name: meta.Title})
	w.Entry(meta)
	w.marks = append(w.marks, document.LineMark{Offset: int32(w.Len()), Line: int32(line)})
	if title != book {
		w.Heading(1, title)
	}
	if text != "" {
		w.Paragraph(text + "\n(" + where + ")")
	}
	return title
}

// clippingTime returns when a clipping was made, by the last part of its line; zero where that is in a language whose
// months are not known.
func clippingTime(place string) time.Time {
	last := place[strings.LastIndex(place, "|")+1:]
	for _, word := range strings.FieldsFunc(last, func(r rune) bool { return r == ',' }) {
		if at := dates.Parse(strings.TrimSpace(word)); !at.IsZero() {
			return at
		}
	}
	fields := strings.Fields(strings.ReplaceAll(last, ",", " "))
	for i := range fields {
		for n := 3; n >= 2; n-- {
			if i+n <= len(fields) {
				if at := dates.Parse(strings.Join(fields[i:i+n], " ")); !at.IsZero() {
					return at
				}
			}
		}
	}
	return time.Time{}
}
