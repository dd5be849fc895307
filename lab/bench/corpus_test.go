package bench

import (
	"slices"
	"strings"
	"testing"

	"dowse/internal/testenv"
)

func TestReadCorpus(t *testing.T) {
	dir := testenv.Folder(t, map[string]string{
		"a.md":                "One note about herons.\n",
		"b/same.md":           "One note about herons.\n",
		"c.bin":               "\x00\x01\x02\x03\x00\x00\x00\x00",
		"other/queries.jsonl": `{"text":"records are a text, too"}` + "\n",
	})
	opts := CorpusOptions{Workers: 2, Count: func(s string) int { return len(strings.Fields(s)) }}
	c, err := ReadCorpus(t.Context(), []string{dir}, opts, silent)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Passages {
		if !strings.Contains(p.Body, p.Text) {
			t.Errorf("passage %+v", p)
		}
	}
	want := []string{"One note about herons.", "One note about herons.", "text: records are a text, too"}
	if got := c.Texts(0); c.Files != 3 || !slices.Equal(got, want) {
		t.Errorf("%d files, texts %q, want %q", c.Files, got, want)
	}
	if got := c.Texts(1); !slices.Equal(got, want[:1]) {
		t.Errorf("one text: %q", got)
	}
}
