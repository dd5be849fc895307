package search

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/search/complete"
	"dowse/store"
)

// say notes what a document of the index says of itself.
func (w *world) say(path string, f store.Facts) {
	w.t.Helper()
	if err := w.db.Update(func(tx *store.Tx) error {
		file, err := tx.FileByPath(path)
		if err != nil {
			return err
		}
		return tx.PutFacts(file.ID, f)
	}); err != nil {
		w.t.Fatal(err)
	}
}

// suggests completes a line at its end and writes what is suggested.
func (w *world) suggests(line string, in ...string) string {
	w.t.Helper()
	got, err := w.Complete(w.t.Context(), engine.CompletionRequest{Line: line, Cursor: len(line), Max: 6, In: in})
	if err != nil {
		w.t.Fatalf("%s: %v", line, err)
	}
	var out []string
	for _, s := range got.Suggestions {
		out = append(out, fmt.Sprintf("%s (%s %d)", s.Text, s.Label, s.Files))
	}
	if got.More > 0 {
		out = append(out, fmt.Sprint("+", got.More))
	}
	return strings.Join(out, ", ")
}

// libraryWorld has a few files that say much of themselves.
func libraryWorld(t *testing.T) *world {
	w := newWorld(t)
	w.index(
		file{root + "/garden/2026/roses.md", "roses", on(3, 1)}, file{root + "/garden/soil.md", "soil", on(11, 2)},
		file{root + "/mail/a.eml", "roof", on(11, 3)}, file{root + "/mail/b.eml", "roof again", on(10, 3)},
		file{root + "/papers/leann.pdf", "vectors", on(1, 5)}, file{root + "/my notes/gardening.txt", "tools", on(1, 6)},
	)
	w.say(root+"/garden/2026/roses.md", store.Facts{Tags: []string{"garden/Roses", "home office"}, Title: "Roses of the year"})
	w.say(root+"/garden/soil.md", store.Facts{Tags: []string{"Garden", "gardening", "a,b"}})
	w.say(root+"/mail/a.eml", store.Facts{Format: "eml", Authors: []string{"Ann Lee <ann@example.org>"}, To: []string{"ben@example.org"}})
	w.say(root+"/mail/b.eml", store.Facts{Format: "eml", Authors: []string{"A. Lee <Ann@Example.org>", "Jan Vogel"}})
	w.say(root+"/papers/leann.pdf", store.Facts{Format: "pdf", Authors: []string{"Yichuan Wang"}})
	return w
}

func TestCompleteValues(t *testing.T) {
	w := libraryWorld(t)
	for _, tt := range []struct{ line, want string }{
		{"tag:", `garden (Garden 2), garden/roses (garden/Roses 1), gardening (gardening 1), "home office" (home office 1)`},
		{"tag:ro", "garden/roses (garden/Roses 1)"},
		{"tag:office", `"home office" (home office 1)`},
		{"-tag:garden,ho", `"garden,home office" (home office 1)`},
		{"from:an", "ann@example.org (A. Lee <Ann@Example.org> 2), \"jan vogel\" (Jan Vogel 1), \"yichuan wang\" (Yichuan Wang 1)"},
		{"from:example", "ann@example.org (A. Lee <Ann@Example.org> 2)"},
		{"to:", "ben@example.org (ben@example.org 1)"},
		{"ext:", "eml (eml 2), md (md 2), pdf (pdf 1), txt (txt 1)"},
		{"ext:md,t", "md,txt (txt 1)"},
		{"type:", "text (text 6), mail (mail 2), document (document 1), pdf (pdf 1), eml (eml 2)"},
		{"type:pdf,ma", "pdf,mail (mail 2)"},
		{"title:ye", `"Roses of the year" (Roses of the year 1)`},
		{"path:gard", "garden/ (garden/ 2), garden/2026/ (garden/2026/ 1), gardening.txt (gardening.txt 1)"},
		{"path:20", "garden/2026/ (garden/2026/ 1)"},
		{"path:my", `"my notes/" (my notes/ 1)`},
		{"path:*.m", ""},
		{"roof", ""},
		{"ta", "tag: (tag: 0)"},
	} {
		if got := w.suggests(tt.line); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.line, got, tt.want)
		}
	}
	if got := w.suggests("tag:", root+"/mail", root+"/garden/2026"); got != `garden (Garden 1), garden/roses (garden/Roses 1), "home office" (home office 1)` {
		t.Errorf("in two folders: %s", got)
	}
}

// TestCompleteAfterCommits: a keystroke sees the newest commit, and pools count what is held.
func TestCompleteAfterCommits(t *testing.T) {
	w := libraryWorld(t)
	held := func() int64 { return w.ledger.Snapshot()[indexOf(w, "search.completion")].Bytes }
	w.suggests("tag:")
	w.suggests("path:gar")
	first := held()
	w.index(file{root + "/c.md", "c", on(1, 1)})
	w.say(root+"/c.md", store.Facts{Tags: []string{"gap"}})
	if got := w.suggests("tag:ga"); !strings.Contains(got, "gap") {
		t.Errorf("a new tag is not suggested: %s", got)
	}
	if w.unindex(root + "/c.md"); strings.Contains(w.suggests("tag:ga"), "gap") {
		t.Error("a tag that is gone is suggested")
	}
	if w.suggests("path:gar"); first <= 0 || held() != first {
		t.Errorf("%d bytes are held, of the same values %d before", held(), first)
	}
	if err := w.Close(); err != nil || held() != 0 {
		t.Errorf("%d bytes are held in the end, error %v", held(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Complete(ctx, engine.CompletionRequest{Line: "tag:", Cursor: 4}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if got := w.suggests("tag:gar"); !strings.HasPrefix(got, "garden (Garden 2)") {
		t.Errorf("after a cancelled one: %s", got)
	}
}

func indexOf(w *world, pool string) int {
	for i, p := range w.ledger.Snapshot() {
		if p.Name == pool {
			return i
		}
	}
	w.t.Fatalf("no pool is called %s", pool)
	return 0
}

// TestCompleteFromTwoIndexes: values that both have are one, and what an index does not
// show does not count.
func TestCompleteFromTwoIndexes(t *testing.T) {
	w := libraryWorld(t)
	other := besideWorld(t, w, root+"/letters", root+"/papers")
	other.index(file{root + "/letters/x.md", "x", on(2, 1)}, file{root + "/garden/hidden.md", "h", on(2, 2)})
	other.say(root+"/letters/x.md", store.Facts{Tags: []string{"GARDEN", "sea"}})
	other.say(root+"/garden/hidden.md", store.Facts{Tags: []string{"hidden"}})
	if got, want := w.suggests("tag:"), `garden (Garden 3), garden/roses (garden/Roses 1), gardening (gardening 1), "home office" (home office 1), sea (sea 1)`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got, want := w.suggests("from:wa"), ""; got != want {
		t.Errorf("of a folder that the other index shows: %s", got)
	}
}

func TestCompleteDates(t *testing.T) {
	w := libraryWorld(t)
	all := func(line string) string {
		req := engine.CompletionRequest{Line: line, Cursor: len(line), Max: 99}
		got, err := complete.Complete(t.Context(), req, []*complete.Values{w.values}, on(11, 3).Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, s := range got.Suggestions {
			out = append(out, fmt.Sprintf("%s %d", s.Label, s.Files))
		}
		return strings.Join(out, ", ")
	}
	for line, want := range map[string]string{
		"after:":           "today 1, yesterday 2, 7d 2, 1m 2, 1y 6, 2026 6",
		"before:":          "today 5, yesterday 4, 7d 4, 1m 4, 1y 0, 2026 0",
		"-after:to":        "today 5",
		"after:7":          "7d 2, 7w 3, 7m 3, 7y 6, 7h 1",
		"after:20":         "20d 2, 20w 3, 20m 6, 20y 6, 20h 1, 2026 6",
		"after:2026":       "2026 6, 2026-11 2, 2026-10 3, 2026-03 4, 2026-01 6",
		"after:2026-1":     "2026-11 2, 2026-10 3",
		"after:2026-11-":   "2026-11-03 1, 2026-11-02 2",
		"before:2026-01-0": "2026-01-06 1, 2026-01-05 0",
		"after:x":          "",
		"after:2w":         "2w 2",
	} {
		if got := all(line); got != want {
			t.Errorf("%s: %s\nwant %s", line, got, want)
		}
	}
}

// BenchmarkComplete completes filters over 100,000 files, of which a half is mail of 5,000
// people. The first keystroke of a filter after a commit makes its list, which the others find.
func BenchmarkComplete(b *testing.B) {
	w := newWorld(b)
	if err := w.db.Update(func(tx *store.Tx) error {
		for i := range 100_000 {
			f := store.File{Path: fmt.Sprintf("%s/dir%03d/sub%02d/file-%06d.%s", root, i%500, i%20, i, []string{"md", "eml"}[i%2]), Root: root, ModTime: on(1, 1).UnixNano() - int64(i)*int64(time.Hour)}
			if err := tx.PutFile(&f, []store.Chunk{{Start: 0, End: 10}}); err != nil {
				return err
			}
			facts := store.Facts{Tags: []string{fmt.Sprintf("tag%d/x%d", i%40, i%300)}, Title: fmt.Sprint("Title of ", i)}
			if i%2 == 1 {
				facts = store.Facts{Format: "eml", Authors: []string{fmt.Sprintf("Person %d <p%d@example.org>", i%5000, i%5000)}, Title: fmt.Sprint("Re: ", i%9000)}
			}
			if err := tx.PutFacts(f.ID, facts); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	for _, line := range []string{"tag:ta", "from:per", "type:p", "path:di", "path:file-0999", "ext:m", "after:20", "title:of"} {
		ask := func() {
			if got, err := w.Complete(b.Context(), engine.CompletionRequest{Line: line, Cursor: len(line)}); err != nil || len(got.Suggestions) == 0 && line != "type:p" {
				b.Fatal(line, got, err)
			}
		}
		b.Run(line+"/first", func(b *testing.B) {
			for b.Loop() {
				w.values.Drop()
				ask()
			}
		})
		b.Run(line+"/next", func(b *testing.B) {
			for b.Loop() {
				ask()
			}
		})
	}
}
