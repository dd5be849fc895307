package database

import (
	"context"
	"strings"
	"time"

	"dowse/indexer/document"
)

// plain is a program whose records are the rows of a query: title, text, people, tags (divided by commas), seconds since 1970.
type plain struct{ format, query string }

var plains = []plain{
	{"bookmarks", `SELECT metadata, URL || char(10) || desc, '', tags, 0 FROM bookmarks ORDER BY id`},                                                                                                      // buku
	{"feed", `SELECT title, content, author, '', pubDate FROM rss_item WHERE deleted = 0 ORDER BY pubDate`},                                                                                                // newsboat
	{"history", `SELECT '', command, '', '', timestamp / 1000000000 FROM history WHERE deleted_at IS NULL ORDER BY timestamp`},                                                                             // atuin
	{"task", `SELECT json_extract(data, '$.description'), '', '', json_extract(data, '$.project'), json_extract(data, '$.entry') FROM tasks WHERE json_extract(data, '$.status') <> 'deleted' ORDER BY 5`}, // Taskwarrior 3
}

// readPlain reads the rows of the first query that the database has the tables and columns for; false where it has those of none.
func readPlain(ctx context.Context, db *database, w *writer) (format string, err error) {
	for _, p := range plains {
		s, err := db.prepare(p.query)
		if err != nil {
			continue
		}
		defer s.Close() //nolint:errcheck // what failed is in rows
		number := 0
		err = db.rows(s, func(r row) {
			if number++; w.Full() || ctx.Err() != nil {
				return
			}
			meta := document.Meta{Title: line(r.text(0)), Date: seconds(r.int(4))}
			if by := r.text(2); by != "" {
				meta.Authors = []string{by}
			}
			for tag := range strings.SplitSeq(r.text(3), ",") {
				if tag = strings.TrimSpace(tag); tag != "" {
					meta.Tags = append(meta.Tags, tag)
				}
			}
			if meta.Date.After(time.Unix(1<<34, 0)) {
				meta.Date = time.Time{}
			}
			w.EndRows()
			w.begin(meta, document.Part{Unit: document.Record, Number: number, Name: meta.Title})
			w.Heading(2, meta.Title)
			w.page(r.text(1))
		})
		return p.format, err
	}
	return "", nil
}
