package extract_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/extract"
	"dowse/indexer/skip"
)

// Pointers are no texts, whatever the file is called; a text about them is one.
func TestPointersAreNotHereYet(t *testing.T) {
	lfs := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("4d", 32) + "\nsize 12345\n"
	annex := "/annex/objects/SHA256E-s12345--" + strings.Repeat("4d", 32) + ".pdf\n"
	for name, c := range map[string]struct {
		text    string
		pointer bool
	}{
		"report.pdf": {lfs, true}, "photo.jpg": {lfs, true}, "notes.md": {lfs, true}, "mail.mbox": {annex, true}, "scan.pdf": {annex, true},
		"about.md": {"A pointer looks so:\n\n" + lfs, false}, "annex.md": {annex + "\nThis is the key of the report.\n", false},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := extract.File(path, extract.Options{})
		if reason, _ := skip.ReasonOf(err); (reason == skip.NotHere) != c.pointer {
			t.Errorf("%s: %v", name, err)
		}
	}
}
