package walk_test

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

	"dowse/indexer/skip"
	"dowse/indexer/walk"
)

// tree makes files from slash-separated paths and their text and returns the
// resolved folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for path, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(path))
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(text), 0o644))
	}
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// list walks and returns the paths found, relative to dir.
func list(t *testing.T, dir string, opts walk.Options, roots ...string) (files []string, skipped map[string]skip.Reason) {
	t.Helper()
	if len(roots) == 0 {
		roots = []string{dir}
	}
	l, err := collect(context.Background(), roots, opts)
	must(t, err)
	skipped = map[string]skip.Reason{}
	for _, e := range l.files {
		files = append(files, strings.TrimPrefix(e.Path, dir+"/"))
	}
	for _, s := range l.skips {
		skipped[strings.TrimPrefix(s.Path, dir+"/")] = s.Reason
	}
	return files, skipped
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestWalkAppliesRulesHiddenAndSize(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.md": "a", "sub/b.md": "b", "sub/deep/c.md": "c", "empty.md": "", "big.md": "0123456789",
		".hidden": "h", ".config/x": "x", ".wanted/y": "y", ".ignore": "!/.wanted\nlogs/\n",
		"logs/z": "z", "node_modules/m.js": "m", ".git/HEAD": "ref",
	})
	files, skipped := list(t, dir, walk.Options{MaxBytes: func(string) int64 { return 9 }})
	expect(t, files, ".wanted/y", "a.md", "sub/b.md", "sub/deep/c.md")
	for path, want := range map[string]skip.Reason{
		"empty.md": skip.Empty, "big.md": skip.TooLarge, ".hidden": skip.Hidden, ".config": skip.Hidden,
		".ignore": skip.Hidden, ".git": skip.Hidden, "logs": skip.Ignored, "node_modules": skip.Ignored,
	} {
		if skipped[path] != want {
			t.Errorf("%s: reason %q, want %q", path, skipped[path], want)
		}
	}
	if len(skipped) != 8 {
		t.Errorf("%d entries left out, want 8: %v", len(skipped), skipped)
	}
	files, skipped = list(t, dir, walk.Options{Hidden: true})
	expect(t, files, ".config/x", ".hidden", ".ignore", ".wanted/y", "a.md", "big.md", "sub/b.md", "sub/deep/c.md")
	if skipped[".git"] != skip.Ignored {
		t.Errorf(".git: reason %q, want %q", skipped[".git"], skip.Ignored)
	}
}

func TestWalkNamesAreBytes(t *testing.T) {
	names := []string{"\x01\x1b[31m.md", "new\nline.md", "\xff\xfe.md", "ünïcode.md", " .md"}
	files := map[string]string{}
	for _, name := range names {
		files[name] = "x"
	}
	got, _ := list(t, tree(t, files), walk.Options{})
	slices.Sort(names)
	expect(t, got, names...)
}

func TestWalkOverlappingFolders(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.md": "a", "in/b.md": "b", "in/er/c.md": "c", ".secret/d.md": "d", ".secret/.more/e.md": "e",
	})
	l, err := collect(context.Background(), []string{dir, dir + "/in/er", dir + "/.secret", dir + "/in/../", dir + "/in"}, walk.Options{})
	must(t, err)
	var got []string
	for _, e := range l.files {
		got = append(got, strings.TrimPrefix(e.Path, dir)+" of "+strings.TrimPrefix(e.Root, dir))
	}
	expect(t, got, "/.secret/d.md of /.secret", "/a.md of ", "/in/b.md of /in", "/in/er/c.md of /in/er")
}

func TestWalkSymlinks(t *testing.T) {
	outside := tree(t, map[string]string{"far/o.md": "o", "far/loop/p.md": "p", "one.md": "1"})
	dir := tree(t, map[string]string{"a.md": "a", "sub/b.md": "b"})
	for link, target := range map[string]string{
		dir + "/link.md": dir + "/a.md", dir + "/up": dir, dir + "/sub/self": "self", dir + "/gone": "nowhere",
		dir + "/far": outside + "/far", dir + "/far2": outside + "/far", dir + "/one": outside + "/one.md",
		dir + "/again": outside + "/one.md", outside + "/far/loop/back": outside + "/far", outside + "/far/home": dir,
	} {
		must(t, os.Symlink(target, link))
	}
	files, skipped := list(t, dir, walk.Options{})
	expect(t, files, "a.md", "sub/b.md")
	if len(skipped) != 8 || skipped["up"] != skip.Symlink {
		t.Errorf("left out %v, want 8 symbolic links", skipped)
	}
	files, _ = list(t, dir, walk.Options{}, dir+"/up") // a folder named by a link
	expect(t, files, "a.md", "sub/b.md")
}

func TestWalkReportsTheUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := tree(t, map[string]string{"a.md": "a", "shut/b.md": "b"})
	must(t, os.Chmod(dir+"/shut", 0))
	t.Cleanup(func() { _ = os.Chmod(dir+"/shut", 0o755) })
	files, skipped := list(t, dir, walk.Options{})
	expect(t, files, "a.md")
	if skipped["shut"] != skip.Unreadable {
		t.Errorf("left out %v, want shut unreadable", skipped)
	}
}

func TestWalkSurvivesFilesThatVanish(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("d%03d/f.md", i)] = "x"
	}
	dir := tree(t, files)
	opts := walk.Options{Workers: 2, OnDir: func(string) {
		// Takes away what is still to be read.
		for i := 299; i > 20; i-- {
			if err := os.RemoveAll(fmt.Sprintf("%s/d%03d", dir, i)); err != nil {
				t.Error(err)
			}
		}
	}}
	found, skipped := list(t, dir, opts)
	if len(found) < 21 {
		t.Errorf("%d files found, want at least the 21 that stayed", len(found))
	}
	for path, reason := range skipped {
		if reason != skip.Vanished {
			t.Errorf("%s: reason %q, want %q", path, reason, skip.Vanished)
		}
	}
}

func TestWalkEnds(t *testing.T) {
	files := map[string]string{}
	for i := range 500 {
		files[fmt.Sprintf("%d/%d/f.md", i%7, i)] = "x"
	}
	dir := tree(t, files)
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err := walk.Walk(ctx, []string{dir}, walk.Options{}, func(walk.Entry) error {
		if n++; n == 10 {
			cancel()
		}
		return nil
	}, nil)
	if !errors.Is(err, context.Canceled) || n != 10 {
		t.Errorf("cancelled after 10 files: %d files, error %v", n, err)
	}
	stop := errors.New("enough")
	if err := walk.Walk(context.Background(), []string{dir}, walk.Options{}, func(walk.Entry) error { return stop }, nil); !errors.Is(err, stop) {
		t.Errorf("error of the callback: got %v", err)
	}
	if _, err := collect(context.Background(), []string{dir + "/missing"}, walk.Options{}); err == nil {
		t.Error("a missing folder is no error")
	}
	if _, err := collect(context.Background(), []string{dir + "/0/0/f.md"}, walk.Options{}); err == nil {
		t.Error("a file as folder is no error")
	}
}

func ExampleWalk() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range map[string]string{"note.md": "# Note\n", ".draft.md": "later\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			fmt.Println(err)
			return
		}
	}
	err = walk.Walk(context.Background(), []string{dir}, walk.Options{}, func(e walk.Entry) error {
		fmt.Println(filepath.Base(e.Path), e.Size)
		return nil
	}, nil)
	if err != nil {
		fmt.Println(err)
	}
	// Output: note.md 7
}

// TestExcept: folders of another index are passed over, as roots and below them, and are no
// skips; names that begin alike are others.
func TestExcept(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "a", "letters/b.md": "b", "letters/old/c.md": "c", "lettersets/d.md": "d"})
	opts := walk.Options{Except: []string{dir + "/letters"}}
	files, skipped := list(t, dir, opts)
	slices.Sort(files)
	expect(t, files, "a.md", "lettersets/d.md")
	if len(skipped) > 0 {
		t.Errorf("%v", skipped)
	}
	files, _ = list(t, dir, opts, dir+"/letters/old", dir+"/letters", dir+"/lettersets")
	expect(t, files, "lettersets/d.md")
	files, _ = list(t, dir, opts, dir+"/letters/old")
	expect(t, files)
	f, err := walk.NewFilter([]string{dir}, opts)
	must(t, err)
	for path, in := range map[string]bool{"a.md": true, "letters/b.md": false, "letters/old/c.md": false, "lettersets/d.md": true} {
		if _, left := f.Check(filepath.Join(dir, path)); (left == nil) != in {
			t.Errorf("%s: %v", path, left)
		}
	}
	if f.Dir(dir+"/letters") == nil || f.Dir(dir+"/lettersets") != nil {
		t.Error("the folder is entered, or the one beside it is not")
	}
}

// TestStubsOfSyncClients has what Nextcloud, ownCloud and iCloud leave in the place of files that they did not fetch.
func TestStubsOfSyncClients(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.md":                     "a",
		"minutes.docx.nextcloud":   " ",
		"old/plan.pdf.owncloud":    "",
		".letter.pages.icloud":     "bplist00",
		".icloud":                  "no stub: hidden",
		"about.nextcloud":          "a file about it",
		".hidden.md":               "hidden",
		"old/.folder.icloud/in.md": "a hidden folder",
	})
	want := map[string]skip.Reason{
		"minutes.docx.nextcloud": skip.NotHere,
		"old/plan.pdf.owncloud":  skip.NotHere,
		".letter.pages.icloud":   skip.NotHere,
		".icloud":                skip.Hidden,
		".hidden.md":             skip.Hidden,
		"old/.folder.icloud":     skip.Hidden,
	}
	files, skipped := list(t, dir, walk.Options{})
	expect(t, files, "a.md", "about.nextcloud")
	if !maps.Equal(skipped, want) {
		t.Errorf("left out %v, want %v", skipped, want)
	}
	filter, err := walk.NewFilter([]string{dir}, walk.Options{})
	must(t, err)
	for path, reason := range want {
		if _, s := filter.Check(filepath.Join(dir, path)); s == nil || s.Reason != reason {
			t.Errorf("the filter says %v of %s, want %s", s, path, reason)
		}
	}
}
