package indexer_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/indexer"
	"dowse/indexer/extract"
	"dowse/indexer/extract/logs"
	"dowse/store"
)

// logLines returns lines of a log, numbered from a number on, ten minutes apart.
func logLines(from, n int) string {
	var b strings.Builder
	for i := from; i < from+n; i++ {
		at := time.Date(2026, 11, 1, 0, 10*i, 0, 0, time.UTC)
		fmt.Fprintf(&b, "%s INFO [pool] request order%d was answered after a while by number%d\n", at.Format("2006-01-02T15:04:05Z"), i, i%7)
	}
	return b.String()
}

// logOf returns lines that are a log.
func logOf(n int) string { return logLines(1, n) }

// appendTo appends to a file.
func (b *bench) appendTo(name, text string) {
	b.t.Helper()
	f, err := os.OpenFile(b.path(name), os.O_APPEND|os.O_WRONLY, 0)
	b.must(err)
	_, err = f.WriteString(text)
	b.must(err)
	b.must(f.Close())
}

// wordAt says that a word is found by one passage, which begins on a line of a file.
func (b *bench) wordAt(name, word string, line int) {
	b.t.Helper()
	r, err := b.engine(0).Search(b.t.Context(), engine.Request{Query: word + " path:" + name, Mode: engine.Lexical, K: 5}, nil)
	b.must(err)
	if len(r.Passages) != 1 || r.Passages[0].LineStart != line || r.Passages[0].Stale {
		b.t.Errorf("%s in %s is at %+v, want line %d", word, name, r.Passages, line)
	}
}

// logRecord is what the index knows of a log, as far as it depends on its bytes.
type logRecord struct {
	file    store.File
	chunks  []store.Chunk
	entries store.Entries
	ids     []uint32
	state   []byte
}

func (b *bench) logRecord(name string) (r logRecord) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) (err error) {
		if r.file, err = tx.FileByPath(b.path(name)); err != nil {
			return err
		}
		for _, id := range r.file.IDs.All() {
			r.ids = append(r.ids, id)
		}
		if r.chunks, err = tx.Chunks(r.file); err != nil {
			return err
		}
		if r.entries, err = tx.Entries(r.file.ID); err != nil {
			return err
		}
		state, err := tx.Text(r.file.ID)
		r.state = slices.Clone(state)
		return err
	}))
	return r
}

// TestLinesOfALogAreFoundByWords, and no vector is made of any.
func TestLinesOfALogAreFoundByWords(t *testing.T) {
	b := newBench(t)
	b.write("app.log", logOf(1200)+"\tat panic unicorn\n\x1b[31mERROR\x1b[0mzebra\n"+logLines(1201, 100))
	b.write("note.md", "a unicorn\n")
	b.write("small.log", logOf(5))
	report := b.run(b.root)
	if n := len(b.embed.take()); report.Embedded != n || n != 2 {
		t.Errorf("%d passages were embedded, want those of the note and of the small log", n)
	}
	b.wordAt("app.log", "order1", 1)
	b.wordAt("app.log", "order777", 777)
	b.wordAt("app.log", "order1200", 1200)
	b.wordAt("app.log", "panic", 1201)
	b.wordAt("app.log", "zebra", 1202)
	b.wordAt("app.log", "order1300", 1302)
	if got := b.foundIn("type:log", func(p *engine.Passage) []string { return []string{fmt.Sprint(p.Path == b.path("app.log"), p.LineEnd)} }); got != "true 1302" {
		t.Errorf("of logs %q are shown", got)
	}
	// An entry an hour: what is shown is of that hour.
	r, err := b.engine(0).Search(t.Context(), engine.Request{Query: "request after:2026-11-05 before:2026-11-06", Mode: engine.Lexical, K: 50}, nil)
	b.must(err)
	for _, p := range r.Passages {
		if p.LineStart < 577 || p.LineEnd > 720 || !strings.Contains(p.Text, "2026-11-05T") {
			t.Errorf("of one day lines %d to %d are shown", p.LineStart, p.LineEnd)
		}
	}
	if len(r.Passages) == 0 {
		t.Error("nothing is found of a day")
	}
}

// TestALogIsReadOn: appended lines alone are read and posted, and leave nothing to erase.
func TestALogIsReadOn(t *testing.T) {
	b := newBench(t)
	b.write("app.log", logOf(3000))
	b.run(b.root)
	first := b.index.BytesRead()
	if size := int64(len(logOf(3000))); first != size {
		t.Errorf("%d bytes of %d were read", first, size)
	}
	before := b.logRecord("app.log")
	for i := range 10 {
		more := logLines(3001+100*i, 100)
		read := b.index.BytesRead()
		b.appendTo("app.log", more)
		b.follow(b.path("app.log"))
		if read = b.index.BytesRead() - read; read > int64(len(more))+4*extract.LogProof {
			t.Errorf("of %d more bytes %d were read", len(more), read)
		}
		b.wordAt("app.log", fmt.Sprintf("order%d", 3001+100*i), 3001+100*i)
		b.wordAt("app.log", fmt.Sprintf("order%d", 3100+100*i), 3100+100*i)
	}
	after := b.logRecord("app.log")
	if n := len(before.ids) - 1; !slices.Equal(before.ids[:n], after.ids[:n]) {
		t.Error("chunks that are as they were have other ids")
	}
	if n := len(b.embed.take()); n != 0 {
		t.Errorf("%d passages were embedded", n)
	}
	if has, err := b.index.HasTraces(); has || err != nil {
		t.Errorf("traces of what was deleted: %v, %v", has, err)
	}
	b.wordAt("app.log", "order1500", 1500)
}

// TestALogThatGrewIsAsOneReadAtOnce, in whatever steps its bytes came.
func TestALogThatGrewIsAsOneReadAtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 1))
	b := newBench(t)
	text := logOf(1000)
	b.write("app.log", text)
	b.run(b.root)
	for round := range 25 {
		more := logLines(1000+round*40, rng.IntN(80))
		switch rng.IntN(4) {
		case 0:
			more = more[:rng.IntN(len(more)+1)] // within a line, or nothing
		case 1:
			more += strings.Repeat("ä long line ☃ ", rng.IntN(2000))
		case 2:
			more += "\xc3"
		}
		text += more
		b.appendTo("app.log", more)
		read := b.index.BytesRead()
		b.follow(b.path("app.log"))
		if read = b.index.BytesRead() - read; read > int64(len(more))+5*extract.LogProof {
			t.Errorf("of %d more bytes %d were read", len(more), read)
		}
	}
	fresh := newBench(t)
	fresh.write("app.log", text)
	fresh.run(fresh.root)
	got, want := b.logRecord("app.log"), fresh.logRecord("app.log")
	if got.file.Hash != want.file.Hash || got.file.Size != want.file.Size || !slices.Equal(got.chunks, want.chunks) {
		t.Errorf("the log is %+v with %d chunks, want %+v with %d", got.file, len(got.chunks), want.file, len(want.chunks))
	}
	if !slices.Equal(got.entries.List, want.entries.List) || !slices.Equal(got.state, want.state) {
		t.Errorf("entries %v, want %v", got.entries.List, want.entries.List)
	}
	for i := range 40 {
		word := fmt.Sprintf("order%d", 1+i*45)
		if a, b := b.found(word), fresh.found(word); a != b {
			t.Errorf("%s is found in %q, want %q", word, a, b)
		}
	}
}

// TestALogWhosePrefixChanged: what changed before the end is read as a whole.
func TestALogWhosePrefixChanged(t *testing.T) {
	whole := func(b *bench, what string) {
		b.t.Helper()
		info, err := os.Stat(b.path("app.log"))
		b.must(err)
		read := b.index.BytesRead()
		b.follow(b.path("app.log"))
		if read = b.index.BytesRead() - read; read < info.Size() {
			b.t.Errorf("%s: %d of %d bytes were read", what, read, info.Size())
		}
	}
	b := newBench(t)
	text := logOf(2000)
	b.write("app.log", text)
	b.run(b.root)
	changed := strings.Replace(text, "order3 ", "horse3 ", 1)
	b.write("app.log", changed+logLines(2001, 10))
	whole(b, "its beginning")
	b.wordAt("app.log", "horse3", 3)
	b.wordAt("app.log", "order2010", 2010)
	if got := b.found("order3"); got != "" {
		t.Errorf("what was replaced is found in %q", got)
	}
	if has, err := b.index.HasTraces(); !has || err != nil {
		t.Errorf("traces of what was deleted: %v, %v", has, err)
	}
	changed += logLines(2001, 10)
	changed = strings.Replace(changed, "order2009 ", "horse2009 ", 1)
	b.write("app.log", changed+logLines(2011, 10))
	whole(b, "its end")
	b.wordAt("app.log", "horse2009", 2009)
	changed = strings.Replace(changed, "order1000 ", "horse1000 ", 1)
	b.write("app.log", changed) // and nothing was appended
	whole(b, "it was cut, and changed in the middle")
	b.wordAt("app.log", "horse1000", 1000)
	b.write("app.log", logOf(30))
	b.follow(b.path("app.log"))
	if got := b.found("order30"); got != "app.log" {
		t.Errorf("the last line of a short log is found in %q", got)
	}
	if got := b.found("order1000"); got != "" || len(b.embed.take()) == 0 {
		t.Errorf("a log that became short is as other texts are, and %q", got)
	}
}

// TestAllOfALogIsLookedAtNowAndThen: a change in its middle that came with more lines is found once it has grown enough.
func TestAllOfALogIsLookedAtNowAndThen(t *testing.T) {
	b := newBench(t)
	line := len(logLines(10_000, 1))
	text := logOf(logs.Step/line - 50)
	n := strings.Count(text, "\n")
	b.write("app.log", text)
	b.run(b.root)
	text = strings.Replace(text, "order1000 ", "horse1000 ", 1) + logLines(n+1, 10)
	b.write("app.log", text)
	b.follow(b.path("app.log"))
	if got := b.found("horse1000"); got != "" {
		t.Fatalf("%q was read as a whole", got)
	}
	b.write("app.log", text+logLines(n+11, 2000))
	b.follow(b.path("app.log"))
	b.wordAt("app.log", "horse1000", 1000)
	b.wordAt("app.log", fmt.Sprintf("order%d", n+2010), n+2010)
}

// TestRotation loses no line, whether a log is renamed, or copied and cut.
func TestRotation(t *testing.T) {
	b := newBench(t)
	b.write("app.log", logOf(2000))
	b.run(b.root)
	b.must(os.Rename(b.path("app.log"), b.path("app.log.1")))
	b.write("app.log", logLines(2001, 1000))
	b.follow(b.path("app.log"), b.path("app.log.1"))
	b.wordAt("app.log.1", "order1999", 1999)
	b.wordAt("app.log", "order2001", 1)
	b.appendTo("app.log.1", logLines(9001, 5)) // by who still has it open
	b.appendTo("app.log", logLines(3001, 10))
	b.follow(b.path("app.log"), b.path("app.log.1"))
	b.wordAt("app.log.1", "order9005", 2005)
	b.wordAt("app.log", "order3010", 1010)

	data, err := os.ReadFile(b.path("app.log"))
	b.must(err)
	b.write("app.log.2", string(data))
	b.must(os.Truncate(b.path("app.log"), 0))
	b.appendTo("app.log", logLines(4001, 3000)) // longer than what was there, before anybody looked
	b.follow(b.path("app.log"), b.path("app.log.2"))
	b.wordAt("app.log.2", "order3010", 1010)
	b.wordAt("app.log", "order7000", 3000)
	if got := b.found("order2001"); got != "app.log.2" {
		t.Errorf("a line that was put aside is found in %q", got)
	}
	b.must(os.Truncate(b.path("app.log"), 0))
	b.follow(b.path("app.log"))
	if got := b.found("order7000"); got != "" {
		t.Errorf("of a log that was cut lines are found in %q", got)
	}
}

// TestTextOfALogIsWhatIsIndexed, while it goes on growing.
func TestTextOfALogIsWhatIsIndexed(t *testing.T) {
	b := newBench(t)
	b.write("app.log", logOf(1500))
	b.run(b.root)
	b.appendTo("app.log", logLines(1501, 100))
	text, err := indexer.Texts{Store: b.db, Count: b.embed.Count, Room: 254}.Text(b.path("app.log"))
	b.must(err)
	if text.Body != logOf(1500) || text.Line(len(text.Body)-2) != 1500 {
		t.Errorf("the text has %d bytes and %d lines", len(text.Body), text.Line(len(text.Body)-2))
	}
	last := b.logRecord("app.log").chunks
	c := last[len(last)-1]
	if got := text.Embedded(int(c.Start), int(c.End)); got != strings.TrimSpace(text.Body[c.Start:]) {
		t.Errorf("the last chunk is %q", got)
	}
}

// TestAPackedLog is found as one that is not, and not embedded either.
func TestAPackedLog(t *testing.T) {
	b := newBench(t)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(logOf(2000)))
	b.must(err)
	b.must(w.Close())
	b.write("app.log.2.gz", packed.String())
	b.run(b.root)
	if n := len(b.embed.take()); n != 0 {
		t.Errorf("%d passages were embedded", n)
	}
	b.wordAt("app.log.2.gz", "order1234", 1234)
	if got := b.found("type:gzip order7") + " " + b.found("type:log order7"); got != "app.log.2.gz app.log.2.gz" {
		t.Errorf("by what it is %q is found", got)
	}
}

// TestLinesOfALogDoNotHideNotes: thousands of lines hold the words of a query, and so does a note.
func TestLinesOfALogDoNotHideNotes(t *testing.T) {
	b := newBench(t)
	b.write("app.log", logOf(9000))
	for i := range 30 {
		b.write(fmt.Sprintf("%d.md", i), fmt.Sprintf("request %d was answered by a letter\n", i))
	}
	b.run(b.root)
	shown := func(query string) (notes, lines int) {
		r, err := b.engine(0).Search(t.Context(), engine.Request{Query: query, Mode: engine.Hybrid, K: 100}, nil)
		b.must(err)
		for _, p := range r.Passages {
			switch {
			case strings.HasSuffix(p.Path, "app.log"):
				lines++
			case p.LexicalRank > 0:
				notes++
			}
		}
		return notes, lines
	}
	if notes, lines := shown("request answered"); notes != 30 || lines != 10 {
		t.Errorf("%d notes and %d lines are found by words", notes, lines)
	}
	if notes, lines := shown("request answered type:log"); notes != 0 || lines < 100 {
		t.Errorf("of logs alone, %d notes and %d lines are found", notes, lines)
	}
}
