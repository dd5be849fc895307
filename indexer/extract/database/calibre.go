package database

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
)

// readCalibre reads the library of calibre: of each book what is said about it, and what was marked in it.
func readCalibre(ctx context.Context, db *database, w *writer) error {
	authors, err := db.lists(`SELECT l.book, a.name FROM books_authors_link l JOIN authors a ON a.id = l.author ORDER BY l.id`)
	if err != nil {
		return err
	}
	tags, series := map[int64][]string{}, map[int64]string{}
	if db.has([]string{"books_tags_link", "tags"}) {
		if tags, err = db.lists(`SELECT l.book, t.name FROM books_tags_link l JOIN tags t ON t.id = l.tag ORDER BY t.name`); err != nil {
			return err
		}
	}
	if db.has([]string{"books_series_link", "series"}) {
		if series, err = db.names(`SELECT l.book, s.name FROM books_series_link l JOIN series s ON s.id = l.series`); err != nil {
			return err
		}
	}
	about, err := db.names(`SELECT book, text FROM comments`)
	if err != nil {
		return err
	}
	marks := map[int64][]string{}
	err = db.eachIf("annotations", `SELECT book, annot_data FROM annotations WHERE annot_type = 'highlight' ORDER BY book, id`, func(r row) {
		if m := calibreMark(r.text(1)); m != "" {
			marks[r.int(0)] = append(marks[r.int(0)], m)
		}
	})
	if err != nil {
		return err
	}
	return db.each(`SELECT id, title, pubdate FROM books ORDER BY id`, func(r row) {
		id, title := r.int(0), r.text(1)
		if w.Full() || ctx.Err() != nil {
			return
		}
		people := make([]string, 0, len(authors[id]))
		for _, name := range authors[id] {
			people = append(people, strings.ReplaceAll(name, "|", ",")) // as calibre keeps a comma
		}
		date := dates.Parse(r.text(2))
		if date.Year() < 1000 { // calibre's "not known" is the year 101
			date = time.Time{}
		}
		w.EndRows()
		w.begin(document.Meta{Title: title, Authors: people, Tags: tags[id], Date: date}, document.Part{Unit: document.Record, Name: title})
		w.Heading(1, title)
		w.Row([]string{"By", "Series", "Tags"}, []string{strings.Join(people, ", "), series[id], strings.Join(tags[id], ", ")})
		w.EndRows()
		w.page(about[id])
		for _, m := range marks[id] {
			w.Paragraph(m)
		}
	})
}

// calibreMark returns what was marked, and what was written beside it.
func calibreMark(data string) string {
	var m struct {
		Text  string `json:"highlighted_text"`
		Notes string
	}
	if json.Unmarshal([]byte(data), &m) != nil {
		return ""
	}
	return strings.TrimSpace(m.Text + "\n" + m.Notes)
}
