package app

import (
	"sync"

	"dowse/engine"
	"dowse/indexer/chunk"
	"dowse/indexer/extract"
)

// fileTexts reads the text of files again. Paths of the index lead through no
// link, and one that does by now is refused: it would show files that nobody
// asked to have indexed.
type fileTexts struct {
	maxFile int64
	count   func(string) int
}

// Text implements engine.Texts.
func (t fileTexts) Text(path string) (*engine.Text, error) {
	doc, err := extract.File(path, extract.Options{MaxBytes: t.maxFile})
	if err != nil {
		return nil, err
	}
	headings := sync.OnceValue(func() *chunk.Headings {
		return chunk.ReadHeadings(doc, chunk.Options{Count: t.count})
	})
	return &engine.Text{
		Body: doc.Text, Line: doc.Line,
		Embedded: func(start, end int) string { return headings().EmbedText(start, end) },
		Heading:  func(start int) string { return headings().Heading(start) },
	}, nil
}
