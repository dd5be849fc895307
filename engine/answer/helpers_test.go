package answer

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update to accept); got:\n%s", name, got)
	}
}

// note reads a file of testdata as a passage.
func note(tb testing.TB, number int, name string) Passage {
	tb.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	text := string(raw)
	return Passage{Number: number, Path: "/notes/" + name, Text: text, LineStart: 1, LineEnd: 1 + strings.Count(text, "\n")}
}

// words counts tokens as words: a stand-in for a tokenizer.
type words struct{}

func (words) CountTokens(text string) int { return len(strings.Fields(text)) }
