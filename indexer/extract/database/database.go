package database

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"

	"dowse/indexer/document"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs/readervfs"
)

// database is an open one that nobody can write to.
type database struct {
	conn   *sqlite3.Conn
	name   string // by which SQLite knows the reader
	tables map[string]bool
	in     *document.Input
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

// open opens the database of an input. SQLite stops when ctx does.
func open(ctx context.Context, in *document.Input) (db *database, err error) {
	at, size := in.At()
	db = &database{name: "dowse-" + strconv.FormatInt(opened.Add(1), 10), tables: map[string]bool{}, in: in}
	readervfs.Create(db.name, sized{at, size})
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

// close ends the use of a database.
func (db *database) close() {
	if db.conn != nil {
		_ = db.conn.Close() // nothing was written
	}
	readervfs.Delete(db.name)
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
