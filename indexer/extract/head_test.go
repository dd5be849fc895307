package extract

import (
	"os"
	"path/filepath"
	"testing"

	"dowse/indexer/skip"
)

// TestReadStopsAtTheHeadOfBinaryFiles counts nothing but looks at what a large
// file of no text costs: its head.
func TestReadStopsAtTheHeadOfBinaryFiles(t *testing.T) {
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
		data, hopeless, err := readAll(f, "x.dat", 1<<20, 1<<24)
		if err != nil || !hopeless || len(data) != headBytes {
			t.Errorf("%s: read %d bytes, %v", name, len(data), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		_, _, err = Read(path, Options{})
		if reason, _ := skip.ReasonOf(err); reason != skip.Binary {
			t.Errorf("%s: %v", name, err)
		}
	}
}
