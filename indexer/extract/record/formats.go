package record

import (
	"bytes"
	"strings"

	"dowse/indexer/document"
)

// Formats are those of tables, of data in records, of bibliographies, of contacts and of calendars. A file of another shape than its name says is
// document.ErrOther.
var Formats = []document.Format{
	{Name: "csv", Extensions: []string{"csv", "tsv", "tab"}, Read: readTable},
	{Name: "csl", Extensions: []string{"csljson"}, Is: isCSL, Read: readCSL},
	{Name: "json", Extensions: []string{"json"}, Is: isArray, Read: readArray},
	{Name: "json", Extensions: []string{"json"}, Is: isWrapped, Read: readWrapped},
	{Name: "yaml", Extensions: []string{"yaml", "yml"}, Is: isYAML, Read: readYAML},
	{Name: "jsonl", Extensions: []string{"jsonl", "ndjson"}, Is: isLines, Read: readLines},
	{Name: "bibtex", Extensions: []string{"bib"}, Read: readBibTeX},
	{Name: "ris", Extensions: []string{"ris"}, Is: isRIS, Read: readRIS},
	{Name: "vcard", Extensions: []string{"vcf", "vcard"}, Is: isContacts, Read: readContacts},
	{Name: "ical", Extensions: []string{"ics", "ical", "ifb"}, Is: isCalendar, Read: readCalendar},
}

// isArray reports whether a file named .json begins as an array of objects. A configuration
// does not, and stays as it is.
func isArray(name string, head []byte) bool {
	rest, found := bytes.CutPrefix(blankless(head), []byte("["))
	return document.Extension(name) == "json" && found && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("{"))
}

// isLines reports whether a file named as one of lines begins with an object.
func isLines(name string, head []byte) bool {
	ext := document.Extension(name)
	return (ext == "jsonl" || ext == "ndjson") && bytes.HasPrefix(blankless(head), []byte("{"))
}

func blankless(head []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
}

// writer writes records, and remembers on which line of the file each begins.
type writer struct {
	b      *document.Builder
	source string
	marks  []document.LineMark
	at     int               // offset of source up to which lines are counted
	line   int               // there
	names  map[string]string // of values, in plain letters
}

func newWriter(in *document.Input, source string) *writer {
	return &writer{b: in.Builder(), source: source, line: 1, marks: []document.LineMark{}}
}

// record writes one that begins at an offset of the source.
func (w *writer) record(offset int, part document.Part, names, cells []string) {
	if offset > w.at {
		w.line += strings.Count(w.source[w.at:offset], "\n")
		w.at = offset
	}
	if part.Unit != "" {
		w.b.Place(part)
	} else {
		w.b.Place()
	}
	before := w.b.Len()
	w.b.Row(names, cells)
	if w.b.Len() > before {
		w.marks = append(w.marks, document.LineMark{Offset: int32(before), Line: int32(w.line)})
	}
}

// document returns what was written.
func (w *writer) document(format string) *document.Document {
	d := w.b.Document(format, document.Meta{})
	d.MarkLines(w.marks)
	return d
}
