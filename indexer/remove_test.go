package indexer_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/indexer"
	"dowse/indexer/ignore"
	"dowse/indexer/walk"
	"dowse/store"
)

// dataHolds reports which of some words any file beside the index holds.
func (b *bench) dataHolds(words ...string) (found []string) {
	b.t.Helper()
	entries, err := os.ReadDir(filepath.Dir(b.db.Path()))
	b.must(err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(b.db.Path()), e.Name()))
		b.must(err)
		for _, word := range words {
			if bytes.Contains(data, []byte(word)) {
				found = append(found, e.Name()+": "+word)
			}
		}
	}
	return found
}

// TestRemoveErases takes one of two folders out of the index: its files, its words and its name are in no byte of the
// data folder afterwards, and those of the other one are as they were.
func TestRemoveErases(t *testing.T) {
	b := newBench(t)
	const word, name = "\u017e\u0178\u0159\u0178\u017e\u0159", "\u0165\u0164\u0159\u0164\u0165" // stored byte for byte
	for i := range 30 {
		b.write("stays/"+strings.Repeat("a", i+1)+".md", "unicorn "+strings.Repeat("b", i+1)+"\n")
		b.write(name+"/deep/"+strings.Repeat("c", i+1)+".md", "unicorn "+word+strings.Repeat("d", i+1)+"\n")
	}
	b.run(b.path("stays"), b.path(name))
	if found := b.dataHolds(name); len(found) == 0 {
		t.Fatal("the name is nowhere: the test shows nothing")
	}
	done, err := b.index.Remove(t.Context(), b.path(name))
	b.must(err)
	if done.Files != 30 || done.Chunks != 30 || done.Left {
		t.Errorf("%+v", done)
	}
	if found := b.dataHolds(name, word); len(found) > 0 {
		t.Errorf("left: %q", found)
	}
	if files := b.files(); len(files) != 30 || files["stays/a.md"] != 1 {
		t.Errorf("%v", files)
	}
	b.embed.take()
	if report := b.run(); report.Files != 30 || len(b.embed.take()) != 0 {
		t.Errorf("%+v", report)
	}
	_, err = b.index.Remove(t.Context(), b.path("stays"))
	b.must(err)
	if found := b.dataHolds("stays"); len(found) > 0 || len(b.files()) != 0 {
		t.Errorf("left: %q, %v", found, b.files())
	}
}

// TestMoveEmbedsNothing follows a folder that was moved: nothing is embedded, chunks keep their ids, and its old name
// is in no byte.
func TestMoveEmbedsNothing(t *testing.T) {
	b := newBench(t)
	const old = "\u0165\u0164\u0159\u0164\u0165"
	for i := range 20 {
		b.write(old+"/"+strings.Repeat("a", i+1)+".md", "unicorn "+strings.Repeat("b", i+1)+"\n")
	}
	b.run(b.path(old))
	ids := b.allIDs()
	b.embed.take()
	if _, err := b.index.Move(t.Context(), b.path(old), b.path("new")); err == nil {
		t.Error("moved to a folder that is not there")
	}
	b.must(os.Mkdir(b.path("new"), 0o700))
	if _, err := b.index.Move(t.Context(), b.path(old), b.path("new")); err == nil || !strings.Contains(err.Error(), "still there") {
		t.Error(err)
	}
	b.must(os.Remove(b.path("new")))
	b.must(os.Rename(b.path(old), b.path("new")))
	report, err := b.index.Move(t.Context(), b.path(old), b.path("new"))
	b.must(err)
	if report.Files != 20 || len(b.embed.take()) != 0 || !slices.Equal(ids, b.allIDs()) {
		t.Errorf("%+v, ids %v, then %v", report, ids, b.allIDs())
	}
	if roots, err := b.index.Roots(); err != nil || !slices.Equal(roots, []string{b.path("new")}) {
		t.Errorf("%v, %v", roots, err)
	}
	if found := b.dataHolds(old); len(found) > 0 {
		t.Errorf("left: %q", found)
	}
}

// allIDs are those of all files, sorted.
func (b *bench) allIDs() (ids []uint32) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) error {
		return tx.Files(func(f store.File) error {
			for _, id := range f.IDs.All() {
				ids = append(ids, id)
			}
			return nil
		})
	}))
	slices.Sort(ids)
	return ids
}

// TestSettingsOfFolders: what the settings leave out goes, comes back with them, and is counted; a folder that is
// paused is not looked at, and loses nothing.
func TestSettingsOfFolders(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"one/a.md", "one/b.txt", "one/drafts/c.md", "two/drafts/d.md"} {
		b.write(name, "unicorn "+name+"\n")
	}
	var settings []indexer.FolderSettings
	opts := b.options()
	opts.Settings = func() []indexer.FolderSettings { return settings }
	b.index = indexer.New(opts)
	all := map[string]int{"one/a.md": 1, "one/b.txt": 1, "one/drafts/c.md": 1, "two/drafts/d.md": 1}
	b.run(b.path("one"), b.path("two"))
	b.expect(all)
	patterns, err := ignore.ParsePatterns([]string{"/drafts/"})
	b.must(err)
	settings = []indexer.FolderSettings{{Rule: walk.Rule{
		Folder: b.path("one"), Exclude: patterns, Takes: func(path string) bool { return strings.HasSuffix(path, ".md") },
	}}}
	report := b.run()
	b.expect(map[string]int{"one/a.md": 1, "two/drafts/d.md": 1})
	if report.Skipped["excluded"] != 1 || report.Skipped["other type"] != 1 {
		t.Errorf("%v", report.Skipped)
	}
	if again := b.follow(b.path("one/drafts/c.md"), b.path("one/drafts"), b.path("one/b.txt")); len(again) > 0 {
		t.Error(again)
	}
	b.expect(map[string]int{"one/a.md": 1, "two/drafts/d.md": 1})
	settings[0] = indexer.FolderSettings{Rule: walk.Rule{Folder: b.path("one")}, Paused: true}
	b.must(os.Remove(b.path("one/a.md")))
	b.run()
	b.follow()
	b.follow(b.path("one/a.md"))
	b.expect(map[string]int{"one/a.md": 1, "two/drafts/d.md": 1})
	settings = nil
	b.run()
	delete(all, "one/a.md")
	b.expect(all)
}
