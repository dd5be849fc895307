package database

import (
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/htmltext"
	"dowse/internal/pattern"
)

// writer writes records of a database.
type writer struct{ *document.Builder }

// begin says where the next text comes from, and what it says of itself.
func (w *writer) begin(meta document.Meta, parts ...document.Part) {
	w.Place(parts...)
	w.Entry(meta)
}

// page writes a text that may have markup.
func (w *writer) page(text string) {
	if !hasMarkup(text) {
		w.Paragraph(text)
		return
	}
	read, _ := htmltext.Read(text)
	w.Append(&document.Document{Text: read, Kind: document.HTML})
}

var markup = pattern.New(`<[a-zA-Z/!]|&#?\w+;`)

func hasMarkup(text string) bool { return markup.MatchString(text) }

// line returns a text with or without markup as one line.
func line(text string) string {
	if hasMarkup(text) {
		text, _ = htmltext.Read(text)
	}
	return strings.Join(strings.Fields(text), " ")
}

// seconds is the time of so many since 1970; none of 0.
func seconds(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}
