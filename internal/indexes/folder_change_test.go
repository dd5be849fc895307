package indexes_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
	"dowse/internal/testenv"
	"dowse/internal/testwait"
)

// bytesWith returns the files below a folder that hold one of some words.
func bytesWith(t *testing.T, dir string, words ...string) (found []string) {
	t.Helper()
	testapp.Require(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // an index was dropped meanwhile
		}
		for _, word := range words {
			if bytes.Contains(data, []byte(word)) || strings.Contains(path, word) {
				found = append(found, filepath.Base(path)+" "+word)
			}
		}
		return err
	}))
	return found
}

// change makes a change of a folder.
func change(t *testing.T, s engine.Service, c engine.FolderChange) *engine.FolderReport {
	t.Helper()
	report, err := s.ChangeFolder(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// states are the folders of a service: name, state, files.
func states(t *testing.T, s engine.Service) string {
	t.Helper()
	all, err := s.Folders(t.Context())
	testapp.Require(t, err)
	var out []string
	for _, f := range all {
		out = append(out, fmt.Sprintf("%s %s %d", f.Name, f.State, f.Files))
	}
	return strings.Join(out, ", ")
}

// Words that no packing hides, since it would lengthen them.
const (
	secretWord   = "\u017e\u0178\u0159\u0178\u017e\u0159"
	secretFolder = "\u0165\u0164\u0159\u0164\u0165"
)

// secretFiles are notes in a folder of a name that is to be erased.
func secretFiles(t *testing.T, n int) (dir string) {
	t.Helper()
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("%s/deep/%s%d.md", secretFolder, secretWord, i)] = fmt.Sprintf("# %s %d\n\n%s wrote it on day %d\n", secretWord, i, secretWord, i)
	}
	return filepath.Join(testenv.Folder(t, files), secretFolder)
}

// TestRemoveFolder erases a folder while the index is watched and searched, with an embedder of its own and without: no
// byte of the data folder tells of it, conversations that quote it are named and erased where that is asked for, and
// the index is as large as one that never had it.
func TestRemoveFolder(t *testing.T) {
	for _, own := range []bool{false, true} {
		a := small(t)
		const n = 40
		dir, _ := letters(t, n)
		secrets := secretFiles(t, 30)
		if own {
			a = gives(t, secrets, newModel)
		}
		owner := testapp.Own(t, a, dir, secrets)
		for _, name := range []string{"quotes", "other"} {
			quoted := filepath.Join(map[string]string{"quotes": secrets, "other": dir}[name], "a.md")
			_, err := owner.KeepTurn(t.Context(), name, engine.Turn{Question: "who", Passages: []engine.TurnPassage{{N: 1, Rank: 1, Path: quoted, Text: "text"}}})
			testapp.Require(t, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		watching := make(chan error, 1)
		go func() { watching <- owner.Watch(ctx, nil, func(engine.Event) {}) }()
		testwait.Until(t, "all is watched", func() bool { return strings.Count(states(t, owner), "fresh") == 2 })
		if found := bytesWith(t, a.Home.Data, secretFolder); len(found) == 0 {
			t.Fatal("nothing tells of the folder: the test shows nothing")
		}
		end := findsAll(t, owner, n)
		report := change(t, owner, engine.FolderChange{Action: engine.RemoveFolder, Folder: secretFolder, Conversations: own})
		if report.Files != 30 || report.Chunks != 30 || report.Later || !slices.Equal(report.Conversations, []string{"quotes"}) {
			t.Errorf("own %v: %+v", own, report)
		}
		found := bytesWith(t, a.Home.Data, secretFolder, secretWord)
		if !own {
			found = slices.DeleteFunc(found, func(f string) bool { return !strings.HasPrefix(f, "index.") })
		}
		if len(found) > 0 {
			t.Errorf("own %v: %q tell of it", own, found)
		}
		testwait.Until(t, "the rest is watched", func() bool { return states(t, owner) == filepath.Base(dir)+" fresh 40" })
		testapp.Require(t, os.WriteFile(filepath.Join(secrets, "new.md"), []byte("# New\n\nunicorn\n"), 0o600))
		testapp.Require(t, os.WriteFile(filepath.Join(dir, "new.md"), []byte("# New\n\nunicorn\n"), 0o600))
		testwait.Until(t, "a new file is found", func() bool {
			return testapp.Names(testapp.Search(t, owner, `"unicorn"`)) == "new.md"
		})
		if searches := end(); searches == 0 {
			t.Error("nobody searched meanwhile")
		}
		if check, err := owner.Check(t.Context(), nil); err != nil || check.Problems > 0 || check.Files != n+1 {
			t.Errorf("%+v, %v", check, err)
		}
		cancel()
		if err := <-watching; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if settings, err := os.ReadFile(a.Home.ConfigFile()); err != nil || strings.Contains(string(settings), secretFolder) {
			t.Errorf("%s, %v", settings, err)
		}
		if left, err := filepath.Glob(filepath.Join(a.Home.Data, "*.folders.*")); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
		sameAsFresh(t, owner, dir)
	}
}

// TestFolderLeavesTheFolderIndex removes and moves one of two folders with an embedder of their own: the index that
// stays for the other one tells nothing of the place that was left.
func TestFolderLeavesTheFolderIndex(t *testing.T) {
	for _, action := range []engine.FolderAction{engine.RemoveFolder, engine.MoveFolder} {
		small(t)
		secrets := secretFiles(t, 3)
		stays, _ := letters(t, 3)
		gives(t, secrets, newModel)
		a := gives(t, stays, newModel)
		owner := testapp.Own(t, a, stays, secrets)
		to := filepath.Join(t.TempDir(), "moved")
		if action == engine.MoveFolder {
			testapp.Require(t, os.Rename(secrets, to))
		}
		change(t, owner, engine.FolderChange{Action: action, Folder: secretFolder, To: to})
		if found := bytesWith(t, a.Home.Data, secretFolder); len(found) > 0 {
			t.Errorf("%s: %q tell of it", action, found)
		}
		want := filepath.Base(stays) + " unwatched 3"
		if action == engine.MoveFolder {
			want += ", moved unwatched 3"
		}
		if got := states(t, owner); got != want {
			t.Errorf("%s: %s, want %s", action, got, want)
		}
	}
}

// sameAsFresh compares what an index takes with a fresh one of a folder.
func sameAsFresh(t *testing.T, owner *indexes.Owner, dir string) {
	t.Helper()
	_, err := owner.Index(t.Context(), nil, nil)
	testapp.Require(t, err)
	got := statusOf(t, owner).Bytes
	data := os.Getenv("DOWSE_HOME")
	defer os.Setenv("DOWSE_HOME", data)  //nolint:errcheck,usetesting // t.Setenv would last
	os.Setenv("DOWSE_HOME", t.TempDir()) //nolint:errcheck,usetesting // the same
	a := chooses(t, oldModel)
	installSmall(t, a)
	fresh, err := a.OpenOwner(t.Context(), func() {})
	testapp.Require(t, err)
	defer fresh.Close() //nolint:errcheck // it is thrown away
	_, err = fresh.Index(t.Context(), []string{dir}, nil)
	testapp.Require(t, err)
	want := statusOf(t, fresh).Bytes
	for _, what := range []string{"postings", "dictionary", "text", "graph", "pq"} {
		if got[what] != want[what] {
			t.Errorf("%s take %d bytes, of a fresh index %d", what, got[what], want[what])
		}
	}
}

// TestFoldersByName: folders of the same name are told apart, are found by their names in queries and requests, and
// names, places and pauses last.
func TestFoldersByName(t *testing.T) {
	a := small(t)
	top := testapp.Notes(t, map[string]string{
		"one/notes/a.md": "# A\n\nthe heron stood\n", "two/notes/sub/b.md": "# B\n\nthe heron flew\n", "two/notes/sub/c.log.md": "# C\n\nthe heron slept\n",
	})
	owner, err := a.OpenOwner(t.Context(), func() {})
	testapp.Require(t, err)
	_, err = owner.Index(t.Context(), []string{filepath.Join(top, "one/notes"), filepath.Join(top, "two/notes")}, nil)
	testapp.Require(t, err)
	find := func(query string, in ...string) string {
		t.Helper()
		r, err := owner.Search(t.Context(), engine.Request{Query: query, In: in, K: 9, Mode: engine.Lexical}, nil)
		if err != nil {
			return err.Error()
		}
		return testapp.Names(r)
	}
	if got := states(t, owner); got != "one/notes unwatched 1, two/notes unwatched 2" {
		t.Error(got)
	}
	change(t, owner, engine.FolderChange{Action: engine.RenameFolder, Folder: "two/notes", To: "birds"})
	name, exclude := "birds", []string{"*.log.md"}
	if _, err := owner.ChangeFolder(t.Context(), engine.FolderChange{Action: engine.AddFolder, Folder: filepath.Join(top, "one/notes"), Name: &name}, nil); err == nil || !strings.Contains(err.Error(), "is called birds already") {
		t.Error(err)
	}
	report := change(t, owner, engine.FolderChange{Action: engine.AddFolder, Folder: filepath.Join(top, "two/notes"), Exclude: &exclude})
	if report.Folder.Name != "birds" || report.Index.Removed != 1 || report.Index.Skipped["excluded"] != 1 {
		t.Errorf("%+v %+v", report, report.Index)
	}
	for _, each := range []struct{ query, in, want string }{
		{"heron in:birds", "", "b.md"}, {"heron in:birds/sub", "", "b.md"}, {"heron -in:birds", "", "a.md"}, {"heron", "notes", "a.md"}, {"in:BIRDS", "", "b.md"},
		{"heron in:birds in:notes", "", ""}, {"heron", filepath.Join(top, "two/notes/sub/b.md"), "b.md"}, {"in:one", "", "query not understood: no folder is called one; there are birds, notes"},
	} {
		var in []string
		if each.in != "" {
			in = []string{each.in}
		}
		want := each.want
		if want == "" {
			want = find("heron")
		}
		if got := find(each.query, in...); got != want {
			t.Errorf("%s in %q: %q, want %q", each.query, each.in, got, want)
		}
	}
	done, err := owner.Complete(t.Context(), engine.CompletionRequest{Line: "in:bi", Cursor: 5})
	if err != nil || len(done.Suggestions) != 1 || done.Suggestions[0].Text != "birds" || done.Suggestions[0].Files != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	change(t, owner, engine.FolderChange{Action: engine.PauseFolder, Folder: "birds"})
	testapp.Require(t, os.Rename(filepath.Join(top, "two"), filepath.Join(top, "three")))
	later, err := app.New()
	testapp.Require(t, err)
	testapp.Require(t, owner.Close())
	owner = testapp.Own(t, later)
	all, err := owner.Folders(t.Context())
	if err != nil || len(all) != 2 || all[0].Name != "birds" || all[0].State != engine.Gone || all[0].Elsewhere != filepath.Join(top, "three/notes") {
		t.Fatalf("%+v, %v", all, err)
	}
	var told []string
	r, err := owner.Search(t.Context(), engine.Request{Query: "heron", K: 9}, func(e engine.Event) { told = append(told, e.Problem) })
	if err != nil || len(r.Stats.Away) != 1 || !slices.Contains(told, r.Stats.Away[0]) || !strings.Contains(r.Stats.Away[0], "dowse folders move birds "+filepath.Join(top, "three/notes")) {
		t.Errorf("%+v, %q, %v", r.Stats.Away, told, err)
	}
	if r, err = owner.Search(t.Context(), engine.Request{Query: "heron -in:birds", K: 9}, nil); err != nil || len(r.Stats.Away) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	moved := change(t, owner, engine.FolderChange{Action: engine.MoveFolder, Folder: "birds", To: filepath.Join(top, "three/notes")})
	if moved.Index.Embedded != 0 || moved.Index.Files != 1 || find("heron in:birds") != "b.md" || states(t, owner) != "birds paused 1, notes unwatched 1" {
		t.Errorf("%+v; %s; %s", moved.Index, find("heron in:birds"), states(t, owner))
	}
}
