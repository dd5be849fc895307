package markup

import (
	"context"
	"maps"
	"slices"
	"strings"

	"dowse/indexer/document"
)

// isScore reports whether a file is music in MusicXML.
func isScore(name string, head []byte) bool {
	switch document.Extension(name) {
	case "xml", "musicxml":
		root := rootOf(head)
		return root == "score-partwise" || root == "score-timewise"
	}
	return false
}

// readScore reads what is sung, verse by verse, and who wrote it; no notes.
func readScore(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	s := &score{w: newWriter(in), verses: map[string]*strings.Builder{}}
	if err := s.w.readElements(ctx, text, s, func(line int) { s.line = line }); err != nil {
		return nil, err
	}
	s.sung()
	return s.w.document("musicxml", s.meta), nil
}

// score is the state between two elements.
type score struct {
	w        *writer
	line     int
	begun    int
	meta     document.Meta
	field    string // element whose text is read
	kind     string // of a creator
	chars    strings.Builder
	verse    string
	syllable string // where it stands in its word
	verses   map[string]*strings.Builder
}

func (s *score) start(name string, attribute func(name string) string) {
	switch name {
	case "work-title", "movement-title", "creator", "credit-words", "words", "syllabic", "text":
		s.field, s.kind = name, attribute("type")
		s.chars.Reset()
	case "part":
		s.sung()
	case "lyric":
		if s.verse, s.syllable = attribute("number"), ""; len(s.verses) == 0 {
			s.begun = s.line
		}
	}
}

func (s *score) text(text string) {
	if s.field != "" {
		s.chars.WriteString(text)
	}
}

func (s *score) end(name string) {
	if name != s.field || name == "" {
		return
	}
	text := spaced(s.chars.String())
	s.field = ""
	switch name {
	case "work-title", "movement-title":
		if s.meta.Title == "" {
			s.meta.Title = text
			s.w.from(s.line)
			s.w.Heading(1, text)
		}
	case "creator":
		if text != "" {
			s.meta.Authors = append(s.meta.Authors, text)
			s.w.from(s.line)
			s.w.Row([]string{s.kind}, []string{text})
		}
	case "syllabic":
		s.syllable = text
	case "text":
		s.sing(text)
	case "credit-words", "words":
		if text != s.meta.Title && !slices.Contains(s.meta.Authors, text) {
			s.w.from(s.line)
			s.w.Paragraph(text)
		}
	}
}

// sing adds a syllable to its verse.
func (s *score) sing(text string) {
	v := s.verses[s.verse]
	if v == nil {
		v = &strings.Builder{}
		s.verses[s.verse] = v
	}
	v.WriteString(text)
	if s.syllable != "begin" && s.syllable != "middle" {
		v.WriteByte(' ')
	}
}

// sung writes the verses of a part.
func (s *score) sung() {
	for _, number := range slices.Sorted(maps.Keys(s.verses)) {
		s.w.from(s.begun)
		s.w.Paragraph(s.verses[number].String())
	}
	clear(s.verses)
}
