package indexer

import (
	"sync"

	"dowse/engine"
	"dowse/indexer/chunk"
	"dowse/indexer/extract"
)

// Texts reads the text of files again, as they were indexed. Paths of the index lead through no
// link, and one that does by now is refused: it would show files that nobody
// asked to have indexed.
type Texts struct {
	MaxFile int64            // bytes; larger files have no text
	Count   func(string) int // tokens of the embedder
	Room    int              // tokens of a passage that the embedder reads
	Judged  *extract.Judged  // that reading a file again need not do; may be nil
}

// Text implements engine.Texts.
func (t Texts) Text(path string) (*engine.Text, error) {
	doc, err := extract.File(path, extract.Options{MaxBytes: t.MaxFile, Judged: t.Judged})
	if err != nil {
		return nil, err
	}
	headings := sync.OnceValue(func() *chunk.Headings {
		return chunk.ReadHeadings(doc, chunk.Options{Count: t.Count, MaxTokens: chunk.MaxTokens(t.Room)})
	})
	return &engine.Text{
		Body: doc.Text, Line: doc.Line,
		Embedded: func(start, end int) string { return headings().EmbedText(start, end) },
		Heading:  func(start int) string { return headings().Heading(start) },
	}, nil
}
