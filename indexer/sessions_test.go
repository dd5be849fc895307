package indexer_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/indexer/document"
	"dowse/indexer/kept"
	"dowse/store"
)

// sessionLines returns lines of a session of an agent, numbered from a number on.
func sessionLines(from, n int) string {
	var b strings.Builder
	for i := from; i < from+n; i++ {
		role, text := "user", fmt.Sprintf("What holds gutter%d above the door?", i)
		if i%2 == 0 {
			role, text = "assistant", fmt.Sprintf("Bracket%d does, and it rusts by %d.", i, 2000+i%7)
		}
		if i%5 == 0 {
			fmt.Fprintf(&b, `{"type":"user","uuid":"t%d","sessionId":"5f","message":{"role":"user","content":[{"type":"tool_result","content":%q}]}}`+"\n", i, strings.Repeat("noise ", 200))
		}
		if i%9 == 0 {
			fmt.Fprintf(&b, `{"type":"ai-title","aiTitle":"Gutters %d","sessionId":"5f"}`+"\n", i/9)
		}
		if i%11 == 0 {
			text += " " + strings.Repeat(fmt.Sprintf("q83vEjRWeJq7zN3u8xNXm%dK+", i), 30)
		}
		fmt.Fprintf(&b, `{"parentUuid":"u%d","isSidechain":false,"type":%q,"message":{"role":%q,"content":%q},"uuid":"u%d","timestamp":"2026-11-01T%02d:%02d:07.123Z","cwd":"/home/ann/barn","sessionId":"5f"}`+"\n", i-1, role, role, text, i, i/60%24, i%60)
	}
	return b.String()
}

// TestASessionIsReadOn: of one that grows what was appended is read, and it is indexed as one that is read as a whole.
func TestASessionIsReadOn(t *testing.T) {
	b := newBench(t)
	text := sessionLines(1, 400)
	b.write("s.jsonl", text)
	b.run(b.root)
	const around = 96 << 10 // the beginning, which tells what it is, and the proof
	for i := range 8 {
		more := sessionLines(401+20*i, 20)
		switch i % 3 {
		case 1: // a line whose end is not yet there
			more += `{"parentUuid":"u`
		case 2:
			more = `0","isSidechain":true,"type":"user"}` + "\n" + more
		}
		text += more
		b.appendTo("s.jsonl", more)
		read := b.index.BytesRead()
		b.embed.take()
		b.follow(b.path("s.jsonl"))
		if read = b.index.BytesRead() - read; read > 2*int64(len(more))+around {
			t.Errorf("%d bytes of %d were read, of which %d were new", read, len(text), len(more))
		}
		b.sameAsWhole("s.jsonl", text)
		if n := len(b.embed.take()); n > 30 {
			t.Errorf("%d passages were embedded", n)
		}
		word := fmt.Sprintf("gutter%d", 401+20*i)
		above, _, _ := strings.Cut(text, word+" ")
		b.wordAt("s.jsonl", word, 1+strings.Count(above, "\n"))
	}
	changed := strings.Replace(text, "gutter1 ", "herons1 ", 1) + sessionLines(900, 1)
	b.write("s.jsonl", changed)
	b.follow(b.path("s.jsonl"))
	b.sameAsWhole("s.jsonl", changed)
}

// sameAsWhole compares what the index knows of a session with what it knows of one that it has read as a whole.
func (b *bench) sameAsWhole(name, text string) {
	b.t.Helper()
	other := newBench(b.t)
	other.write(name, text)
	other.run(other.root)
	got, want := b.logRecord(name), other.logRecord(name)
	if got.file.Hash != want.file.Hash || got.file.Date != want.file.Date || !reflect.DeepEqual(got.chunks, want.chunks) || !reflect.DeepEqual(got.entries, want.entries) {
		b.t.Errorf("what is known of it is not what is known of one that is read as a whole: %d and %d chunks\n%+v\n%+v", len(got.chunks), len(want.chunks), got.entries, want.entries)
	}
	read, whole := b.unpacked(got.state), b.unpacked(want.state)
	if !reflect.DeepEqual(read, whole) {
		b.t.Errorf("other text is kept, or another state:\n%.3000s\n%.3000s", read.State, whole.State)
	}
	var facts [2]store.Facts
	for i, of := range []*bench{b, other} {
		of.must(of.db.View(func(tx *store.Tx) (err error) {
			file, err := tx.FileByPath(of.path(name))
			if err == nil {
				facts[i], err = tx.Facts(file.ID)
			}
			return err
		}))
	}
	if !reflect.DeepEqual(facts[0], facts[1]) {
		b.t.Errorf("it says of itself %+v, read as a whole %+v", facts[0], facts[1])
	}
}

func (b *bench) unpacked(value []byte) *document.Document {
	b.t.Helper()
	d, err := kept.Unpack(value)
	b.must(err)
	return d
}

// TestOtherFilesThatGrowAreReadAsAWhole: records that are named as sessions are.
func TestOtherFilesThatGrowAreReadAsAWhole(t *testing.T) {
	b := newBench(t)
	b.write("s.jsonl", strings.Repeat(`{"title":"Herons","text":"They nest in alders."}`+"\n", 200))
	b.run(b.root)
	b.appendTo("s.jsonl", strings.Repeat(`{"title":"Owls","text":"They nest in barns."}`+"\n", 200))
	b.follow(b.path("s.jsonl"))
	if got := b.foundIn("herons", func(p *engine.Passage) []string { return []string{p.Format} }); !strings.HasPrefix(got, "jsonl") {
		t.Errorf("what stood there is %q", got)
	}
	if got := b.foundIn("owls", func(p *engine.Passage) []string { return []string{p.Format} }); !strings.HasPrefix(got, "jsonl") {
		t.Errorf("what was appended is %q", got)
	}
}
