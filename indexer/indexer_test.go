package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/indexer"
	"dowse/store"
)

func TestRunFollowsEveryKindOfChange(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "# A\n\nA unicorn in the garden.\n")
	b.write("sub/b.txt", "Nothing here.\n")
	b.write("sub/skip.bin", "\x00\x01\x02\x00binary")
	b.write(".gitignore", "ignored/\n")
	b.write("ignored/c.md", "unicorn")
	r := b.run(b.root)
	b.expect(map[string]int{"a.md": 1, "sub/b.txt": 0})
	if r.Files != 2 || r.Added != 2 || r.Skipped["binary"] != 1 || r.Skipped["ignored"] == 0 || r.Embedded != r.Chunks {
		t.Errorf("report %+v", r)
	}
	if want := float64(r.Embedded) / r.Seconds; r.Rate != want {
		t.Errorf("%d chunks in %.6f s are %.3f a second, not %.3f", r.Embedded, r.Seconds, want, r.Rate)
	}

	b.embed.take()
	if r = b.run(); r.Added+r.Updated+r.Removed != 0 || len(b.embed.take()) != 0 {
		t.Errorf("nothing changed, but: %+v", r)
	}

	b.write("sub/b.txt", "Now a unicorn.\n")
	b.must(os.Rename(b.path("a.md"), b.path("sub/moved.md")))
	b.write("new/deep/d.md", "unicorn\n")
	r = b.run()
	b.expect(map[string]int{"sub/moved.md": 1, "sub/b.txt": 1, "new/deep/d.md": 1})
	if r.Added != 2 || r.Updated != 1 || r.Removed != 1 {
		t.Errorf("report %+v", r)
	}
	for _, text := range b.embed.take() {
		if strings.Contains(text, "garden") {
			t.Errorf("a renamed file was embedded again: %q", text)
		}
	}

	b.must(os.RemoveAll(b.path("new")))
	b.write("sub/b.txt", "\x00\x00now binary\x00")
	if r = b.run(); r.Removed != 2 {
		t.Errorf("report %+v", r)
	}
	b.expect(map[string]int{"sub/moved.md": 1})
}

func TestTouchedFileIsNotEmbeddedAgain(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.run(b.root)
	b.embed.take()
	later := time.Now().Add(time.Hour)
	b.must(os.Chtimes(b.path("a.md"), later, later))
	if r := b.run(); r.Updated != 0 || len(b.embed.take()) != 0 {
		t.Errorf("report %+v", r)
	}
	b.must(b.db.View(func(tx *store.Tx) error {
		f, err := tx.FileByPath(b.path("a.md"))
		if f.ModTime != later.UnixNano() {
			t.Errorf("time %d, want %d", f.ModTime, later.UnixNano())
		}
		return err
	}))
}

// TestOutdatedFileIsReadAgain: a file whose text changed under the same size
// and times is not noticed by looking at it, but once a search says so.
func TestOutdatedFileIsReadAgain(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.run(b.root)
	b.rewrite("a.md", "harness\n")
	b.seen("a.md")
	if r := b.run(); r.Updated != 0 {
		t.Fatalf("report %+v", r)
	}
	b.index.Outdated(b.path("a.md"))
	if r := b.run(); r.Updated != 1 || !maps.Equal(b.files(), map[string]int{"a.md": 0}) {
		t.Errorf("report %+v, files %v", r, b.files())
	}
	b.embed.take()
	if r := b.run(); r.Updated != 0 || len(b.embed.take()) != 0 {
		t.Errorf("read once more: %+v", r)
	}
}

func TestUnchangedChunksKeepTheirVectors(t *testing.T) {
	b := newBench(t)
	section := func(name, word string) string {
		return "# " + name + "\n\n" + strings.Repeat(word+" text of some length here. ", 30) + "\n\n"
	}
	b.write("a.md", section("One", "first")+section("Two", "second")+section("Three", "third"))
	b.run(b.root)
	before := len(b.embed.take())
	b.write("a.md", section("One", "first")+section("Two", "changed")+section("Three", "third"))
	b.run()
	again := b.embed.take()
	if before < 3 || len(again) == 0 || len(again) >= before {
		t.Errorf("%d chunks at first, %d embedded after one section changed", before, len(again))
	}
	for _, text := range again {
		if !strings.Contains(text, "changed") {
			t.Errorf("embedded again without need: %.40q", text)
		}
	}
}

func TestMissingRootLosesNothing(t *testing.T) {
	b := newBench(t)
	b.write("disk/a.md", "unicorn\n")
	b.write("other/b.md", "horse\n")
	b.run(b.path("disk"), b.path("other"))
	b.must(os.Rename(b.path("disk"), b.path("unmounted")))
	b.run()
	b.expect(map[string]int{"disk/a.md": 1, "other/b.md": 0})
	b.told("is kept")
}

func TestNestedRootsIndexEachFileOnce(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.write("sub/b.md", "unicorn\n")
	b.run(b.path("sub"))
	b.run(b.root)
	b.run(b.path("sub"))
	b.expect(map[string]int{"a.md": 1, "sub/b.md": 1})
	roots, err := b.index.Roots()
	if err != nil || !slices.Equal(roots, []string{b.root}) {
		t.Errorf("roots %q, %v", roots, err)
	}
}

func TestFailureKeepsWhatWasCommitted(t *testing.T) {
	b := newBench(t)
	for i := range 300 {
		b.write(fmt.Sprintf("f%03d.md", i), fmt.Sprintf("unicorn %d\n", i))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ix := indexer.New(indexer.Options{
		Store: b.db, Analyzer: lexical.NewAnalyzer(), Embedder: b.embed, Dot: plainDot{}, Budget: 0.05, Threads: 2, MaxFile: 1 << 20,
		Emit: func(e engine.Event) {
			if e.Changed != nil {
				cancel() // after the first batch
			}
		},
	})
	if _, err := ix.Run(ctx, []string{b.root}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	kept := len(b.files())
	if kept == 0 || kept >= 300 {
		t.Errorf("%d files committed before the end", kept)
	}
	if r := b.run(b.root); r.Files != 300 || r.Added != 300-kept {
		t.Errorf("after the next run: %+v, %d were kept", r, kept)
	}
}

func TestNoFolderIsAnError(t *testing.T) {
	b := newBench(t)
	if _, err := b.index.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "name a folder") {
		t.Errorf("error %v", err)
	}
}

// TestNumbersDoNotDependOnTheRace: files are cut several at a time, the longest
// first here, and still get their numbers by time and name.
func TestNumbersDoNotDependOnTheRace(t *testing.T) {
	b := newBench(t)
	const files = 60
	when := time.Now()
	for i := range files {
		name := fmt.Sprintf("f%02d.md", i)
		b.write(name, strings.Repeat("unicorn and more ", (files-i)*20))
		b.must(os.Chtimes(b.path(name), when, when))
	}
	b.run(b.root)
	var order []string
	b.must(b.db.View(func(tx *store.Tx) error {
		byChunk := map[uint32]string{}
		err := tx.Files(func(f store.File) error {
			byChunk[f.IDs[0].First] = filepath.Base(f.Path)
			return nil
		})
		for _, first := range slices.Sorted(maps.Keys(byChunk)) {
			order = append(order, byChunk[first])
		}
		return err
	}))
	if len(order) != files || !slices.IsSorted(order) {
		t.Errorf("order of chunks: %q", order)
	}
}

func TestSkippedFilesAreCountedByRoot(t *testing.T) {
	b := newBench(t)
	b.write("one/a.bin", "\x00\x01")
	b.write("two/b.bin", "\x00\x01")
	b.write("two/c.bin", "\x00\x01")
	b.run(b.path("one"))
	b.run(b.path("two"))
	expect := func(want int) {
		t.Helper()
		if got, err := b.index.Left(); err != nil || got.Skipped["binary"] != want {
			t.Errorf("skipped %v, %v; want %d binary", got.Skipped, err, want)
		}
	}
	expect(3)
	b.must(os.Remove(b.path("two/b.bin")))
	b.run(b.path("one"))
	expect(3) // nobody looked at the other root
	b.run()
	expect(2)
}
