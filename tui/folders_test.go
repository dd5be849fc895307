package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

// fakeFolders keeps folders in memory.
type fakeFolders struct {
	folders []engine.Folder
	changes []engine.FolderChange // that were asked for
	refuses error                 // of every change
}

// Folders implements engine.FolderKeeper.
func (f *fakeFolders) Folders(context.Context) ([]engine.Folder, error) {
	return slices.Clone(f.folders), nil
}

// ChangeFolder implements engine.FolderKeeper.
func (f *fakeFolders) ChangeFolder(_ context.Context, change engine.FolderChange, _ func(engine.Event)) (*engine.FolderReport, error) {
	f.changes = append(f.changes, change)
	if f.refuses != nil {
		return nil, f.refuses
	}
	at := slices.IndexFunc(f.folders, func(of engine.Folder) bool { return of.Path == change.Folder })
	report := &engine.FolderReport{}
	switch change.Action {
	case engine.RemoveFolder:
		f.folders = slices.Delete(f.folders, at, at+1)
	case engine.RenameFolder:
		f.folders[at].Name = change.To
	case engine.PauseFolder:
		f.folders[at].State = engine.Paused
	case engine.ResumeFolder:
		f.folders[at].State = engine.Fresh
	case engine.AddFolder:
		f.folders = append(f.folders, engine.Folder{NamedFolder: engine.NamedFolder{Name: filepath.Base(change.Folder), Path: change.Folder}, State: engine.Fresh, Files: 3})
		report.Index = &engine.IndexReport{Files: 3, Chunks: 8}
	}
	return report, nil
}

// keptFolders are three folders, of which one is away and one is paused.
func keptFolders() []engine.Folder {
	return []engine.Folder{
		{
			NamedFolder: engine.NamedFolder{Name: "mail", Path: "/home/ada/mail"}, Files: 1204, Chunks: 9120, Bytes: 84_000_000,
			Model: "dowse-embed-6", State: engine.Paused, Newest: time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC),
		},
		{
			NamedFolder: engine.NamedFolder{Name: "notes", Path: "/home/ada/notes"}, Files: 5, Chunks: 5, Bytes: 2345, Model: "dowse-embed-6",
			State: engine.Fresh, Newest: time.Date(1999, 12, 31, 21, 0, 0, 0, time.UTC), Skipped: map[string]int{"binary": 3, "too large": 1},
		},
		{
			NamedFolder: engine.NamedFolder{Name: "old notes", Path: "/mnt/disk/old notes"}, Files: 12, Chunks: 40, Bytes: 9000,
			State: engine.Gone, Why: "is not there any more", Elsewhere: "/home/ada/archive/old notes",
		},
	}
}

// foldersScreen opens the list of folders.
func foldersScreen(s *screen) {
	s.fake.folders = keptFolders()
	s.press("f12")
}

// TestFolderList: folders are found, searched, renamed, paused and erased.
func TestFolderList(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.typed("dns cache")
		foldersScreen(s)
		s.shows("mail", "paused", "~/notes", "left out: binary 3, too large 1", "gone", "the same files lie in ~/archive/old notes", "3 folders", "F8 erase")
		s.typed("old")
		s.shows("old notes", "1 of 3 folders")
		s.hides("mail")
		s.press("ctrl+u", "down", "enter")
		s.shows(" ❯ dns cache in:notes")
		s.press("f12", "down", "enter") // it stays, also where the rule has no names
		s.shows(" ❯ dns cache in:notes")
		s.press("f12", "down", "f6")
		s.shows(" name ❯ notes")
		s.press("ctrl+u")
		s.typed("lab book")
		s.press("enter")
		s.shows("/home/ada/notes is called lab book", "▌  lab book")
		s.press("alt+u")
		s.shows("lab book is left alone")
		s.press("alt+u", "f8", "enter") // another key keeps it
		s.shows("lab book")
		s.press("f8")
		s.shows("erase it from the index? Its own files stay. y erases")
		s.press("esc")
		s.shows("lab book")
		s.typed("lab")
		s.press("f8")
		s.typed("y")
		s.shows("lab book is erased from the index", "old notes", "mail")
		s.pass(noticeTime + time.Second)
		s.shows("2 folders")
		s.press("esc")
		s.shows(" ❯ dns cache in:notes")
		var did []engine.FolderAction
		for _, c := range s.fake.changes {
			did = append(did, c.Action)
		}
		if want := []engine.FolderAction{engine.RenameFolder, engine.PauseFolder, engine.ResumeFolder, engine.RemoveFolder}; !slices.Equal(did, want) {
			t.Errorf("the changes are %v, want %v", did, want)
		}
	})
}

// TestFolderIsAdded: a path that is typed is completed and indexed; what is no folder is said.
func TestFolderIsAdded(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"letters", "ledger", "zoo"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	withScreen(t, 110, 24, Options{Choose: true}, func(t *testing.T, s *screen) {
		s.hides("No folder") // the index has one
		s.model.status = nil
		s.fake.status.Files, s.fake.status.Roots = 0, nil
		s.send(statusDone{&s.fake.status, nil})
		s.press("esc")
		s.shows("Press alt-g or F12")
		s.press("alt+g")
		s.shows("No folder is indexed yet.", "tab completes it")
		s.typed(dir + "/nowhere")
		s.press("enter")
		s.shows("there is no folder")
		s.press("ctrl+u")
		s.typed(dir + "/l")
		s.press("tab")
		s.typed("t")
		s.press("tab")
		s.shows("/letters/", "index the folder")
		s.press("enter")
		s.shows("letters is indexed: 3 files, 8 passages", "▌  letters")
		if len(s.fake.changes) != 1 || s.fake.changes[0].Folder != filepath.Join(dir, "letters") {
			t.Errorf("the changes are %+v", s.fake.changes)
		}
		s.fake.refuses = errors.New("it lies within another folder")
		s.typed(dir + "/zoo")
		s.press("enter")
		s.shows("it lies within another folder")
	})
}

func TestCompleteFolder(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"notes/garden", "notes/.git", "novels", "mail", "été", "étage"} {
		if err := os.MkdirAll(filepath.Join(home, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "note.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"m": "~/mail/", "n": "~/no", "not": "~/notes/", "notes": "~/notes/garden/", "ét": "~/ét", "x": "~/x", "notes/.g": "~/notes/.git/",
	} {
		if got := completeFolder(filepath.Join(home, typed), home); got != want {
			t.Errorf("%s is completed to %s, want %s", typed, got, want)
		}
	}
	if got := completeFolder("/nowhere/at/all", home); !strings.HasPrefix(got, "/nowhere") {
		t.Errorf("/nowhere/at/all is completed to %s", got)
	}
}
