package collection

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written writes a small BEIR folder.
func written(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"corpus.jsonl":   `{"_id":"d1","title":"T","text":"one"}` + "\n" + `{"_id":"d2","title":"","text":"two"}` + "\n",
		"queries.jsonl":  `{"_id":"q1","text":"first"}` + "\n" + `{"_id":"q2","text":"unjudged"}` + "\n" + `{"_id":"q3","text":"third"}`,
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq3\td2\t2\n",
	} {
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

func TestLoad(t *testing.T) {
	ds, err := Load(written(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(ds.Documents) != 2 || len(ds.Queries) != 2 || ds.Documents[0].Passage() != "T one" || ds.Documents[1].Passage() != "two" || ds.Queries[1].ID != "q3" {
		t.Fatalf("loaded %+v", ds)
	}
}

func TestLoadSaysWhatIsMissing(t *testing.T) {
	dir := written(t)
	if err := os.Remove(filepath.Join(dir, "qrels", "test.tsv")); err != nil {
		t.Fatal(err)
	}
	_, err := Load(dir)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "qrels/test.tsv") {
		t.Errorf("error %v", err)
	}
}
