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
)

// What a person meant to have indexed and is not is named: files that are locked or broken, and
// files of which a part is missing.
func TestWhatIsMissingIsNamed(t *testing.T) {
	addFormat(t, document.Format{
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
	})
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
	named := map[string][]string{
		"encrypted": {b.path("b/locked.x")}, "damaged": {b.path("b/broken.x")}, "old office": {b.path("b/old.doc")}, "binary": {b.path("b/page.bin")},
	}
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

// Everything that is not in the index can be listed with its reason: what a rule or its name keeps out,
// what was read and refused, what is refused at each look, and what came after the last one.
func TestEveryFileThatIsLeftOutIsListed(t *testing.T) {
	b := newBench(t)
	b.write("notes/pond.md", "The heron stood in the pond.")
	b.write("notes/.secret/a.md", "hidden")
	b.write("notes/node_modules/b.md", "ignored")
	b.write("notes/page.bin", "\x00\x01")
	b.write("notes/blank.md", " \n")
	b.write("notes/numbers.csv", strings.Repeat("1,2,3\n", 20_000))
	b.must(os.Symlink(b.path("notes/pond.md"), b.path("notes/link.md")))
	const key = "SHA256E-s25--4d2f.md"
	b.write("notes/.git/annex/objects/Wx/9k/"+key+"/"+key, "The heron left the pond.\n")
	b.must(os.Symlink(".git/annex/objects/Wx/9k/"+key+"/"+key, b.path("notes/annexed.md"))) // is indexed
	b.must(os.Symlink(".git/annex/objects/Wx/9k/SHA256E-s9--00.md/SHA256E-s9--00.md", b.path("notes/elsewhere.md")))
	b.run(b.path("notes"))
	b.write("notes/new.md", "A pump was bought.")
	left, err := b.index.LeftOut(t.Context())
	b.must(err)
	want := []engine.LeftOut{
		{Path: b.path("notes/page.bin"), Reason: "binary", Detail: "control characters or zero bytes"},
		{Path: b.path("notes/blank.md"), Reason: "empty"},
		{Path: b.path("notes/.git"), Reason: "hidden"},
		{Path: b.path("notes/.secret"), Reason: "hidden"},
		{Path: b.path("notes/node_modules"), Reason: "ignored"},
		{Path: b.path("notes/elsewhere.md"), Reason: "not here yet"},
		{Path: b.path("notes/new.md"), Reason: "not indexed yet"},
		{Path: b.path("notes/numbers.csv"), Reason: "not text"},
		{Path: b.path("notes/link.md"), Reason: "symlink"},
	}
	if !reflect.DeepEqual(left, want) {
		t.Errorf("left out:\n%+v\nwant\n%+v", left, want)
	}
}
