package indexer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/store"
)

// A file that is as it was indexed is not judged again. Data that has taken the place of a text is refused.
func TestFileIsJudgedOnceWhileItStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte(strings.Repeat("a", 1<<16)), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := extract.Open(path, extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	as := store.File{Size: source.Info.Size(), ModTime: source.Info.ModTime().UnixNano(), Changed: source.Changed}
	if err := source.Close(); err != nil {
		t.Fatal(err)
	}
	if d, err := read(path, &as, extract.Options{}); err != nil || len(d.Text) != 1<<16 {
		t.Errorf("the file that was indexed: %v", err)
	}
	shorter, earlier, other := as, as, as
	shorter.Size--
	earlier.ModTime--
	other.Changed--
	for _, was := range []store.File{{}, shorter, earlier, other} {
		var refused *skip.Error
		if _, err := read(path, &was, extract.Options{}); !errors.As(err, &refused) {
			t.Errorf("%+v: %v, want it refused", was, err)
		}
	}
}
