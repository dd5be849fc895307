package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/reply"
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

func TestPassagesSayWhatTheirDocumentsSay(t *testing.T) {
	passages := []engine.Passage{
		{Rank: 1, Path: "/p/2301.pdf", LineStart: 9, Text: "codes", Relevant: true, Heading: "Graph", Where: engine.Where{Extracted: true, Locator: &engine.Locator{Label: "page 3"}},
			About: engine.About{Title: "LEANN: a\x1b[2J vector\nindex", Authors: []string{"Wang <w@x>", "B", "C"}, Date: time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC), Tags: []string{"a\u202eb"}}},
		{Rank: 2, Path: "/p/box", LineStart: 1, Text: "roof", Heading: "Re: roof", Where: engine.Where{Extracted: true, Locator: &engine.Locator{Label: "message 2 (Re: roof)"}}, Relevant: true,
			About: engine.About{Title: "Re: roof", Authors: []string{"ann@x.org"}}},
		{Rank: 3, Path: "/p/plain.md", LineStart: 4, Text: "plain", Heading: "Plain", Relevant: true},
	}
	want := "/p/2301.pdf, page 3 · LEANN: a␛[2J vector; index · Wang et al. · 2026-01-03 · #a\ufffdb  Graph\n    codes\n" +
		"/p/box, message 2 (Re: roof) · ann@x.org\n    roof\n" +
		"/p/plain.md:4  Plain\n    plain\n"
	if got := passagesText(painter(false), passages, false, 0); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
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
	blanks := func(n int) string { return strings.Repeat(" ", n) }
	want := "\r" + strings.Repeat("a", 77) + "…" + "\rmoved on" + blanks(70) + "\r" + blanks(8) + "\r"
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
	if got := out.String(); got != "{\"a\":\"<\\u001b>\",\"version\":1}\n" {
		t.Errorf("got %q", got)
	}
}

// unsafe reports what must not reach a terminal, by Unicode's own properties.
func unsafe(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029')
}

// TestJSONCannotSteerATerminal: C1 controls, DEL and what turns the direction of
// text are escaped, and parsers read what was written.
func TestJSONCannotSteerATerminal(t *testing.T) {
	var text strings.Builder
	for r := rune(0); r <= 0x2100; r++ {
		text.WriteRune(r)
	}
	text.WriteString("\u2066\ufeff\U0001f600")
	var out bytes.Buffer
	if err := writeJSON(&out, map[string]string{text.String(): text.String()}); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(out.String(), unsafe); i >= 0 {
		t.Errorf("%+q is there as it is", []rune(out.String()[i:])[0])
	}
	var back map[string]any
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back[text.String()] != text.String() {
		t.Errorf("the value is another one: %v", err)
	}
}

// TestNamesThatAreNotUTF8InJSON: the bytes that open the file are there.
func TestNamesThatAreNotUTF8InJSON(t *testing.T) {
	var out bytes.Buffer
	result := &engine.Result{Passages: []engine.Passage{{Rank: 1, Path: "/caf\xe9.md"}, {Rank: 2, Path: "/café.md"}}}
	q := queryFlags{output: outputFlags{format: formatJSON}}
	s := &streams{out: &out}
	if n, err := q.output.print(s, q.found(s, result, reply.Page{Limit: 2}, &engine.Request{})); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	var back struct {
		Results []struct {
			Path      string  `json:"path"`
			PathBytes *[]byte `json:"path_bytes"`
		} `json:"results"`
	}
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || len(back.Results) != 2 {
		t.Fatalf("%s, %v", out.String(), err)
	}
	if r := back.Results[0]; r.Path != "/caf\uFFFD.md" || r.PathBytes == nil || string(*r.PathBytes) != "/caf\xe9.md" {
		t.Errorf("%s", out.String())
	}
	if r := back.Results[1]; r.Path != "/café.md" || r.PathBytes != nil {
		t.Errorf("%s", out.String())
	}
}

// hostileName is a name that would clear the screen, set its title, forge a line
// and turn its direction.
const hostileName = "evil\x1b[2J\x1b]0;x\a\nforged\tcell\u009b2J\u202e\x7f\xff"

// TestNamesCannotSteerATerminal: whatever a command says for people, of names,
// settings and errors, is safe to show.
func TestNamesCannotSteerATerminal(t *testing.T) {
	home := t.TempDir()
	t.Setenv("DOWSE_HOME", home)
	a, err := app.New()
	if err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(a.Home.Cache, "models", "evil\x1b[2J\nforged\u009b\u202e")
	job := `{"base": "other\u001b[2J\u009b", "prompt": "x\u001b]0;t\u0007"}`
	if err := errors.Join(os.MkdirAll(model, 0o700), os.WriteFile(filepath.Join(model, "model.pack"), []byte("?"), 0o600),
		os.MkdirAll(model+"2", 0o700), os.WriteFile(filepath.Join(model+"2", "job.json"), []byte(job), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"models", "list"}, {"doctor"}, {"models", "use", hostileName}, {"models", "remove", hostileName},
		{"models", "add", hostileName, hostileName}, {"models", "pull", hostileName}, {"index", "/" + hostileName[:len(hostileName)-1]},
	} {
		var out bytes.Buffer
		s := &streams{out: &out, err: &out}
		root := newRoot(s)
		root.SetArgs(args)
		if err := root.ExecuteContext(t.Context()); err != nil {
			s.fail(err)
		}
		if i := strings.IndexFunc(out.String(), unsafe); i >= 0 {
			t.Errorf("%q: %q", args, out.String()[max(0, i-40):min(len(out.String()), i+40)])
		}
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "forged") {
				t.Errorf("%q: a line is forged: %q", args, out.String())
			}
		}
	}
	var out bytes.Buffer
	st := &engine.Status{
		Model: hostileName, Index: hostileName, Roots: []string{hostileName}, Skipped: map[string]int{hostileName: 1},
		Bytes: map[string]int64{hostileName: 1}, Memory: map[string]engine.PoolSize{hostileName: {Bytes: 1}},
		Graph: &engine.GraphStatus{Nodes: 12345, Links: 30000, Hubs: 1, Why: "searches scan: " + hostileName},
	}
	if err := printStatus(&out, st, "2 files have pictures and no text"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "12,345 nodes, 30,000 links, 1 hub; searches scan") {
		t.Errorf("the graph is not told of: %q", out.String())
	}
	line := newProgressLine(&out)
	line.show(hostileName, hostileName)
	line.event(engine.Event{Problem: hostileName})
	if strings.ContainsFunc(out.String(), unsafe) || !utf8.ValidString(out.String()) {
		t.Errorf("%q", out.String())
	}
}
