package search

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
)

// filesListed are the names of files in order.
func filesListed(t *testing.T, w *world, req engine.FilesRequest) (names string, more int) {
	t.Helper()
	files, err := w.Files(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files.Files {
		out = append(out, strings.TrimPrefix(f.Path, root+"/"))
	}
	return strings.Join(out, " "), files.More
}

// TestFilesAreListed: those of both indexes, each once, by path, as far as was asked for.
func TestFilesAreListed(t *testing.T) {
	w := newWorld(t)
	w.index(file{path: root + "/b.md", text: "two\n\nparagraphs", modified: on(3, 1)}, file{path: root + "/a/z.md", text: "z"}, file{path: root + "/a-b.md", text: "q"})
	beside := besideWorld(t, w, root+"/mail")
	beside.index(file{path: root + "/mail/1.md", text: "m"}, file{path: root + "/b.md", text: "not shown"})
	w.index(file{path: root + "/mail/1.md", text: "m"}) // it moves
	for _, c := range []struct {
		req  engine.FilesRequest
		want string
		more int
	}{
		{engine.FilesRequest{}, "a-b.md a/z.md b.md mail/1.md", 0},
		{engine.FilesRequest{Limit: 2}, "a-b.md a/z.md", 2},
		{engine.FilesRequest{Limit: 2, After: root + "/a/z.md"}, "b.md mail/1.md", 0},
		{engine.FilesRequest{In: []string{root + "/a", root + "/mail"}}, "a/z.md mail/1.md", 0},
		{engine.FilesRequest{In: []string{root + "/none"}}, "", 0},
	} {
		if got, more := filesListed(t, w, c.req); got != c.want || more != c.more {
			t.Errorf("%+v: %q and %d more, want %q and %d", c.req, got, more, c.want, c.more)
		}
	}
	files, err := w.Files(t.Context(), engine.FilesRequest{After: root + "/a/z.md", Limit: 1})
	if f := files.Files[0]; err != nil || f.Chunks != 2 || f.TextBytes != 15 || f.Format != "text" || !f.Date.Equal(on(3, 1)) {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestIndexedFilesAloneAreRead: whatever else stands on the disk.
func TestIndexedFilesAloneAreRead(t *testing.T) {
	w := newWorld(t)
	w.index(file{path: root + "/a.md", text: "one\ntwo\n"})
	besideWorld(t, w, root+"/mail").index(file{path: root + "/mail/1.md", text: "three\nfour\n"})
	w.disk.write("/etc/passwd", "root")
	for path, want := range map[string]string{root + "/a.md": "two\n", root + "/mail/1.md": "four\n"} {
		if got, err := w.Read(t.Context(), engine.ReadRequest{Path: path, From: 2}); err != nil || got.Text != want || got.Format != "text" {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
	for _, path := range []string{"/etc/passwd", root, root + "/../ada/a.md", "a.md", ""} {
		if _, err := w.Read(t.Context(), engine.ReadRequest{Path: path}); !errors.Is(err, engine.ErrNotIndexed) || !strings.HasPrefix(err.Error(), path+" is not in the index") {
			t.Errorf("%s: %v", path, err)
		}
	}
	w.disk.remove(filepath.Join(root, "a.md"))
	if _, err := w.Read(t.Context(), engine.ReadRequest{Path: root + "/a.md"}); !errors.Is(err, engine.ErrFileGone) {
		t.Errorf("a file that is gone: %v", err)
	}
}
