package indexer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// renames are ways to rename a file or a folder with one.
var renames = []struct{ name, from, to, file, moved string }{
	{"file", "one/a.md", "one/b.md", "one/a.md", "one/b.md"},
	{"file to another folder", "one/a.md", "one/sub/a.md", "one/a.md", "one/sub/a.md"},
	{"file to another root", "one/a.md", "two/a.md", "one/a.md", "two/a.md"},
	{"folder", "one/d", "one/e", "one/d/e/a.md", "one/e/e/a.md"},
	{"folder to another root", "one/d", "two/d", "one/d/e/a.md", "two/d/e/a.md"},
	{"file onto another one", "one/a.md", "one/other.md", "one/a.md", "one/other.md"},
}

// TestRenameOverTwoBatchesEmbedsNothing renames files and folders, within a root
// and across roots, with the two events of each in batches of their own, in both
// orders: of files that have vectors, and of files that have codes.
func TestRenameOverTwoBatchesEmbedsNothing(t *testing.T) {
	for _, quantized := range []bool{false, true} {
		b := newBench(t)
		b.write("one/first.md", "a cow\n")
		b.write("two/second.md", "a donkey\n")
		if quantized {
			b.root = b.path("one")
			b.fill(seeded(t, 301))
			b.root = filepath.Dir(b.root)
		}
		b.run(b.path("one"), b.path("two"))
		for _, c := range renames {
			for _, oldFirst := range []bool{true, false} {
				if !oldFirst && c.name == "file onto another one" {
					continue // its old name tells nothing that the new one does not
				}
				b.renamed(c.from, c.to, c.file, c.moved, oldFirst, quantized)
				if t.Failed() {
					t.Fatalf("%s, old name first: %v, quantized: %v", c.name, oldFirst, quantized)
				}
			}
		}
	}
}

// renamed indexes a file, renames it or its folder, follows in two batches, and
// removes it again.
func (b *bench) renamed(from, to, file, moved string, oldFirst, quantized bool) {
	b.t.Helper()
	b.write(file, fmt.Sprintf("a unicorn in the garden of %s, %s, %v\n", from, to, oldFirst))
	b.write("one/other.md", "a horse\n")
	b.must(os.MkdirAll(b.path("one/sub"), 0o755))
	b.run()
	if counts := b.counts(); quantized == (counts.Vectors > 0) {
		b.t.Errorf("%+v", counts)
	}
	b.embed.take()
	b.must(os.Rename(b.path(from), b.path(to)))
	batches := []string{from, to}
	if !oldFirst {
		slices.Reverse(batches)
	}
	for _, path := range batches {
		b.follow(b.path(path))
	}
	if again := b.embed.take(); len(again) > 0 {
		b.t.Errorf("embedded again: %q", again)
	}
	b.index.HoldFor(0)
	b.follow(b.path(from))
	b.follow(b.path(from))
	b.index.HoldFor(time.Hour)
	files := b.files()
	if _, stays := files[file]; stays || files[moved] != 1 || b.index.Waiting() != 0 {
		b.t.Errorf("the index holds %v", files)
	}
	b.must(os.RemoveAll(b.path(to)))
	b.run()
}

// TestVanishedFileIsRemovedInAMoment: what is gone is gone soon, by itself.
func TestVanishedFileIsRemovedInAMoment(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.write("b.md", "horse\n")
	b.run(b.root)
	b.must(os.Remove(b.path("a.md")))
	b.index.HoldFor(time.Hour)
	if again := b.follow(b.path("a.md"), b.path("b.md")); !slices.Equal(again, []string{b.path("a.md")}) {
		t.Errorf("to be looked at again: %q", again)
	}
	b.expect(map[string]int{"a.md": 1, "b.md": 0})
	b.write("a.md", "unicorn\n") // the file is back, and can be removed again
	b.follow(b.path("a.md"))
	if b.index.Waiting() != 0 {
		t.Error("a file that is back is still taken for gone")
	}
	b.must(os.Remove(b.path("a.md")))
	b.follow(b.path("a.md"))
	b.index.HoldFor(0)
	if again := b.follow(b.path("a.md")); len(again) != 0 {
		t.Errorf("to be looked at again: %q", again)
	}
	b.expect(map[string]int{"b.md": 0})
}

// TestCopyOfAMissingDiskLeavesIt: a file of a root that is not there is not taken
// for one that was renamed.
func TestCopyOfAMissingDiskLeavesIt(t *testing.T) {
	b := newBench(t)
	b.write("disk/a.md", "unicorn\n")
	b.write("other/b.md", "horse\n")
	b.run(b.path("disk"), b.path("other"))
	b.must(os.Rename(b.path("disk"), b.path("unmounted")))
	b.embed.take()
	b.write("other/a.md", "unicorn\n")
	b.run()
	if got := b.embed.take(); len(got) != 0 {
		t.Errorf("embedded %q", got)
	}
	b.expect(map[string]int{"disk/a.md": 1, "other/a.md": 1, "other/b.md": 0})
	b.check()
}

// TestCopyIsAFileOfItsOwn: what stands at two paths is embedded once, and stays
// when one of them goes.
func TestCopyIsAFileOfItsOwn(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.run(b.root)
	b.embed.take()
	b.write("b.md", "unicorn\n")
	b.follow(b.path("b.md"))
	if got := b.embed.take(); len(got) != 0 {
		t.Errorf("embedded %q", got)
	}
	b.expect(map[string]int{"a.md": 1, "b.md": 1})
	b.must(os.Remove(b.path("a.md")))
	b.run()
	b.expect(map[string]int{"b.md": 1})
	b.check()
}
