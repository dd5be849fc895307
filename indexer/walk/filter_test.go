package walk_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"dowse/indexer/skip"
	"dowse/indexer/walk"
)

// TestFilterAgreesWithWalk asks the filter about every path of a random tree.
func TestFilterAgreesWithWalk(t *testing.T) {
	const seed = 4
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	names := []string{"a", "b", ".c", "node_modules", "build", "x.log", "d.md", ".ignore", ".dowseignore"}
	rules := []string{"build/\n", "*.log\n!x.log\n", "!.c\n", "/a\n", "!node_modules\n", "**/b\n", "d.md\n", ""}
	files := map[string]string{}
	for range 400 {
		path := names[rng.IntN(len(names))]
		for range rng.IntN(4) {
			path = []string{"a", "b", ".c", "node_modules", "build", "e"}[rng.IntN(6)] + "/" + path
		}
		files[path+fmt.Sprint(rng.IntN(3))] = "x"
		files[filepath.Dir(path)+"/.ignore"] = rules[rng.IntN(len(rules))]
	}
	dir := tree(t, files)
	roots := []string{dir, dir + "/build"}
	must(t, os.MkdirAll(dir+"/build", 0o755))
	l, err := collect(context.Background(), roots, walk.Options{})
	must(t, err)
	found := map[string]walk.Entry{}
	for _, e := range l.files {
		found[e.Path] = e
	}
	entered := map[string]bool{}
	for _, d := range l.dirs {
		entered[d] = true
	}
	filter, err := walk.NewFilter(roots, walk.Options{})
	must(t, err)
	n := 0
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		n++
		entry, s := filter.Check(path)
		if _, want := found[path]; !d.IsDir() && want != (s == nil) {
			t.Errorf("%s: walk takes it %v, filter says %+v", path, want, s)
		} else if want && entry != found[path] {
			t.Errorf("%s: entry %+v, walk has %+v", path, entry, found[path])
		}
		if d.IsDir() && entered[path] != (s == nil) {
			t.Errorf("%s: walk enters it %v, filter says %+v", path, entered[path], s)
		}
		return err
	}))
	if len(l.files) < 50 || len(l.files) > n-50 {
		t.Errorf("%d of %d paths are files that stay: the tree tests little", len(l.files), n)
	}
}

func TestFilterForgetsRules(t *testing.T) {
	dir := tree(t, map[string]string{"sub/a.md": "a", "b.md": "b"})
	filter, err := walk.NewFilter([]string{dir}, walk.Options{})
	must(t, err)
	if _, s := filter.Check(dir + "/sub/a.md"); s != nil {
		t.Fatalf("left out: %+v", s)
	}
	must(t, os.WriteFile(dir+"/sub/.gitignore", []byte("*.md\n"), 0o644))
	filter.Forget(dir + "/sub")
	if _, s := filter.Check(dir + "/sub/a.md"); s == nil || s.Reason != skip.Ignored {
		t.Errorf("new rule: %+v, want ignored", s)
	}
	if _, s := filter.Check(dir + "/b.md"); s != nil {
		t.Errorf("b.md: %+v", s)
	}
	if _, s := filter.Check(dir + "/missing.md"); s == nil || s.Reason != skip.Vanished {
		t.Errorf("missing file: %+v, want vanished", s)
	}
	if _, s := filter.Check(filepath.Dir(dir)); s == nil {
		t.Error("a directory outside of the folders may be entered")
	}
}
