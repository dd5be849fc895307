package indexer_test

import (
	"os"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"dowse/store"
)

// notes is a program that has a database of bookmarks open, and moves nothing from its log into the file by itself.
type notes struct {
	*bench
	conn *sqlite3.Conn
}

func (b *bench) notes(name string) *notes {
	b.t.Helper()
	conn, err := sqlite3.Open(b.path(name))
	b.must(err)
	b.t.Cleanup(func() { _ = conn.Close() })
	n := &notes{b, conn}
	n.do(`PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;
CREATE TABLE bookmarks (id INTEGER PRIMARY KEY, URL text, metadata text, tags text, desc text, flags integer);
INSERT INTO bookmarks VALUES (1, 'https://a.example', 'Horses', '', 'a horse', 0); PRAGMA wal_checkpoint(TRUNCATE)`)
	return n
}

func (n *notes) do(statements string) {
	n.t.Helper()
	n.must(n.conn.Exec(statements))
}

// facts are what the system knows of the database's own file.
func (n *notes) facts(name string) [2]int64 {
	n.t.Helper()
	info, err := os.Stat(n.path(name))
	n.must(err)
	return [2]int64{info.Size(), info.ModTime().UnixNano()}
}

const (
	addUnicorn  = `INSERT INTO bookmarks VALUES (2, 'https://b.example', 'Unicorns', '', 'a unicorn', 0)`
	dropUnicorn = `DELETE FROM bookmarks WHERE id = 2`
)

// TestWhatIsInALogAloneIsFoundAndForgotten: a run, and a program that only follows the log, find what a program wrote into its log
// alone, and no more once it is moved into the file.
func TestWhatIsInALogAloneIsFoundAndForgotten(t *testing.T) {
	b := newBench(t)
	n := b.notes("b.db")
	b.run(b.root)
	b.expect(map[string]int{"b.db": 0})
	was := n.facts("b.db")
	n.do(addUnicorn)
	b.run(b.root)
	b.expect(map[string]int{"b.db": 1})
	n.do(dropUnicorn)
	b.run(b.root)
	b.expect(map[string]int{"b.db": 0})
	if now := n.facts("b.db"); now != was {
		t.Fatalf("its own file was changed: %v, %v", was, now)
	}
	n.do(addUnicorn + `; PRAGMA wal_checkpoint(TRUNCATE)`)
	b.run(b.root)
	b.expect(map[string]int{"b.db": 1})
	read := b.index.BytesRead()
	if r := b.run(b.root); r.Updated != 0 || b.index.BytesRead() > read+n.facts("b.db")[0] {
		t.Errorf("nothing changed: %+v, %d bytes read", r, b.index.BytesRead()-read)
	}
}

// TestWatchFollowsALog: a change of the log alone has its database read again.
func TestWatchFollowsALog(t *testing.T) {
	b := newBench(t)
	n := b.notes("b.db")
	b.watching()
	b.eventually("at first", map[string]int{"b.db": 0})
	was := n.facts("b.db")
	n.do(addUnicorn)
	b.eventually("a row in the log", map[string]int{"b.db": 1})
	n.do(dropUnicorn)
	b.eventually("another one takes it out", map[string]int{"b.db": 0})
	if now := n.facts("b.db"); now != was {
		t.Fatalf("its own file was changed: %v, %v", was, now)
	}
	n.do(addUnicorn)
	b.must(n.conn.Close())
	b.eventually("the log is gone", map[string]int{"b.db": 1})
	b.until("all have vectors", func(c store.Counts) bool { return b.meant() && c.Vectors == c.Chunks })
}
