package database_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/internal/testextract"
	"dowse/internal/testmutate"

	"github.com/ncruces/go-sqlite3"
)

// made returns a database that SQLite makes of statements.
func made(t *testing.T, statements string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.db")
	db, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestCardsOfAnki25_9_2(t *testing.T) {
	for _, name := range []string{"anki-25.9.2.apkg", "anki-25.9.2-legacy.apkg"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		d := testextract.Read(t, name, string(data))
		const want = "# Harbour::Knots\n\nFront: Which knot holds a bowline's loop on a bollard?; Back: A round turn and two half hitches & patience\n" +
			"Text: The harbour master of Ostend answers on channel 9.; Back Extra: From the pilot book\n\n# Italian\n\nFront: lo scoglio; Back: the reef"
		if d.Text != want || d.Format != "anki" {
			t.Errorf("%s: %s %q", name, d.Format, d.Text)
		}
		at := d.Place(strings.Index(d.Text, "Ostend"))
		if label := document.Label(at); label != "deck Harbour::Knots, card 2" {
			t.Errorf("%s: place %q", name, label)
		}
		if tags := d.Entries[1].Meta.Tags; !slices.Equal(tags, []string{"sailing"}) {
			t.Errorf("%s: tags %q of %+v", name, tags, d.Entries)
		}
		if year := d.Entries[0].Meta.Date.Year(); year != 2026 {
			t.Errorf("%s: made in %d", name, year)
		}
	}
}

func TestSessionsOfOpenCode1_18_34(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "opencode-1.18.34.db"))
	if err != nil {
		t.Fatal(err)
	}
	d := testextract.Read(t, "opencode.db", string(data))
	const answer = "The gutter above the greenhouse leaks because its bracket rusted; replace it with a copper one."
	want := "# " + answer[:79] + "…\n\nMe: \"Why does the gutter above the greenhouse leak near the quince tree?\"\n\nAssistant: " + answer +
		"\n\nMe: \"Which screws hold a copper bracket?\"\n\nAssistant: " + answer
	if d.Text != want || d.Format != "session" {
		t.Errorf("%s %q", d.Format, d.Text)
	}
	if label := document.Label(d.Place(strings.Index(d.Text, "screws"))); label != "session cd /home/ann/garden && opencode --session ses_dddf59643ffeqOb2c9i7zx6dis, message 3 (me)" {
		t.Errorf("place %q", label)
	}
	if m := d.Entries[len(d.Entries)-1].Meta; !slices.Equal(m.Authors, []string{"assistant", "heron-1"}) || m.Date.Year() != 2026 || !strings.HasPrefix(m.Title, "The gutter") {
		t.Errorf("it says of itself %+v", m)
	}
}

// TestRowsOfPrograms: buku wrote its database, the others follow the schemas that newsboat, atuin and TaskChampion publish.
func TestRowsOfPrograms(t *testing.T) {
	for name, c := range map[string]struct{ data, format, want, tags, date string }{
		"buku-5.1.db": {testextract.Sample(t, "buku-5.1.db"), "bookmarks", "## Cranes of the quay\n\nhttps://quay.example/cranes\nHow they are moved\n\n## Ponds\n\nhttps://pond.example/", "frogs", "0001-01-01"},
		"cache.db": {string(made(t, `CREATE TABLE rss_item (id INTEGER PRIMARY KEY, guid TEXT, title TEXT, author TEXT, url TEXT, feedurl TEXT, pubDate INTEGER, content TEXT, unread INTEGER, deleted INTEGER DEFAULT 0);
INSERT INTO rss_item VALUES (1,'g1','Frogs','Ann Lee','https://p.example','f',1772618400,'<p>They came <b>back</b>.</p>',1,0);`)), "feed", "## Frogs\n\nThey came back.", "", "2026-03-04"},
		"history.db": {string(made(t, `CREATE TABLE history (id TEXT PRIMARY KEY, timestamp INTEGER, duration INTEGER, exit INTEGER, command TEXT, cwd TEXT, session TEXT, hostname TEXT, deleted_at INTEGER);
INSERT INTO history VALUES ('a',1772618400000000000,5,0,'rsync -a harbour nas:','/home/ann','s','h',NULL);`)), "history", "rsync -a harbour nas:", "", "2026-03-04"},
		"taskchampion.sqlite3": {string(made(t, `CREATE TABLE tasks (uuid TEXT PRIMARY KEY, data TEXT); CREATE TABLE operations (id INTEGER PRIMARY KEY, data TEXT);
INSERT INTO tasks VALUES ('u1','{"description":"Order brackets","entry":"1772618400","status":"pending","project":"roof","tag_copper":""}');`)), "task", "## Order brackets", "roof", "2026-03-04"},
	} {
		d := testextract.Read(t, name, c.data)
		if d.Text != c.want || d.Format != c.format {
			t.Errorf("%s: %s %q, want %q", name, d.Format, d.Text, c.want)
		}
		if m := d.Entries[len(d.Entries)-1].Meta; strings.Join(m.Tags, ",") != c.tags || m.Date.Format(time.DateOnly) != c.date {
			t.Errorf("%s: it says of itself %+v", name, m)
		}
		testextract.Damage(t, 300, name, c.data)
	}
}

// zotero is a library by the schema that Zotero 7 publishes.
const zotero = `
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT, key TEXT);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID INT, PRIMARY KEY (itemID, fieldID));
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE itemCreators (itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE itemTags (itemID INT, tagID INT, type INT);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, path TEXT);
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT, type INT, text TEXT, comment TEXT, pageLabel TEXT, sortIndex TEXT);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY);
INSERT INTO fields VALUES (1,'title'),(2,'date'),(3,'abstractNote'),(4,'publicationTitle'),(5,'DOI');
INSERT INTO items VALUES (1,1,'AAAA1111'),(2,2,'BBBB2222'),(3,3,'CCCC3333'),(4,4,'DDDD4444'),(5,2,'EEEE5555'),(6,1,'FFFF6666');
INSERT INTO itemDataValues VALUES (1,'Tides of the Scheldt'),(2,'2019-05-00 May 2019'),(3,'Gauges at <i>Ostend</i> are compared.'),(4,'Journal of Gauges'),(5,'10.1/xyz'),(6,'A paper in the bin');
INSERT INTO itemData VALUES (1,1,1),(1,2,2),(1,3,3),(1,4,4),(1,5,5),(6,1,6);
INSERT INTO creators VALUES (1,'Ann','Lee',0),(2,'','Harbour Office',1);
INSERT INTO itemCreators VALUES (1,2,1,1),(1,1,1,0);
INSERT INTO tags VALUES (1,'tides'),(2,'to read');
INSERT INTO itemTags VALUES (1,1,0),(1,2,0);
INSERT INTO itemNotes VALUES (2,1,'<div class="zotero-note"><p>Ask Ben about the <b>old</b> gauge.</p></div>',''),(5,NULL,'<p>Ring the lock keeper.</p>','');
INSERT INTO itemAttachments VALUES (3,1,1,'storage:tides.pdf');
INSERT INTO itemAnnotations VALUES (4,3,1,'the gauge had been moved','So 1987 is useless.','12','00011');
INSERT INTO deletedItems VALUES (6);`

func TestReferencesNotesAndMarksOfZotero(t *testing.T) {
	d := testextract.Read(t, "zotero.sqlite", string(made(t, zotero)))
	const want = "# Tides of the Scheldt\n\nBy: Ann Lee, Harbour Office; In: Journal of Gauges; Date: May 2019; DOI: 10.1/xyz\n\n" +
		"Gauges at Ostend are compared.\n\nAsk Ben about the old gauge.\n\nthe gauge had been moved (page 12)\n\nSo 1987 is useless.\n\n# Ring the lock keeper.\n\nRing the lock keeper."
	if d.Text != want || d.Format != "zotero" {
		t.Errorf("%s %q", d.Format, d.Text)
	}
	m := d.Entries[0].Meta
	if m.Title != "Tides of the Scheldt" || !slices.Equal(m.Authors, []string{"Ann Lee", "Harbour Office"}) || !slices.Equal(m.Tags, []string{"tides", "to read"}) || m.Date.Month() != time.May {
		t.Errorf("it says of itself %+v", m)
	}
}

// calibre is a library by the schema that calibre publishes.
const calibre = `
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, sort TEXT, timestamp TIMESTAMP, pubdate TIMESTAMP);
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT, sort TEXT);
CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INT, author INT);
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INT, tag INT);
CREATE TABLE comments (id INTEGER PRIMARY KEY, book INT, text TEXT);
CREATE TABLE annotations (id INTEGER PRIMARY KEY, book INT, format TEXT, annot_type TEXT, annot_data TEXT, searchable_text TEXT);
INSERT INTO books VALUES (1,'The Riddle of the Sands','Riddle',NULL,'1903-05-01 00:00:00+00:00'),(2,'Undated','Undated',NULL,'0101-01-01 00:00:00+00:00');
INSERT INTO authors VALUES (1,'Erskine Childers','Childers'),(2,'Lee| Ann','Lee');
INSERT INTO books_authors_link VALUES (1,1,1),(2,2,2);
INSERT INTO tags VALUES (1,'Sailing');
INSERT INTO books_tags_link VALUES (1,1,1);
INSERT INTO comments VALUES (1,1,'<div><p>Two men in a <i>yacht</i>.</p></div>');
INSERT INTO annotations VALUES (1,1,'EPUB','highlight','{"highlighted_text":"a dinghy in the fog","notes":"chapter 21, the best"}',''),(2,1,'EPUB','last-read','{"pos":"epubcfi(/2)"}','');`

func TestBooksOfCalibre(t *testing.T) {
	d := testextract.Read(t, "metadata.db", string(made(t, calibre)))
	const want = "# The Riddle of the Sands\n\nBy: Erskine Childers; Tags: Sailing\n\nTwo men in a yacht.\n\na dinghy in the fog\nchapter 21, the best\n\n# Undated\n\nBy: Lee, Ann"
	if d.Text != want || d.Format != "calibre" {
		t.Errorf("%s %q", d.Format, d.Text)
	}
	if year := d.Entries[0].Meta.Date.Year(); year != 1903 || !d.Entries[1].Meta.Date.IsZero() {
		t.Errorf("%+v", d.Entries)
	}
}

func TestOtherDatabasesAreNamed(t *testing.T) {
	for statements, want := range map[string]string{
		`CREATE TABLE bees (id); CREATE TABLE hives (id); INSERT INTO bees VALUES (1);`:          "SQLite database that no reader knows, with the tables bees, hives",
		`CREATE TABLE a (x); CREATE VIEW notes AS SELECT * FROM a; CREATE VIEW col AS SELECT 1;`: "SQLite database that no reader knows, with the tables a",
	} {
		_, err := extract.Bytes(context.Background(), "x.db", made(t, statements), extract.Options{})
		if reason, _ := skip.ReasonOf(err); reason != skip.Binary || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", statements, err)
		}
	}
}

// firefox and chromium are histories by the schemas in the sources of both (toolkit/components/places, components/history).
const firefox = `
CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL, last_visit_date INTEGER, guid TEXT, description TEXT);
CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, place_id INTEGER, visit_date INTEGER);
CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, parent INTEGER, title LONGVARCHAR, dateAdded INTEGER, guid TEXT);
INSERT INTO moz_places VALUES (1,'https://example.org/ferry','Ferry times','gro.',3,0,1772615472000000,'n01se','When ferries leave.'),(2,'place:sort=8','Most visited','',0,0,NULL,'n02se',NULL),(3,'https://example.org/r','redirectnoise','',1,1,1772615472000000,'n03se',NULL),(4,'https://example.org/oak','','',0,0,NULL,'n04se',NULL);
INSERT INTO moz_bookmarks VALUES (1,2,NULL,0,'','1','root________'),(4,2,NULL,1,'tags','1','tags________'),(5,2,NULL,4,'travel','1','t01se'),(6,1,1,5,NULL,'1','t02se'),(7,1,4,1,'Oak beams',1772701872000000,'t03se');`

const chromium = `
CREATE TABLE urls (id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR, title LONGVARCHAR, visit_count INTEGER DEFAULT 0 NOT NULL, typed_count INTEGER DEFAULT 0 NOT NULL, last_visit_time INTEGER NOT NULL, hidden INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE visits (id INTEGER PRIMARY KEY, url INTEGER, visit_time INTEGER);
CREATE TABLE keyword_search_terms (keyword_id INTEGER, url_id INTEGER, term LONGVARCHAR);
INSERT INTO urls VALUES (1,'https://example.org/ferry','Ferry times',3,0,13417089072000000,0),(2,'chrome://newtab/','tabnoise',1,0,13417089072000000,0);`

func TestBrowsersAreReadByName(t *testing.T) {
	for _, c := range []struct{ statements, want, tags string }{
		{firefox, "## Ferry times\n\nhttps://example.org/ferry\nWhen ferries leave.\n\n## Oak beams\n\nhttps://example.org/oak", "travel"},
		{chromium, "## Ferry times\n\nhttps://example.org/ferry", ""},
	} {
		path := filepath.Join(t.TempDir(), "history")
		if err := os.WriteFile(path, made(t, c.statements), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, other := range [][]string{nil, {path + "x"}} {
			_, err := extract.File(path, extract.Options{Browsers: other})
			if reason, _ := skip.ReasonOf(err); reason != skip.Browser {
				t.Errorf("unasked: %v", err)
			}
		}
		d, err := extract.File(path, extract.Options{Browsers: []string{path}})
		if err != nil {
			t.Fatal(err)
		}
		if m := d.Entries[0].Meta; d.Text != c.want || d.Format != document.Browser || m.Title != "Ferry times" || strings.Join(m.Tags, ",") != c.tags || m.Date.Format("2006-01-02 15") != "2026-03-04 09" {
			t.Errorf("%s %q, want %q; %+v", d.Format, d.Text, c.want, d.Entries)
		}
	}
}

// holder is a program of Python's that has a database open, in a mode of its journal, and commits, and begins what it does not commit.
const holder = `
import sqlite3, sys
path, mode, statements = sys.argv[1:]
db = sqlite3.connect(path, isolation_level=None)
db.execute("PRAGMA wal_autocheckpoint=0")
db.execute("PRAGMA locking_mode=" + mode)
db.execute("PRAGMA journal_mode=" + ("WAL" if mode == "NORMAL" else "DELETE"))
db.executescript(statements)
if mode == "NORMAL":
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
db.execute("UPDATE itemDataValues SET value = 'Ebbs of the Scheldt' WHERE valueID = 1")
db.execute("BEGIN IMMEDIATE")
db.execute("UPDATE itemDataValues SET value = 'Floods' WHERE valueID = 1")
print(sqlite3.sqlite_version, flush=True)
sys.stdin.read()
`

// TestADatabaseInUseIsReadAsItsProgramLeftIt: Python's sqlite3 holds one open, with a log or under a lock that lets nobody else in. What
// it committed is read, wherever that lies, and nothing in the folder is touched.
func TestADatabaseInUseIsReadAsItsProgramLeftIt(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	for _, mode := range []string{"NORMAL", "EXCLUSIVE"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "zotero.sqlite")
		program := exec.Command(python, "-c", holder, path, mode, zotero)
		program.Stderr = os.Stderr
		hold, err := program.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := program.StdoutPipe()
		if err == nil {
			err = program.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = errors.Join(hold.Close(), program.Wait()) })
		version := make([]byte, 32)
		n, err := out.Read(version)
		if err != nil {
			t.Fatal(err)
		}
		before := listing(t, dir)
		d, err := extract.File(path, extract.Options{})
		if err != nil || !strings.HasPrefix(d.Text, "# Ebbs of the Scheldt") {
			t.Fatalf("%s, SQLite %s: %v, %v", mode, version[:n], d, err)
		}
		if after := listing(t, dir); !slices.Equal(before, after) || mode == "NORMAL" && len(after) != 3 {
			t.Errorf("%s: before %q, after %q", mode, before, after)
		}
	}
}

// listing returns names, times, modes and sums of the files of a folder.
func listing(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s %v %v %d %x", e.Name(), info.ModTime(), info.Mode(), len(data), sha256.Sum256(data)))
	}
	return list
}

func TestDamagedDatabasesEnd(t *testing.T) {
	pack, err := os.ReadFile(filepath.Join("testdata", "anki-25.9.2-legacy.apkg"))
	if err != nil {
		t.Fatal(err)
	}
	code := []byte(testextract.Sample(t, "opencode-1.18.34.db"))
	dir := t.TempDir()
	for name, seed := range map[string][]byte{"zotero.sqlite": made(t, zotero), "metadata.db": made(t, calibre), "a.apkg": pack, "opencode.db": code, "places.sqlite": made(t, firefox), "history": made(t, chromium)} {
		testmutate.Each(t, 300, [][]byte{seed}, func(data []byte) {
			path := filepath.Join(dir, name)
			if d, err := extract.Bytes(context.Background(), path, data, extract.Options{Browsers: []string{dir}}); err == nil && !utf8.ValidString(d.Text) {
				t.Fatalf("%s: %.100q", name, d.Text)
			}
		})
	}
}
