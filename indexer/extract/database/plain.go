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
	{document.Browser, `SELECT coalesce(b.title, p.title), ` + address("p.url") + ` || char(10) || coalesce(p.description, ''), '', (SELECT group_concat(t.title) FROM moz_bookmarks x JOIN moz_bookmarks t ON t.id = x.parent
		JOIN moz_bookmarks r ON r.id = t.parent WHERE x.fk = p.id AND r.guid = 'tags________'), coalesce(p.last_visit_date, b.dateAdded) / 1000000
		FROM moz_places p LEFT JOIN moz_bookmarks b ON b.fk = p.id AND b.title IS NOT NULL WHERE p.url LIKE 'http%' AND NOT p.hidden ORDER BY 5, p.id`}, // Firefox
	{document.Browser, `SELECT title, ` + address("url") + `, '', '', last_visit_time / 1000000 - 11644473600 FROM urls WHERE url LIKE 'http%' AND NOT hidden ORDER BY 5, id`},                             // Chromium
	{"bookmarks", `SELECT metadata, URL || char(10) || desc, '', tags, 0 FROM bookmarks ORDER BY id`},                                                                                                      // buku
	{"feed", `SELECT title, content, author, '', pubDate FROM rss_item WHERE deleted = 0 ORDER BY pubDate`},                                                                                                // newsboat
	{"history", `SELECT '', command, '', '', timestamp / 1000000000 FROM history WHERE deleted_at IS NULL ORDER BY timestamp`},                                                                             // atuin
	{"task", `SELECT json_extract(data, '$.description'), '', '', json_extract(data, '$.project'), json_extract(data, '$.entry') FROM tasks WHERE json_extract(data, '$.status') <> 'deleted' ORDER BY 5`}, // Taskwarrior 3
}

// address is what of an address people tell apart: a long one without what follows the question mark.
func address(column string) string {
	return `CASE WHEN length(` + column + `) > 200 AND instr(` + column + `, '?') > 0 THEN substr(` + column + `, 1, instr(` + column + `, '?') - 1) ELSE ` + column + ` END`
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
