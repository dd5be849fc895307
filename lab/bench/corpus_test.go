package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func readTree(t *testing.T, dir string) *Corpus {
	t.Helper()
	opts := CorpusOptions{Workers: 2, Count: func(s string) int { return len(strings.Fields(s)) }}
	c, err := ReadCorpus(t.Context(), []string{dir}, opts, silent)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestReadCorpus(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.md":                "One note about herons.\n",
		"b/same.md":           "One note about herons.\n",
		"c.bin":               "\x00\x01\x02\x03\x00\x00\x00\x00",
		"set/corpus.jsonl":    `{"_id":"1","title":"Terns","text":"fly far"}` + "\n\n" + `{"_id":"2","text":"Gulls stay"}`,
		"set/queries.jsonl":   `{"_id":"q","text":"who flies far"}` + "\n",
		"set/qrels/test.tsv":  "query-id\tcorpus-id\tscore\nq\t1\t1\n",
		"other/queries.jsonl": `{"text":"not in a collection, so a text"}` + "\n",
	})
	c := readTree(t, dir)
	c.Distinct()
	var texts []string
	for _, p := range c.Passages {
		texts = append(texts, p.Text)
		if !strings.Contains(p.Body, p.Text) {
			t.Errorf("passage %+v", p)
		}
	}
	want := []string{"One note about herons.", `text: not in a collection, so a text`, "Terns fly far", "Gulls stay"}
	if !slices.Equal(texts, want) {
		t.Errorf("texts %q, want %q", texts, want)
	}
	if c.Files != 4 || c.Duplicates != 1 || !slices.Equal(c.Questions, []string{"who flies far"}) {
		t.Errorf("files %d, duplicates %d, questions %q", c.Files, c.Duplicates, c.Questions)
	}
	if c.TextBytes() < 40 {
		t.Errorf("%d bytes of text", c.TextBytes())
	}
}

func TestReadCorpusNamesTheLine(t *testing.T) {
	dir := tree(t, map[string]string{"corpus.jsonl": `{"text":"good"}` + "\n" + "bad\n"})
	_, err := ReadCorpus(t.Context(), []string{dir}, CorpusOptions{Count: func(string) int { return 1 }}, silent)
	if err == nil || !strings.Contains(err.Error(), "corpus.jsonl line 2") {
		t.Errorf("error %v", err)
	}
}

// TestSamplesAreOfTheTexts takes a sample of a corpus and of a larger one that
// holds it: what the small one holds of the large sample is in its own.
func TestSamplesAreOfTheTexts(t *testing.T) {
	sampled := func(n, kept int) []string {
		c := &Corpus{}
		for i := range n {
			c.Passages = append(c.Passages, passage{Text: fmt.Sprintf("text %d", (i*7)%n)})
		}
		c.Sample(kept)
		return c.Texts()
	}
	small, large := sampled(50, 20), sampled(80, 20)
	if len(small) != 20 || len(large) != 20 {
		t.Fatalf("%d and %d texts", len(small), len(large))
	}
	for _, text := range large {
		var i int
		if _, err := fmt.Sscanf(text, "text %d", &i); err != nil {
			t.Fatal(err)
		}
		if i < 50 && !slices.Contains(small, text) {
			t.Errorf("%s is in the sample of more texts alone", text)
		}
	}
	if all := sampled(5, 0); !slices.Equal(all, []string{"text 0", "text 2", "text 4", "text 1", "text 3"}) {
		t.Errorf("all: %q", all)
	}
}
