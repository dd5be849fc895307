package draft

import (
	"os"
	"path/filepath"
	"testing"
)

func TestEraseFolder(t *testing.T) {
	folder := t.TempDir()
	for _, model := range []string{"one", "two", "never asked"} {
		h := openHistory(t, folder, model, 0)
		if model != "never asked" {
			add(t, h, "monday", 1, 2, 3)
			add(t, h, "tuesday", 4, 5)
		}
		closeHistory(t, h)
	}
	for name, text := range map[string]string{"torn.answers": "no log", "1.new": "half", "lock": "", "mine.txt": "kept"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := EraseFolder(folder)
	if err != nil || kept.Models != 2 || kept.Answers != 4 || kept.Tokens != 10 || kept.Bytes < 3*int64(logHeader) {
		t.Errorf("%+v, %v", kept, err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 || entries[0].Name() != "lock" || entries[1].Name() != "mine.txt" {
		t.Errorf("left: %v, %v", entries, err)
	}
	h := openHistory(t, folder, "one", 0)
	wantLen(t, h, 0, 0)
	closeHistory(t, h)
	for _, folder := range []string{folder, filepath.Join(folder, "none")} {
		if kept, err := EraseFolder(folder); err != nil || kept.Answers != 0 {
			t.Errorf("again: %+v, %v", kept, err)
		}
	}
}
