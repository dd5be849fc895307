package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"sync/atomic"

	"dowse/indexer/document"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/util/ioutil"
	"github.com/ncruces/go-sqlite3/vfs/readervfs"
)

// database is an open one that nobody can write to.
type database struct {
	conn   *sqlite3.Conn
	name   string // by which SQLite knows the reader
	tables map[string]bool
	in     *document.Input
	copied *copied // where a program has it open; nil where it is read as it lies
	lacks  string  // what is not read of it, in words that follow "without"
}

// sized is a file that SQLite reads pages of.
type sized struct {
	io.ReaderAt
	size int64
}

// Size implements the interface that readervfs asks for.
func (s sized) Size() (int64, error) { return s.size, nil }

// opened counts databases, so that each has a name.
var opened atomic.Int64

// most bounds one value, and the length of a row.
const most = 4 << 20

// open opens the database of an input, or where a program has it open a copy of it. SQLite stops when ctx does.
func open(ctx context.Context, in *document.Input) (*database, error) {
	at, size := in.At()
	db, err := openPages(ctx, in, sized{at, size})
	if in.File == nil || in.File.Beside == nil || err == nil && db.isUnasked() {
		return db, err
	}
	copied, failed := copyCommit(ctx, at, size, in.File.Beside)
	switch {
	case errors.Is(failed, document.ErrChanged), ctx.Err() != nil:
	case copied == nil && failed == nil, failed != nil && err != nil:
		return db, err
	case failed != nil:
		db.lacks = "what its program has not yet written into it, since it cannot be copied (" + cause(failed).Error() + ")"
		return db, nil
	}
	if err == nil {
		db.close()
	}
	if failed != nil {
		return nil, cmp.Or(ctx.Err(), failed)
	}
	if db, err = openPages(ctx, in, copied); err != nil {
		copied.erase()
		return nil, err
	}
	db.copied = copied
	return db, nil
}

// cause is an error without the name of a temporary file.
func cause(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// openPages opens a database by its pages.
func openPages(ctx context.Context, in *document.Input, pages ioutil.SizeReaderAt) (db *database, err error) {
	db = &database{name: "dowse-" + strconv.FormatInt(opened.Add(1), 10), tables: map[string]bool{}, in: in}
	readervfs.Create(db.name, pages)
	defer func() {
		if err != nil {
			db.close()
		}
	}()
	uri := "file:" + db.name + "?vfs=reader&immutable=1&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_pragma=temp_store(2)"
	if db.conn, err = sqlite3.OpenFlags(uri, sqlite3.OPEN_READONLY|sqlite3.OPEN_URI); err != nil {
		return nil, err
	}
	db.conn.SetInterrupt(ctx)
	db.conn.Limit(sqlite3.LIMIT_LENGTH, most)
	if err = db.conn.AnyCollationNeeded(); err != nil { // programs bring orders of their own
		return nil, err
	}
	err = db.each(`SELECT name FROM sqlite_master WHERE type = 'table'`, func(r row) { db.tables[r.text(0)] = true })
	return db, err
}

// isUnasked reports whether it is the history of a browser that nobody asked for.
func (db *database) isUnasked() bool {
	return slices.ContainsFunc(browsers, db.has) && !db.in.Browsers
}

// writer returns what writes records of the database.
func (db *database) writer() *writer {
	w := &writer{Builder: db.in.Builder()}
	if db.lacks != "" {
		w.Lack(db.lacks)
	}
	return w
}

// close ends the use of a database.
func (db *database) close() {
	if db.conn != nil {
		_ = db.conn.Close() // nothing was written
	}
	readervfs.Delete(db.name)
	if db.copied != nil {
		db.copied.erase()
	}
}

// has reports whether all of some tables are there. A view in the place of one is none.
func (db *database) has(tables []string) bool {
	for _, name := range tables {
		if !db.tables[name] {
			return false
		}
	}
	return true
}

// row is one of a result, until the next one is read.
type row struct{ *sqlite3.Stmt }

func (r row) text(column int) string { return r.ColumnText(column) }

func (r row) int(column int) int64 { return r.ColumnInt64(column) }

// each calls f with each row. The error is ctx's, SQLite's, or document.ErrBounds where the file has more
// than is read of one.
func (db *database) each(query string, f func(r row)) error {
	s, err := db.prepare(query)
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // what failed is in rows
	return db.rows(s, f)
}

func (db *database) prepare(query string) (*sqlite3.Stmt, error) {
	s, _, err := db.conn.Prepare(query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", query, err)
	}
	return s, nil
}

// rows is each of a query that is asked again and again.
func (db *database) rows(s *sqlite3.Stmt, f func(r row)) error {
	for s.Step() {
		if !db.in.Step(1 + s.ColumnCount()) {
			return document.ErrBounds
		}
		f(row{s})
	}
	if err := db.conn.GetInterrupt().Err(); err != nil {
		return err
	}
	err := s.Err()
	return cmp.Or(err, s.Reset())
}

// names reads a table of ids and names.
func (db *database) names(query string) (map[int64]string, error) {
	names := map[int64]string{}
	return names, db.each(query, func(r row) { names[r.int(0)] = r.text(1) })
}

// lists reads a table of ids and several names each, in their order.
func (db *database) lists(query string) (map[int64][]string, error) {
	lists := map[int64][]string{}
	return lists, db.each(query, func(r row) { lists[r.int(0)] = append(lists[r.int(0)], r.text(1)) })
}
