package pdf

import (
	"slices"
	"strings"

	"dowse/indexer/document"
)

// write puts the text of a file together. The error is ErrNoText where it has pictures
// alone.
func write(b *document.Builder, f *file) (*document.Document, error) {
	rows := make([][]row, len(f.pages))
	text, pictures := slices.ContainsFunc(f.attached, func(a attachment) bool { return a.text != nil }), false
	for i := range f.pages {
		rows[i] = rowsOf(f.pages[i].segments)
		pg := &f.pages[i]
		text = text || len(rows[i])+len(pg.notes)+len(pg.fields)+len(pg.scanned) > 0
		pictures = pictures || pg.picture && len(rows[i]) == 0
		pg.segments = nil
	}
	if !text && pictures {
		return nil, document.ErrNoText
	}
	dropRunning(rows)
	dropContents(rows)
	d := divisionsOf(rows)
	pages := make([][]block, len(rows))
	for i := range rows {
		pages[i] = blocksOf(rows[i], d)
		rows[i] = nil
	}
	h := headingsOf(f, pages)
	for i, blocks := range pages {
		pg := &f.pages[i]
		if len(blocks)+len(pg.notes)+len(pg.fields)+len(pg.scanned) == 0 {
			continue
		}
		b.Place(document.Part{Unit: document.Page, Number: i + 1, Name: pg.label})
		for k := range blocks {
			writeBlock(b, &blocks[k], &h, i)
		}
		for paragraph := range strings.SplitSeq(pg.scanned, "\n\n") {
			b.Paragraph(paragraph)
		}
		for _, field := range pg.fields {
			b.Row(field[:1], field[1:])
		}
		for _, note := range pg.notes {
			b.Paragraph(note)
		}
	}
	writeAttachments(b, f.attached)
	return b.Document("pdf", f.meta), nil
}

// writeBlock writes a paragraph or a table of page p.
func writeBlock(b *document.Builder, bl *block, h *headings, p int) {
	switch level := h.level(bl, p); {
	case bl.table != nil:
		for _, cells := range bl.table.cells {
			b.Row(bl.table.names, cells)
		}
	case level > 0:
		b.Heading(level, bl.text)
	case bl.item:
		b.Item(0, bl.text)
	default:
		b.Paragraph(bl.text)
	}
}
