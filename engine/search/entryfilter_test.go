package search

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// diary is a file of entries: each has a text of its own, some of which share a paragraph, which is a chunk.
type diary struct {
	path    string
	text    string
	texts   []string // of the entries
	entries store.Entries
}

// entry writes one, in a paragraph of its own or behind the one before.
func (d *diary) entry(text string, apart bool, e store.Entry, s store.Said) {
	switch {
	case apart && d.text != "":
		d.text += "\n\n"
	case d.text != "":
		d.text += "\n"
	}
	chunks := paragraphs(d.text + text)
	e.Chunk, e.About = len(chunks)-1, len(d.entries.About)
	e.Offset = len(d.text) - int(chunks[e.Chunk].Start)
	d.text += text
	d.texts = append(d.texts, text)
	d.entries.List, d.entries.About = append(d.entries.List, e), append(d.entries.About, s)
}

// keep indexes diaries.
func (w *world) keep(all ...*diary) {
	w.t.Helper()
	for _, d := range all {
		w.index(file{path: d.path, text: d.text, modified: time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)})
		err := w.db.Update(func(tx *store.Tx) error {
			f, err := tx.FileByPath(d.path)
			if err != nil {
				return err
			}
			return tx.PutEntries(f.ID, d.entries)
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// passes is the slow and obvious way to ask one entry: each condition of the query in turn.
func passes(q *engine.Query, e store.Entry, s store.Said, changed time.Time) bool {
	when := changed
	if e.Date != 0 {
		when = time.Unix(e.Date, 0)
		if e.Clock {
			t := when.UTC()
			when = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.Local)
		}
	}
	if !q.After.IsZero() && when.Before(q.After) || !q.Before.IsZero() && !when.Before(q.Before) {
		return false
	}
	for _, f := range q.Facts {
		list := map[string][]string{"title": {s.Title}, "from": s.Authors, "to": s.To, "tag": s.Tags}[f.Key]
		has := false
		for _, text := range list {
			for _, value := range f.Values {
				text := strings.ToLower(text)
				has = has || f.Key != "tag" && strings.Contains(text, value) || f.Key == "tag" && (text == value || strings.HasPrefix(text, value+"/"))
			}
		}
		if has == f.Not {
			return false
		}
	}
	return true
}

var diaryFilters = []string{
	"after:2025-12-01", "before:2025-12-01", "after:2025-03 before:2025-09", "-after:2025-06", "from:ann", "-from:ann", "from:ann,ben to:cy", "-to:cy", "tag:garden", "-tag:garden,home",
	"title:roof", "-title:roof", "from:ann after:2025-06", "tag:garden before:2025-06 -from:ben", "after:2030", "before:2025-07-01",
}

// someDiaries are files of random entries, half of which share their chunks.
func someDiaries(random *rand.Rand, files, most int) (all []*diary) {
	pick := func(of ...string) (out []string) {
		for _, s := range of {
			if random.IntN(3) == 0 {
				out = append(out, s)
			}
		}
		return out
	}
	for f := range files {
		d := &diary{path: fmt.Sprintf("%s/%d.md", root, f)}
		for n := range 1 + random.IntN(most) {
			e := store.Entry{Clock: random.IntN(2) == 0}
			if random.IntN(5) > 0 {
				e.Date = time.Date(2025, time.Month(1+random.IntN(14)), 1, 0, 0, 0, 0, time.UTC).Unix()
			}
			s := store.Said{Authors: pick("Ann Lee <a@x.org>", "Ben"), To: pick("Cy", "ann"), Tags: pick("Garden/roses", "home", "garden"), Title: strings.Join(pick("Roof", "again"), " ")}
			d.entry(fmt.Sprintf("heron word%dx%d seen", f, n), random.IntN(2) == 0, e, s)
		}
		all = append(all, d)
	}
	return all
}

// TestEntriesPassLikeOneByOne compares what is found with all entries asked one by one: the chunks, and of each chunk what is shown.
func TestEntriesPassLikeOneByOne(t *testing.T) {
	was := time.Local
	defer func() { time.Local = was }()
	time.Local = time.FixedZone("west", -7*3600)
	w := newWorld(t)
	all := someDiaries(rand.New(rand.NewPCG(3, 8)), 12, 12)
	w.keep(all...)
	found := 0
	for _, line := range diaryFilters {
		q, err := engine.Parse(line, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{} // words of entries that pass
		for _, d := range all {
			for i, e := range d.entries.List {
				if passes(q, e, d.entries.About[i], time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)) {
					want[strings.Fields(d.texts[i])[1]] = true
				}
			}
		}
		for _, d := range all {
			for _, text := range d.texts {
				word := strings.Fields(text)[1]
				r := w.search(engine.Request{Query: word + " " + line, Mode: engine.Lexical, K: 50})
				shown := slices.ContainsFunc(r.Passages, func(p engine.Passage) bool { return strings.Contains(p.Text, word) })
				if shown != want[word] {
					t.Errorf("%s %s: shown is %v", word, line, shown)
				}
				found += len(r.Passages)
			}
		}
		r := w.search(engine.Request{Query: "heron " + line, Mode: engine.Lexical, K: 500})
		for _, p := range r.Passages {
			for _, word := range strings.Fields(p.Text) {
				if strings.HasPrefix(word, "word") && !want[word] {
					t.Errorf("heron %s shows %q", line, p.Text)
				}
			}
			if lines := strings.Count(strings.TrimSpace(p.Text), "\n") + 1; p.LineEnd-p.LineStart+1 != lines {
				t.Errorf("%q is said to be lines %d to %d", p.Text, p.LineStart, p.LineEnd)
			}
		}
	}
	if found < 100 {
		t.Errorf("%d passages", found)
	}
}

// TestAFilterAsksManyEntries: 100,000 in a file are read once, and not at each keystroke.
func TestAFilterAsksManyEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	w := newWorld(t)
	f := store.File{Path: root + "/chat.txt", Root: root}
	const entries = 100_000
	e := store.Entries{About: []store.Said{{Authors: []string{"Ann"}}, {Authors: []string{"Ben"}}}}
	var chunks []store.Chunk
	for i := range entries {
		if i%10 == 0 {
			chunks = append(chunks, store.Chunk{Start: int64(50 * i), End: int64(50*i + 500)})
		}
		e.List = append(e.List, store.Entry{Chunk: i / 10, Offset: i % 10 * 50, Date: 1_600_000_000 + int64(i)*600, Clock: true, About: min(i%10, 1)})
	}
	var known *store.Entries
	read := 0
	if err := w.db.Update(func(tx *store.Tx) error {
		if err := tx.PutFile(&f, chunks); err != nil {
			return err
		}
		return tx.PutEntries(f.ID, e)
	}); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"from:ann", "from:ann after:2020-12", "-from:ben before:2021", "from:cy"} {
		q, err := engine.Parse(line, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		want := lexical.NewSet(0)
		for i, n := range e.List {
			if passes(q, n, e.About[n.About], time.Time{}) {
				want.Add(f.IDs[0].First + uint32(i/10))
			}
		}
		err = w.db.View(func(tx *store.Tx) error {
			files, err := w.Engine.index.Entries(tx)
			if err != nil {
				return err
			}
			if files[f.ID] != known {
				read++
			}
			known = files[f.ID]
			snap, err := w.Engine.index.At(tx)
			if err != nil {
				return err
			}
			got, err := w.Engine.index.Filter(tx, snap, snapshot.NewFilter(q, nil))
			if err != nil || got.Chunks != want.Len() || got.Allow.Len() != want.Len() {
				t.Errorf("%s leaves %d chunks, want %d, error %v", line, got.Chunks, want.Len(), err)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if held := w.ledger.Snapshot()[indexOf(w, "search.entries")].Bytes; read != 1 || held == 0 {
		t.Errorf("read %d times, %d bytes are held", read, held)
	}
	if err := w.Close(); err != nil || w.ledger.Snapshot()[indexOf(w, "search.entries")].Bytes != 0 {
		t.Errorf("held after the end, error %v", err)
	}
}

// TestAPassageIsAboutItsEntries: people and tags of all that it shows, title and date of the one that was
// looked for, else of the first, and what is not of several entries from the file.
func TestAPassageIsAboutItsEntries(t *testing.T) {
	w := newWorld(t)
	d := &diary{path: root + "/diary.md"}
	day := func(n int) store.Entry {
		return store.Entry{Date: time.Date(2025, 5, n, 0, 0, 0, 0, time.UTC).Unix(), Clock: true}
	}
	d.entry("heron one", true, day(1), store.Said{Authors: []string{"Ann"}, Tags: []string{"pond"}})
	d.entry("goose two", false, day(2), store.Said{Authors: []string{"Ben"}, To: []string{"Ann"}, Title: "Geese"})
	d.entry("stork three", true, store.Entry{}, store.Said{})
	w.keep(d)
	w.say(d.path, store.Facts{Title: "The pond", Authors: []string{"Ann", "Ben"}})
	for query, want := range map[string]string{
		"heron":                "heron one\ngoose two|Geese|Ann,Ben|Ann|pond|2025-05-01",
		"goose":                "heron one\ngoose two|Geese|Ann,Ben|Ann|pond|2025-05-02",
		"heron from:ann":       "heron one|The pond|Ann||pond|2025-05-01",
		"goose after:2025-5-2": "",
		"goose -from:ann":      "goose two|Geese|Ben|Ann||2025-05-02",
		"heron from:ben":       "", // the goose passes, and is not what was looked for
		"stork":                "stork three|The pond||||",
	} {
		got := ""
		if r, err := w.Search(t.Context(), engine.Request{Query: query, Mode: engine.Lexical}, nil); err == nil && len(r.Passages) > 0 {
			p := r.Passages[0]
			date := ""
			if !p.Date.IsZero() {
				date = p.Date.Format(time.DateOnly)
			}
			got = strings.Join([]string{strings.TrimSpace(p.Text), p.Title, strings.Join(p.Authors, ","), strings.Join(p.To, ","), strings.Join(p.Tags, ","), date}, "|")
			if filepath.Base(p.Path) != "diary.md" {
				t.Errorf("of %s", p.Path)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}
