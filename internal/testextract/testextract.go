// Package testextract reads samples of files, for tests of their formats.
//
//	d := testextract.Read(t, "a.eml", testextract.Sample(t, "thunderbird-128.eml"))
//	testextract.Damage(t, 300, "a.eml", seeds...)
package testextract

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/testmutate"
)

// Read takes out the text of a file as the indexer does.
func Read(t testing.TB, name, data string) *document.Document {
	t.Helper()
	d, err := extract.Bytes(context.Background(), name, []byte(data), extract.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

// Sample returns a file of the package's testdata.
func Sample(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Damage reads n files of a name that are damaged seeds. Each gives valid text, or an error.
func Damage(t testing.TB, n int, name string, seeds ...string) {
	t.Helper()
	all := make([][]byte, len(seeds))
	for i, s := range seeds {
		all[i] = []byte(s)
	}
	testmutate.Each(t, n, all, func(data []byte) {
		if d, err := extract.Bytes(context.Background(), name, data, extract.Options{}); err == nil && !utf8.ValidString(d.Text) {
			t.Fatalf("%s: %.100q", name, data)
		}
	})
}
