package markup

import (
	"context"
	"strings"

	"dowse/indexer/document"
)

// isScan reports whether a file is what a program read on pictures of pages, in ALTO.
func isScan(name string, head []byte) bool {
	ext := document.Extension(name)
	return (ext == "xml" || ext == "alto") && rootOf(head) == "alto"
}

// readScan reads the words of pages in their order: a block is a paragraph, and a word that was divided is whole.
func readScan(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	s := &scan{w: newWriter(in)}
	if err := s.w.readElements(ctx, text, s, func(line int) { s.line = line }); err != nil {
		return nil, err
	}
	s.end("TextBlock")
	return s.w.document("alto", document.Meta{}), nil
}

// scan is the state between two elements.
type scan struct {
	w           *writer
	line, begun int
	page        int
	words       []string
}

func (s *scan) start(name string, attribute func(name string) string) {
	switch name {
	case "Page":
		s.page++
		s.w.Place(document.Part{Unit: document.Page, Number: s.page})
	case "String":
		word := attribute("CONTENT")
		switch attribute("SUBS_TYPE") {
		case "HypPart1":
			word = attribute("SUBS_CONTENT")
		case "HypPart2":
			return
		}
		if len(s.words) == 0 {
			s.begun = s.line
		}
		s.words = append(s.words, word)
	}
}

func (*scan) text(string) {}

func (s *scan) end(name string) {
	if name == "TextBlock" && len(s.words) > 0 {
		s.w.from(s.begun)
		s.w.Paragraph(strings.Join(s.words, " "))
		s.words = nil
	}
}
