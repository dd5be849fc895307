package extract

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"dowse/indexer/skip"
)

// TestBinaryFilesAreReadNoFartherThanTheirHead looks at what a large file of no text, and one of a
// photograph, cost: their heads.
func TestBinaryFilesAreReadNoFartherThanTheirHead(t *testing.T) {
	dir := t.TempDir()
	for name, head := range map[string]string{"photo.jpg": "\xff\xd8\xff\xe0", "zero.dat": "abc\x00\x01\x02"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, append([]byte(head), make([]byte, 1<<20)...), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := open(f, path, Options{}, 1<<24)
		at, seekErr := f.Seek(0, io.SeekCurrent)
		if at != headBytes || seekErr != nil {
			t.Errorf("%s: read %d bytes, %v", name, at, seekErr)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if name == "photo.jpg" {
			if err != nil || s.file == nil || len(s.data) != headBytes {
				t.Errorf("%s: %v, %v", name, s, err)
			}
			continue
		}
		if reason, _ := skip.ReasonOf(err); reason != skip.Binary {
			t.Errorf("%s: %v", name, err)
		}
	}
}
