package database

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"dowse/indexer/document"
	"dowse/internal/testmutate"

	"github.com/ncruces/go-sqlite3"
)

// inUse is a database that a program has open, which never moves its log into the file by itself.
type inUse struct {
	*testing.T
	path string
	conn *sqlite3.Conn
}

func newInUse(t *testing.T) *inUse {
	t.Helper()
	u := &inUse{T: t, path: filepath.Join(t.TempDir(), "b.db")}
	var err error
	if u.conn, err = sqlite3.Open(u.path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.conn.Close() })
	u.do(`PRAGMA page_size=512; PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=OFF; CREATE TABLE a (n INTEGER PRIMARY KEY, text); CREATE TABLE b (n INTEGER PRIMARY KEY, text)`)
	return u
}

func (u *inUse) do(statements string) {
	u.Helper()
	if err := u.conn.Exec(statements); err != nil {
		u.Fatalf("%s: %v", statements, err)
	}
}

// input returns the database as a file of a folder, with its log.
func (u *inUse) input() *document.Input {
	u.Helper()
	var open [2]*os.File
	for i, path := range []string{u.path, u.path + "-wal"} {
		f, err := os.Open(path)
		if err != nil {
			u.Fatal(err)
		}
		u.Cleanup(func() { _ = f.Close() })
		open[i] = f
	}
	info, err := open[0].Stat()
	if err != nil {
		u.Fatal(err)
	}
	in := document.NewInput(u.path, nil, document.LimitsOf(info.Size()))
	in.File = &document.File{ReaderAt: open[0], Path: u.path, Info: info, Beside: open[1]}
	return in
}

// rows returns what both tables hold, and what SQLite finds wrong.
func rows(conn *sqlite3.Conn) (string, error) {
	var all strings.Builder
	for _, query := range []string{`SELECT n, text FROM a ORDER BY n`, `SELECT n, text FROM b ORDER BY n`, `PRAGMA integrity_check`} {
		s, _, err := conn.Prepare(query)
		if err != nil {
			return "", err
		}
		for s.Step() {
			fmt.Fprintln(&all, s.ColumnText(0), s.ColumnText(s.ColumnCount()-1))
		}
		if err := s.Close(); err != nil {
			return "", err
		}
	}
	return all.String(), nil
}

// seen returns what a reader sees of the database.
func (u *inUse) seen() (string, error) {
	u.Helper()
	db, err := open(context.Background(), u.input())
	if err != nil {
		return "", err
	}
	defer db.close()
	if db.lacks != "" {
		return "", errors.New(db.lacks)
	}
	return rows(db.conn)
}

// TestACopyIsWhatSQLiteSees: after each of many changes a reader sees the rows that the program itself does, wherever
// these lie.
func TestACopyIsWhatSQLiteSees(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	u := newInUse(t)
	for i := range 150 {
		n := random.IntN(40)
		switch random.IntN(9) {
		case 0, 1, 2:
			u.do(fmt.Sprintf(`INSERT OR REPLACE INTO a VALUES (%d, '%s')`, n, strings.Repeat("heron ", random.IntN(300))))
		case 3, 4:
			u.do(fmt.Sprintf(`BEGIN; DELETE FROM a WHERE n > %d; INSERT OR REPLACE INTO b VALUES (%d, '%d'); COMMIT`, n, n, i))
		case 5:
			u.do(fmt.Sprintf(`PRAGMA cache_size=5; BEGIN; INSERT OR REPLACE INTO b VALUES (%d, '%s'); ROLLBACK`, n, strings.Repeat("lost ", 4000))) // its pages come into the log
		case 6:
			u.do(`VACUUM`)
		default:
			u.do(`PRAGMA wal_checkpoint(` + []string{"PASSIVE", "FULL", "RESTART", "TRUNCATE"}[random.IntN(4)] + `)`)
		}
		want, err := rows(u.conn)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := u.seen(); err != nil || got != want || !strings.HasSuffix(got, "ok ok\n") {
			t.Fatalf("after change %d: %v\n%s, want\n%s", i, err, got, want)
		}
	}
}

// TestACopyIsOfOneCommit: while a program writes and moves its log into the file, a reader sees both tables at the same commit.
func TestACopyIsOfOneCommit(t *testing.T) {
	u := newInUse(t)
	u.do(`INSERT INTO a VALUES (1, '0'); INSERT INTO b VALUES (1, '0')`)
	var ends atomic.Bool
	done := make(chan error)
	go func() {
		var err error
		for i := 1; !ends.Load() && err == nil; i++ {
			err = u.conn.Exec(fmt.Sprintf(`BEGIN; UPDATE a SET text='%[1]d' WHERE n=1; INSERT INTO a VALUES (%[1]d+1, '%[2]s'); UPDATE b SET text='%[1]d' WHERE n=1; DELETE FROM a WHERE n BETWEEN 2 AND %[1]d-20; COMMIT`, i, strings.Repeat("x", 900)))
			if i%7 == 0 {
				err = errors.Join(err, u.conn.Exec(`PRAGMA wal_checkpoint(PASSIVE)`))
			}
			if i%50 == 0 {
				err = errors.Join(err, u.conn.Exec(`PRAGMA wal_checkpoint(RESTART)`))
			}
		}
		done <- err
	}()
	read := 0
	for range 60 {
		got, err := u.seen()
		if errors.Is(err, document.ErrChanged) { // each of the five copies was spoilt by the writer
			continue
		}
		first, rest, _ := strings.Cut(got, "\n") // of table a
		if err != nil || !strings.HasSuffix(rest, "\n"+first+"\nok ok\n") && rest != first+"\nok ok\n" {
			t.Fatalf("%v: %q, then %q", err, first, rest[max(0, len(rest)-100):])
		}
		read++
	}
	ends.Store(true)
	if err := <-done; err != nil || read == 0 {
		t.Fatalf("%d were read: %v", read, err)
	}
}

// TestDamagedLogsAddNothingWrong: of a log that is cut or damaged the commits before that are read.
func TestDamagedLogsAddNothingWrong(t *testing.T) {
	u := newInUse(t)
	known := map[string]bool{}
	for i := range 12 {
		u.do(fmt.Sprintf(`INSERT INTO a VALUES (%d, '%s')`, i, strings.Repeat("heron ", 30*i)))
		all, err := rows(u.conn)
		if err != nil {
			t.Fatal(err)
		}
		known[all] = true
	}
	known[rowsOfNone] = true
	log, err := os.ReadFile(u.path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	in, states := u.input(), map[string]bool{}
	file := in.File.ReaderAt
	look := func(log []byte) {
		in.File.Beside = bytes.NewReader(log)
		s, err := copyCommit(context.Background(), file, in.File.Info.Size(), in.File.Beside)
		if err != nil {
			t.Fatal(err)
		}
		if s == nil {
			return
		}
		defer s.erase()
		db, err := openPages(context.Background(), in, s)
		if err != nil {
			t.Fatal(err)
		}
		defer db.close()
		if !db.tables["a"] { // the log made it
			return
		}
		got, err := rows(db.conn)
		if err != nil && db.tables["b"] || err == nil && !known[got] {
			t.Fatalf("%v %.200s", err, got)
		}
		states[got] = true
	}
	for n := 0; n <= len(log); n += 97 {
		look(log[:n])
	}
	testmutate.Each(t, 300, [][]byte{log}, look)
	if len(states) < 10 {
		t.Errorf("%d commits were seen", len(states))
	}
}

// rowsOfNone is what rows returns of empty tables.
const rowsOfNone = "ok ok\n"

// TestACopyLeavesNothing: no copy stays where temporary files are, and a database that is too large for one is not copied.
func TestACopyLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", folder)
	u := newInUse(t)
	u.do(`INSERT INTO a VALUES (1, 'heron')`)
	in := u.input()
	db, err := open(context.Background(), in)
	if err != nil || db.copied == nil {
		t.Fatalf("%v, %+v", err, db)
	}
	db.close()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v left, %v", left, err)
	}
	u.do(`PRAGMA wal_checkpoint(FULL); INSERT INTO a VALUES (2, 'late')`)
	in.File.ReaderAt, in.File.Info = endless{in.File.ReaderAt}, large{in.File.Info}
	if db, err = open(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	defer db.close()
	if want := "what its program has not yet written into it, since it cannot be copied (it has more than 512 MiB)"; db.lacks != want {
		t.Errorf("lacks %q", db.lacks)
	}
	if got, err := rows(db.conn); err != nil || !strings.HasPrefix(got, "1 heron\nok") {
		t.Errorf("%v %q", err, got)
	}
}

// large is what the system knows of a large file.
type large struct{ fs.FileInfo }

func (large) Size() int64 { return maxCopied + 1 }

// endless is a file behind whose end zeros follow.
type endless struct{ io.ReaderAt }

func (e endless) ReadAt(p []byte, at int64) (int, error) {
	n, err := e.ReaderAt.ReadAt(p, at)
	if errors.Is(err, io.EOF) {
		clear(p[n:])
		return len(p), nil
	}
	return n, err
}
