package noteapp

import (
	"bytes"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/htmltext"
)

// maxBytes is the size above which an export is not read. Most of it are pictures.
const maxBytes = 256 << 20

// Formats are those of exports of note apps.
var Formats = []document.Format{
	{Name: "enex", Extensions: []string{"enex"}, Is: isEvernote, Read: readEvernote, Part: partOfEvernote, MaxBytes: maxBytes, Share: 0.5, Slow: true},
	{Name: "tiddlywiki", Among: []string{"html", "htm"}, Is: isWiki, Read: readWiki, MaxBytes: maxBytes, Slow: true},
	{Name: "tiddlywiki", Extensions: []string{"tid"}, Read: readTiddler},
	{Name: "joplin", Extensions: []string{"jex"}, Is: isJoplin, Read: readJoplin, Part: partOfJoplin, MaxBytes: maxBytes, Slow: true},
	{Name: "joplin", Is: isJoplinItem, Read: readJoplinItem},
	{Name: "keep", Is: isKeep, Read: readKeep},
	{Name: "notes", Among: []string{"json"}, Is: isJSONApp, Read: readJSONApp, MaxBytes: maxBytes, Slow: true},
	{Name: "koreader", Is: isKOReader, Read: readKOReader},
	{Name: "clippings", Is: isClippings, Read: readClippings},
}

// has reports whether a text has all of some others in it.
func has(text []byte, all ...string) bool {
	for _, s := range all {
		if !bytes.Contains(text, []byte(s)) {
			return false
		}
	}
	return true
}

// writer writes notes, and the lines that they come from where there are any.
type writer struct {
	*document.Builder
	marks []document.LineMark
	notes int
}

// note begins one.
func (w *writer) note(meta document.Meta) {
	w.notes++
	w.EndRows()
	w.Place(document.Part{Unit: document.Note, Number: w.notes, Name: meta.Title})
	w.Entry(meta)
	w.Heading(1, meta.Title)
}

// page writes what is marked up as HTML.
func (w *writer) page(text string) {
	read, _ := htmltext.Read(text)
	w.Append(&document.Document{Text: read, Kind: document.HTML})
}

// finish returns the document. Of a single note it says what that does.
func (w *writer) finish(format string, only document.Meta) *document.Document {
	if w.notes != 1 {
		only = document.Meta{}
	}
	d := w.Document(format, only)
	if w.marks != nil {
		d.MarkLines(w.marks)
	}
	return d
}

// digits reads a time that is written as digits alone, "20250302T091500Z" or "20250302091500000".
func digits(text string) time.Time {
	text = strings.NewReplacer("T", "", "Z", "").Replace(strings.TrimSpace(text))
	const layout = "20060102150405"
	if len(text) < len(layout) {
		return time.Time{}
	}
	at, err := time.Parse(layout, text[:len(layout)])
	if err != nil {
		return time.Time{}
	}
	return at
}
