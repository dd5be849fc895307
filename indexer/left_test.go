package indexer_test

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/indexer/document"
	"dowse/indexer/extract"
)

// What a person meant to have indexed and is not is named: files that are locked or broken, and
// files of which a part is missing.
func TestWhatIsMissingIsNamed(t *testing.T) {
	t.Cleanup(extract.Add(document.Format{
		Name: "x", Extensions: []string{"x"},
		Read: func(_ context.Context, in *document.Input) (*document.Document, error) {
			switch text := string(in.Data); {
			case strings.HasPrefix(text, "locked"):
				return nil, document.ErrEncrypted
			case strings.HasPrefix(text, "broken"):
				panic("nobody thought of this")
			}
			b := in.Builder()
			b.Paragraph(string(in.Data))
			d := b.Document("x", document.Meta{})
			if strings.HasPrefix(string(in.Data), "long") {
				d.Lacking = "The Oldest of its pages"
			}
			return d, nil
		},
	}))
	b := newBench(t)
	b.write("a/long.x", "long and longer")
	b.write("a/short.x", "short")
	b.write("b/locked.x", "locked")
	b.write("b/broken.x", "broken")
	b.write("b/page.bin", "\x00\x01")
	b.write("b/old.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	b.run(b.path("a"), b.path("b"))
	want := func(skipped map[string]int, files map[string][]string, partial []engine.PartialFile) {
		t.Helper()
		got, err := b.index.Left()
		b.must(err)
		if fmt.Sprint(got.Skipped) != fmt.Sprint(skipped) || fmt.Sprint(got.Files) != fmt.Sprint(files) || !reflect.DeepEqual(got.Partial, partial) {
			t.Errorf("left %v, %v, %v", got.Skipped, got.Files, got.Partial)
		}
	}
	long := []engine.PartialFile{{Path: b.path("a/long.x"), Lacking: "The Oldest of its pages"}}
	named := map[string][]string{"encrypted": {b.path("b/locked.x")}, "damaged": {b.path("b/broken.x")}, "old office": {b.path("b/old.doc")}}
	want(map[string]int{"encrypted": 1, "damaged": 1, "binary": 1, "old office": 1}, named, long)
	if r := b.run(); r.Partial != 1 { // nothing is read again, and all is as it was
		t.Errorf("%d files in part", r.Partial)
	}
	want(map[string]int{"encrypted": 1, "damaged": 1, "binary": 1, "old office": 1}, named, long)

	b.must(os.Remove(b.path("b/locked.x")))
	b.write("a/long.x", "not any more")
	b.run()
	delete(named, "encrypted")
	want(map[string]int{"damaged": 1, "binary": 1, "old office": 1}, named, nil)
}
