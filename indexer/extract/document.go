package extract

import (
	"sort"
	"strings"
)

// Kind is how the text of a document is structured.
type Kind uint8

const (
	// Text has paragraphs and nothing else that is known.
	Text Kind = iota
	// Markdown has headings, lists and fenced code.
	Markdown
	// Code is source code or a configuration; Document.Language says which.
	Code
	// HTML was rewritten into the structure of Markdown.
	HTML
)

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	return [...]string{"text", "markdown", "code", "html"}[k]
}

// Document is the text of a file.
type Document struct {
	Text     string // valid UTF-8
	Kind     Kind
	Language string // of Code: "go", "python", ...; "" otherwise
	Charset  string // of the file, as registered: "UTF-8", "windows-1252", ...
	Plain    bool   // Text is the file, byte for byte
	lines    lineMap
}

// FromText returns the Document of a text that is at hand already and is its own
// source: text is valid UTF-8.
func FromText(text string, kind Kind) *Document {
	return &Document{Text: text, Kind: kind, Charset: utf8Name, Plain: true, lines: countedLines(text)}
}

// Line returns the line of the file, from 1, on which the byte of Text at offset
// stands. An offset beyond the text counts as its end.
func (d *Document) Line(offset int) int {
	return d.lines.line(d.Text, min(max(offset, 0), len(d.Text)))
}

// lineMap leads from offsets of a text to lines of its file.
type lineMap struct {
	// before holds, for every block of lineBlock bytes, the number of line ends
	// that stand before it: a line is found by counting in one block.
	before []int32
	// marks, when not nil, replace the counting where the text has other lines
	// than the file. They ascend by offset.
	marks []lineMark
}

// lineMark says that the text from offset on comes from line.
type lineMark struct{ offset, line int32 }

const lineBlock = 4096

func countedLines(text string) lineMap {
	m := lineMap{before: make([]int32, len(text)/lineBlock+1)}
	n := int32(0)
	for i := range m.before {
		m.before[i] = n
		n += int32(strings.Count(text[i*lineBlock:min((i+1)*lineBlock, len(text))], "\n"))
	}
	return m
}

func (m *lineMap) line(text string, offset int) int {
	if m.marks != nil {
		i := sort.Search(len(m.marks), func(i int) bool { return int(m.marks[i].offset) > offset })
		if i == 0 {
			return 1
		}
		return int(m.marks[i-1].line)
	}
	if m.before == nil { // the Document was put together by hand
		return 1 + strings.Count(text[:offset], "\n")
	}
	block := offset / lineBlock
	return 1 + int(m.before[block]) + strings.Count(text[block*lineBlock:offset], "\n")
}
