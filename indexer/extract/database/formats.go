package database

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/skip"
	"dowse/indexer/stamp"
)

// maxBytes is the size above which a database is not read. Pages that hold no text are passed over.
const maxBytes = 4 << 30

// Formats is that of databases, whatever they are called.
var Formats = []document.Format{
	{Name: "sqlite", Is: isSQLite, Read: read, MaxBytes: maxBytes, Share: 0.5, Slow: true, Streamed: true, Beside: stamp.WAL},
}

func isSQLite(_ string, head []byte) bool {
	return bytes.HasPrefix(head, []byte("SQLite format 3\x00"))
}

// source is a program whose databases are read.
type source struct {
	format string   // as type: calls it
	tables []string // which tell its databases
	read   func(ctx context.Context, db *database, w *writer) error
}

var sources = []source{
	{"anki", []string{"col", "notes", "cards"}, readAnki},
	{"zotero", []string{"items", "itemData", "itemDataValues", "itemNotes"}, readZotero},
	{"session", []string{"session", "message", "part", "project"}, readOpenCode},
	{"calibre", []string{"books", "authors", "books_authors_link", "comments"}, readCalibre},
}

// browsers are tables that tell the history of a browser.
var browsers = [][]string{{"moz_places", "moz_historyvisits"}, {"urls", "visits", "keyword_search_terms"}}

// read reads a database by the program that its tables tell.
func read(ctx context.Context, in *document.Input) (*document.Document, error) {
	db, err := open(ctx, in)
	if err != nil {
		return nil, err
	}
	defer db.close()
	for i := range sources {
		s := &sources[i]
		if !db.has(s.tables) {
			continue
		}
		w := db.writer()
		if err := s.read(ctx, db, w); err != nil {
			return nil, fmt.Errorf("as a database of %s: %w", s.format, err)
		}
		return w.Document(s.format, document.Meta{}), nil
	}
	if db.isUnasked() {
		return nil, document.ErrBrowser
	}
	w := db.writer()
	format, err := readPlain(ctx, db, w)
	if err != nil {
		return nil, fmt.Errorf("as a database of %s: %w", format, err)
	}
	if format != "" {
		return w.Document(format, document.Meta{}), nil
	}
	detail := "SQLite database that no reader knows, with the tables " + db.named()
	return nil, &skip.Error{Reason: skip.Binary, Path: in.Name, Detail: detail}
}

// named names the first tables.
func (db *database) named() string {
	const most = 4
	names := make([]string, 0, len(db.tables))
	for name := range db.tables {
		if !strings.HasPrefix(name, "sqlite_") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
