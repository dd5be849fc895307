package office

import (
	"context"
	"strings"

	"dowse/indexer/document"
)

// drawn writes what a page says that is a drawing, as those of picture books are. One that
// cannot be read says nothing: browsers show pages that are no XML.
func drawn(ctx context.Context, b *document.Builder, data []byte, number int, marks []bookmark) error {
	var r drawnReader
	_ = readXML(ctx, b, data, &r)
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(r.said) == 0 {
		return nil
	}
	place := document.Part{Unit: document.Chapter, Number: number}
	if len(marks) > 0 {
		place = document.Part{Unit: document.Chapter, Name: marks[0].label}
	}
	b.Place(place)
	for _, text := range r.said {
		b.Paragraph(text)
	}
	return nil
}

// drawnReader reads the texts of a drawing, and what it says of itself.
type drawnReader struct {
	open  string // the element whose text is read: "title", "desc" or "text"
	line  string // where the last line of it stands
	words strings.Builder
	said  []string
}

func (r *drawnReader) start(e element) (skip bool) {
	switch e.name {
	case "style", "script", "head":
		return true
	case "title", "desc", "text":
		r.endText()
		r.open, r.line = e.name, ""
	case "tspan": // a line, or letters that stand otherwise
		if y := e.attribute("y") + e.attribute("dy"); y != r.line {
			r.line = y
			r.words.WriteByte('\n')
		}
	}
	return false
}

func (r *drawnReader) text(s string) {
	if r.open != "" {
		r.words.WriteString(strings.Join(strings.FieldsFunc(s, isLineEnd), " "))
	}
}

func (r *drawnReader) end(name string) {
	if name == r.open {
		r.endText()
	}
}

// endText keeps the text of the element that ended.
func (r *drawnReader) endText() {
	if text := strings.TrimSpace(r.words.String()); text != "" {
		r.said = append(r.said, text)
	}
	r.words.Reset()
	r.open = ""
}

// isLineEnd reports whether a character ends a line of the source, which is none of the text.
func isLineEnd(c rune) bool { return c == '\n' || c == '\r' }
