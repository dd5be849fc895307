package measure_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"dowse/internal/testenv"
	"dowse/lab/bench"
)

// TestIndex indexes into a home of its own, and leaves nothing behind.
func TestIndex(t *testing.T) {
	a := newApp(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir := testenv.Folder(t, map[string]string{"a.md": "# Roof\n\nAsk Ann.\n", "b.csv": "name,age\nAnn,41\n"})
	r, err := a.Index(t.Context(), []string{dir}, func(string, int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	if r.Files != 2 || r.Passages != 2 || r.Ratio <= 0 || r.Embed <= 0 || r.Embed > r.Seconds || r.Text == 0 || r.Bytes == 0 {
		t.Errorf("%+v", r)
	}
	var out bytes.Buffer
	if err := bench.Report(r).Write(&out); err != nil || !strings.Contains(out.String(), "2 files, 2 passages: indexed in") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := a.Index(t.Context(), []string{testenv.Folder(t, nil)}, func(string, int, int) {}); err == nil || !strings.Contains(err.Error(), "hold no text") {
		t.Errorf("an empty folder: %v", err)
	}
}
