package extract

import (
	"strings"
	"unicode/utf16"

	"dowse/indexer/document"
	"dowse/indexer/extract/prose"
)

// Bounds of code and markup in one line. It is read, in lines and without the escapes of strings, where at least minProse of
// it is sentences; scripts, styles, numbers and source maps are left out.
const (
	maxLine         = 1 << 20
	minifiedBytes   = 32 << 10 // code below is small enough to be harmless
	minifiedPerLine = 1000     // mean bytes of a line
	minProse        = 0.1      // package prose has what was measured
)

// isOneLine reports whether a text stands in lines that nobody reads as such.
func isOneLine(d *document.Document) bool {
	longest, lines := 0, 0
	for line := range strings.Lines(d.Text) {
		longest, lines = max(longest, len(line)), lines+1
	}
	return longest > maxLine || d.Kind == document.Code && len(d.Text) > minifiedBytes && len(d.Text) > minifiedPerLine*lines
}

// inLines has a text that stands in one line read in lines, lest a word has the letter of an escape before it
// and passages end anywhere. It is text then, whatever program reads it. Where nobody speaks in it, inLines returns what
// it is instead.
func inLines(d *document.Document) string {
	if strings.HasPrefix(d.Text, `{"version":3,`) && strings.Contains(d.Text, `"mappings":`) {
		return "source map"
	}
	var text strings.Builder
	var marks []document.LineMark
	at := 0
	for line := range strings.Lines(d.Text) {
		marks = append(marks, document.LineMark{Offset: int32(text.Len()), Line: int32(d.Line(at))})
		writeLines(&text, line)
		at += len(line)
	}
	if prose.Share(text.String()) < minProse {
		return "minified"
	}
	d.Text, d.Kind, d.Language, d.Plain = text.String(), document.Text, "", false
	d.MarkLines(marks)
	return ""
}

// writeLines writes a long line without the escapes of strings, and ends lines between two rows of SQL,
// two objects and two strings of JSON.
func writeLines(text *strings.Builder, line string) {
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && i+1 < len(line):
			i += writeEscape(text, line[i:]) - 1
			continue
		case c == ',' && i > 0 && i+1 < len(line):
			text.WriteByte(c)
			switch line[i-1 : i+2] {
			case "),(", "},{", `","`:
				text.WriteByte('\n')
			}
			continue
		}
		text.WriteByte(c)
	}
}

// writeEscape writes what an escape stands for that a text begins with, and returns its length.
func writeEscape(text *strings.Builder, line string) int {
	switch c := line[1]; c {
	case 'n':
		text.WriteByte('\n')
	case 'r':
	case 't':
		text.WriteByte(' ')
	case '"', '\'', '/', '\\':
		text.WriteByte(c)
	default:
		r, n := escaped(line)
		if n > 1 && utf16.IsSurrogate(r) {
			low, m := escaped(line[n:])
			if both := utf16.DecodeRune(r, low); both != '\ufffd' {
				r, n = both, n+m
			}
		}
		text.WriteRune(r)
		return n
	}
	return 2
}
