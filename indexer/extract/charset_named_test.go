package extract_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/extract"
	"dowse/indexer/extract/guess"
)

// in writes a text in an encoding.
func in(t *testing.T, name, text string) string {
	t.Helper()
	data, err := guess.Named(name).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// An encoding that the settings name for a folder counts where nothing else says which it is.
func TestEncodingsOfFolders(t *testing.T) {
	root := t.TempDir()
	encodings := extract.Encodings{root: "windows-1250", filepath.Join(root, "dos"): "ibm852", filepath.Join(root, "let"): "koi8-r"}
	const key = "klucz u Zośki" // which its letters take for KOI8-R in windows-1250
	old, dos := in(t, "windows-1250", key), in(t, "ibm852", key)
	head := "From: ada@example.org\nSubject: hi\nMIME-Version: 1.0\n"
	for name, test := range map[string]struct {
		data  string
		other bool // it says of itself what it is
	}{
		"a.txt":             {data: old},
		"letters/b.md":      {data: old},
		"dos/c.txt":         {data: dos},
		"dos/deep/er/d.txt": {data: dos},
		"e.csv":             {data: "kto;co\nAda;" + old + "\n"},
		"dos/f.srt":         {data: "1\n00:00:01,000 --> 00:00:02,000\n" + dos + "\n"},
		"g.eml":             {data: head + "Content-Type: text/plain\nContent-Transfer-Encoding: 8bit\n\n" + old + "\n"},
		"n.mbox":            {data: "From ada Fri Nov 27 10:00:00 2020\n" + head + "\n" + old + "\n"},
		"dos/h.eml":         {data: head + "Content-Type: text/plain; charset=windows-1250\nContent-Transfer-Encoding: 8bit\n\n" + old + "\n", other: true},
		"dos/i.html":        {data: "<meta charset=iso-8859-2><p>" + in(t, "iso-8859-2", key), other: true},
		"j.html":            {data: "<p>" + old},
		"dos/k.txt":         {data: key, other: true},
		"dos/l.txt":         {data: "\xff\xfe" + in(t, "utf-16le", key), other: true},
		"dos/m.txt":         {data: in(t, "utf-16le", key+", a drugi klucz u Ady"), other: true},
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(test.data), 0o600); err != nil {
			t.Fatal(err)
		}
		read := func(opts extract.Options) bool {
			t.Helper()
			d, err := extract.File(path, opts)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return strings.Contains(d.Text, key)
		}
		if !read(extract.Options{Encodings: encodings}) {
			t.Errorf("%s: not read as the settings say", name)
		}
		if test.other && !read(extract.Options{}) {
			t.Errorf("%s: read otherwise without settings", name)
		}
	}
	if d, err := extract.File(filepath.Join(root, "a.txt"), extract.Options{}); err != nil || strings.Contains(d.Text, key) {
		t.Errorf("%q, %v: the sample has become one that is guessed right", d.Text, err)
	}
}
