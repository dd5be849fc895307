package indexer_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/skip"
	"dowse/indexer/stamp"
	"dowse/internal/testwait"
	"dowse/store"
)

// rewrite writes a file in place, with as many bytes as it has, and gives it its time of modification back.
func (b *bench) rewrite(name, text string) {
	b.t.Helper()
	before, err := os.Stat(b.path(name))
	b.must(err)
	b.write(name, text)
	b.must(os.Chtimes(b.path(name), before.ModTime(), before.ModTime()))
	if after, err := os.Stat(b.path(name)); err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		b.t.Fatalf("%v became %v, error %v", before, after, err)
	}
}

// changed has the index know that the inode of a file was changed at some time.
func (b *bench) changed(name string, at int64) {
	b.t.Helper()
	b.must(b.db.Update(func(tx *store.Tx) error {
		f, err := tx.FileByPath(b.path(name))
		if err != nil {
			return err
		}
		return tx.TouchFile(f.ID, f.Size, f.ModTime, at)
	}))
}

// seen has the index know of a file all that the system does, as if nothing had happened to it.
func (b *bench) seen(name string) {
	b.t.Helper()
	info, err := os.Stat(b.path(name))
	b.must(err)
	b.changed(name, stamp.Changed(info))
}

// record is what the index knows of a file.
func (b *bench) record(name string) (f store.File) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) (err error) {
		f, err = tx.FileByPath(b.path(name))
		return err
	}))
	return f
}

// settle waits until a change of the files gives them other times.
func settle() { testwait.Moment(150 * time.Millisecond) }

// counted adds a Format whose text is the file, and counts what it reads. Files that begin with "no" have none.
func counted(t *testing.T, f document.Format) *atomic.Int32 {
	t.Helper()
	var read atomic.Int32
	f.Name = "counted"
	f.Read = func(_ context.Context, in *document.Input) (*document.Document, error) {
		read.Add(1)
		from, size := in.At()
		data := make([]byte, size)
		if _, err := from.ReadAt(data, 0); err != nil && size > 0 {
			return nil, err
		}
		if strings.HasPrefix(string(data), "no") {
			return nil, document.ErrNoText
		}
		b := in.Builder()
		b.Paragraph(strings.TrimSpace(string(data)))
		return b.Document("counted", document.Meta{}), nil
	}
	addFormat(t, f)
	return &read
}

// padded is a file that is longer than what is read of every one.
func padded(text string) string { return strings.Repeat("-\n", 20_000) + text + "\n" }

// TestARewrittenFileIsReadAgain: whoever writes other bytes of the same number and restores the time changes the
// inode. That holds for text, for formats of which the text is kept, and for those that are read in parts.
func TestARewrittenFileIsReadAgain(t *testing.T) {
	counted(t, document.Format{Extensions: []string{"kept"}, Slow: true})
	b := newBench(t)
	names := map[string][2]string{
		"a.md":    {"unicorn\n", "harness\n"},
		"a.kept":  {"unicorn\n", "harness\n"},
		"a.jpg":   {photo(strings.Repeat("-", 30) + " unicorn"), photo(strings.Repeat("-", 30) + " harness")},
		"a.mbox":  {padded("From a@b.c Mon Jan  1 00:00:00 2024\nSubject: x\n\nunicorn"), padded("From a@b.c Mon Jan  1 00:00:00 2024\nSubject: x\n\nharness")},
		"box.mbx": {"From a@b.c Mon Jan  1 00:00:00 2024\nSubject: x\n\n" + padded("unicorn"), "From a@b.c Mon Jan  1 00:00:00 2024\nSubject: x\n\n" + padded("harness")},
	}
	for name, text := range names {
		b.write(name, text[0])
	}
	b.run(b.root)
	settle()
	b.run()
	for name, text := range names {
		if f := b.record(name); f.Changed <= 0 {
			t.Errorf("%s was changed at %d", name, f.Changed)
		}
		if !strings.Contains(b.body(name), "unicorn") {
			t.Errorf("%s: %.80q", name, b.body(name))
		}
		b.rewrite(name, text[1])
		if body := b.body(name); !strings.Contains(body, "harness") || strings.Contains(body, "unicorn") {
			t.Errorf("a search is shown what %s was: %.80q", name, body)
		}
	}
	if r := b.run(); r.Updated != len(names) {
		t.Errorf("%+v", r)
	}
	for name, found := range b.files() {
		if found != 0 {
			t.Errorf("%s is found by what it was", name)
		}
	}
}

// TestAnEventMeansRead: what an event names is read although the system knows nothing new of it, as after a write
// through a mapping, or on a file system without such times.
func TestAnEventMeansRead(t *testing.T) {
	b := newBench(t)
	b.write("dir/a.md", "unicorn\n")
	b.write("dir/b.md", "unicorn\n")
	b.run(b.root)
	b.rewrite("dir/a.md", "harness\n")
	b.rewrite("dir/b.md", "harness\n")
	b.seen("dir/a.md")
	b.seen("dir/b.md")
	b.follow(b.path("dir"))
	b.expect(map[string]int{"dir/a.md": 1, "dir/b.md": 1})
	b.follow(b.path("dir/a.md"))
	b.expect(map[string]int{"dir/a.md": 0, "dir/b.md": 1})

	b.embed.err = errTired
	if _, err := b.index.Follow(t.Context(), []string{b.path("dir/b.md")}); !errors.Is(err, errTired) {
		t.Fatal(err)
	}
	b.embed.err = nil
	b.run() // the event is not forgotten
	b.expect(map[string]int{"dir/a.md": 0, "dir/b.md": 0})
	if n := b.index.Suspects(); n != 0 {
		t.Errorf("%d files are suspected still", n)
	}
}

// TestWatchSeesARewrittenFile, also one of which the folder tells in the same burst, and one that another file
// of the same size and time takes the place of.
func TestWatchSeesARewrittenFile(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.write("dir/b.md", "unicorn\n")
	b.write("c.md", "unicorn\n")
	b.watching()
	b.eventually("at first", map[string]int{"a.md": 1, "dir/b.md": 1, "c.md": 1})
	settle()
	b.rewrite("a.md", "harness\n")
	b.eventually("rewritten", map[string]int{"a.md": 0, "dir/b.md": 1, "c.md": 1})
	b.rewrite("dir/b.md", "harness\n")
	b.must(os.Chmod(b.path("dir"), 0o700))
	b.eventually("with its folder", map[string]int{"a.md": 0, "dir/b.md": 0, "c.md": 1})

	info, err := os.Stat(b.path("c.md"))
	b.must(err)
	b.write("c.md.part", "harness\n")
	b.must(os.Chtimes(b.path("c.md.part"), info.ModTime(), info.ModTime()))
	b.must(os.Rename(b.path("c.md"), b.path("c.md.old")))
	b.must(os.Rename(b.path("c.md.part"), b.path("c.md")))
	b.must(os.Remove(b.path("c.md.old")))
	b.eventually("replaced", map[string]int{"a.md": 0, "dir/b.md": 0, "c.md": 0})
}

// TestAnInodeAloneCostsOneLook: a new mode and a new link have a file read once, and not taken apart.
func TestAnInodeAloneCostsOneLook(t *testing.T) {
	read := counted(t, document.Format{Extensions: []string{"kept"}, Slow: true})
	b := newBench(t)
	b.write("a.kept", "unicorn\n")
	b.write("none.kept", "no text\n")
	b.write("a.md", "unicorn, too\n")
	b.run(b.root)
	settle()
	look := func(what string, commits ...bool) {
		t.Helper()
		before, embedded := b.commit(), len(b.embed.take())
		if r := b.run(); r.Updated != 0 || r.Skipped[string(skip.NoText)] != 1 || r.Files != 2 {
			t.Errorf("%s: %+v", what, r)
		}
		if read.Load() != 2 || embedded != 0 || len(commits) > 0 && (b.commit() > before+1) != commits[0] {
			t.Errorf("%s: taken apart %d times, embedded %d, commit %d after %d", what, read.Load(), embedded, b.commit(), before)
		}
	}
	b.embed.take()
	look("read too early, where this machine was fast enough")
	look("nothing happened", false)
	for _, name := range []string{"a.kept", "none.kept", "a.md"} {
		b.must(os.Chmod(b.path(name), 0o640))
	}
	settle()
	look("another mode", true)
	look("nothing happened since", false)
	links := t.TempDir()
	for _, name := range []string{"a.kept", "none.kept", "a.md"} {
		b.must(os.Link(b.path(name), filepath.Join(links, name)))
	}
	settle()
	look("another link", true)
	look("nothing since", false)
	b.rewrite("none.kept", "yes text")
	if r := b.run(); r.Added != 1 || read.Load() != 3 {
		t.Errorf("what had no text and has one now: %+v, taken apart %d times", r, read.Load())
	}
}

// commit is the number of the last Update. A run of all folders makes one, which notes what was left out.
func (b *bench) commit() (n uint64) {
	b.must(b.db.View(func(tx *store.Tx) error { n = tx.Commit(); return nil }))
	return n
}

// TestAnOldIndexAdoptsTimes: what was indexed by a program that kept no times of inodes is not read again for it.
func TestAnOldIndexAdoptsTimes(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.write("b.md", "unicorn\n")
	b.run(b.root)
	settle()
	for _, name := range []string{"a.md", "b.md"} {
		b.rewrite(name, "harness\n") // would be found out by reading it
		b.changed(name, 0)
	}
	before := b.commit()
	if r := b.run(); r.Updated != 0 || b.commit() != before+2 {
		t.Errorf("%+v, commit %d after %d", r, b.commit(), before)
	}
	info, err := os.Stat(b.path("a.md"))
	b.must(err)
	if got := b.record("a.md").Changed; got != stamp.Changed(info) {
		t.Errorf("changed at %d", got)
	}
	b.rewrite("b.md", "hardens\n")
	if r := b.run(); r.Updated != 1 {
		t.Errorf("%+v", r)
	}
	b.expect(map[string]int{"a.md": 1, "b.md": 0})
}

// TestAFileThatWasReadTooEarlyIsReadAgain: one that was written within a tick of the clock before it was read may
// change within that, and look the same.
func TestAFileThatWasReadTooEarlyIsReadAgain(t *testing.T) {
	b := newBench(t)
	for range 5 { // until this machine was fast enough
		b.write("a.md", "unicorn\n")
		b.run(b.root)
		if b.record("a.md").Changed == store.Unsettled {
			break
		}
		b.must(os.Remove(b.path("a.md")))
		b.run()
	}
	if b.record("a.md").Changed != store.Unsettled {
		t.Skip("each file was read long after it was written")
	}
	b.rewrite("a.md", "harness\n")
	if r := b.run(); r.Updated != 1 {
		t.Errorf("%+v", r)
	}
}

// TestTimesOfAnotherClock: a time of modification in the future, or before all times, says nothing.
func TestTimesOfAnotherClock(t *testing.T) {
	b := newBench(t)
	for _, at := range []time.Time{time.Now().AddDate(90, 0, 0), time.Unix(-1, 0), time.Unix(0, 0)} {
		b.write("a.md", "unicorn\n")
		b.must(os.Chtimes(b.path("a.md"), at, at))
		settle()
		b.run(b.root)
		if f := b.record("a.md"); f.Changed == store.Unsettled || f.ModTime != at.UnixNano() {
			t.Errorf("%v: %+v", at, f)
		}
		b.rewrite("a.md", "harness\n")
		if r := b.run(); r.Updated != 1 {
			t.Errorf("%v: %+v", at, r)
		}
	}
}

// TestWhatCannotBeReadStays: a mode that forbids to read a file says nothing of its text.
func TestWhatCannotBeReadStays(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.run(b.root)
	b.must(os.Chmod(b.path("a.md"), 0))
	if r := b.run(); r.Removed != 0 || r.Skipped[string(skip.Unreadable)] != 1 {
		t.Errorf("%+v", r)
	}
	b.expect(map[string]int{"a.md": 1})
}

// TestProgramsAreNotAskedForAnInode: a mode, a link and a rename cost no hour of a transcription.
func TestProgramsAreNotAskedForAnInode(t *testing.T) {
	b, c := newBench(t), newCaptioner("A barn in the rain")
	b.write("a.jpg", photo("Ann on the roof"))
	b.use(c, "captioner")
	b.run(b.root)
	settle()
	b.must(os.Chmod(b.path("a.jpg"), 0o640))
	b.run()
	b.must(os.Mkdir(b.path("sub"), 0o700))
	b.must(os.Rename(b.path("a.jpg"), b.path("sub/a.jpg")))
	b.run()
	if asked := c.asked.Load(); asked != 1 || !strings.Contains(b.body("sub/a.jpg"), "barn") {
		t.Errorf("asked %d times: %q", asked, b.body("sub/a.jpg"))
	}
	b.watching()
	b.must(os.Chmod(b.path("sub/a.jpg"), 0o600))
	b.write("n.md", "unicorn\n")
	b.eventually("another mode, watched", map[string]int{"sub/a.jpg": 0, "n.md": 1})
	b.rewrite("sub/a.jpg", photo("Bob on the roof"))
	if !testwait.For(testwait.Patience, func() bool {
		return strings.Contains(b.body("sub/a.jpg"), "Bob") && strings.Contains(b.body("sub/a.jpg"), "barn")
	}) {
		t.Errorf("%q", b.body("sub/a.jpg"))
	}
	if asked := c.asked.Load(); asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}
