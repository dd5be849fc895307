package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

func TestClip(t *testing.T) {
	for text, want := range map[string]string{"": "", "abc": "abc", "abcd": "ab…", "äöüß": "äö…"} {
		if got := clip(text, 3); got != want {
			t.Errorf("clip(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSkippedTextPutsTheMostFrequentFirst(t *testing.T) {
	got := skippedText(map[string]int{"binary": 2, "too large": 1200, "empty": 2})
	if want := "1,200 too large, 2 binary, 2 empty"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := skippedText(nil); got != "" {
		t.Errorf("nothing left out: %q", got)
	}
}

func TestPrintableKeepsLinesAndDisarmsTheRest(t *testing.T) {
	if got := printable("a\x1b[31m\r\nb\x07"); got != "a␛[31m\nb␇" {
		t.Errorf("got %q", got)
	}
}

func TestProgressInALogIsOneLineAPhase(t *testing.T) {
	var out bytes.Buffer
	line := newProgressLine(&out)
	for _, done := range []int{0, 1, 2} {
		line.event(engine.Event{Progress: &engine.Progress{Phase: engine.Indexing, FilesDone: done, FilesTotal: 1234}})
	}
	line.event(engine.Event{Progress: &engine.Progress{Phase: engine.Merging}})
	line.event(engine.Event{Problem: "a\x1b[2J problem"})
	line.done()
	want := "indexing 0 of 1,234 files, 0 B of 0 B\ntidying the index\ndowse: a␛[2J problem\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestProgressOnATerminalIsRewrittenInPlace(t *testing.T) {
	var out bytes.Buffer
	line := &progressLine{w: &out, live: true}
	line.show("x", strings.Repeat("a", 100))
	line.show("x", "too soon after the last")
	line.drawn = time.Now().Add(-redrawEvery)
	line.show("x", "moved on")
	line.done()
	want := "\r\x1b[K" + strings.Repeat("a", 77) + "…" + "\r\x1b[Kmoved on" + "\r\x1b[K"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestOnlyATerminalGetsColour(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // nothing was written
	if wantColour(file) || wantColour(&bytes.Buffer{}) {
		t.Error("colour for what is no terminal")
	}
	if got := painter(false)(hit, "x"); got != "x" {
		t.Errorf("painted %q", got)
	}
	if got := painter(true)(hit, "x"); got != string(hit)+"x"+string(reset) {
		t.Errorf("painted %q", got)
	}
}

func TestJSONIsOneLineAndKeepsBrackets(t *testing.T) {
	var out bytes.Buffer
	if err := writeJSON(&out, map[string]string{"a": "<\x1b>"}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "{\"a\":\"<\\u001b>\"}\n" {
		t.Errorf("got %q", got)
	}
}
