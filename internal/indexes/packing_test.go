package indexes_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/testapp"
	"dowse/store"
)

// TestPackIsWholeOrNot: who ends dowse pack finds what was there before, and no trace beside it.
func TestPackIsWholeOrNot(t *testing.T) {
	dir := shelves(t)
	a := anotherHome(t, oldModel)
	owner := testapp.Own(t, a, dir)
	folder := t.TempDir()
	file := filepath.Join(folder, "x.dowse")
	if err := os.WriteFile(file, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	ended := 0
	for after := range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		_, err := owner.Pack(ctx, engine.PackRequest{Folder: dir, File: file}, func(engine.Event) {
			if seen++; seen > after {
				cancel()
			}
		})
		cancel()
		if errors.Is(err, context.Canceled) {
			ended++
		}
		entries, wrong := os.ReadDir(folder)
		data, missing := os.ReadFile(file)
		_, scratch := os.Stat(a.Home.Index() + ".pack")
		if wrong != nil || missing != nil || len(entries) != 1 || err != nil && string(data) != "before" || !os.IsNotExist(scratch) {
			t.Errorf("ended at event %d with %v: %v %v, %d bytes, scratch %v", after, err, entries, wrong, len(data), scratch)
		}
	}
	if ended == 0 {
		t.Error("none was ended")
	}
	for want, req := range map[string]engine.PackRequest{
		"is not indexed":       {Folder: t.TempDir(), File: file},
		"would lie in":         {Folder: dir, File: filepath.Join(dir, "deep.dowse")},
		"could not be written": {Folder: dir, File: filepath.Join(folder, "none", "x.dowse")},
		"no folder is called":  {Folder: "nobody", File: file},
		"no file of it is in":  {Folder: filepath.Join(dir, "left", "none"), File: file},
	} {
		if _, err := owner.Pack(t.Context(), req, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestKilledPackIsErased: the copy of the index that a killed dowse pack leaves goes with the next owner.
func TestKilledPackIsErased(t *testing.T) {
	a := anotherHome(t, oldModel)
	if err := indexOnce(t, a, shelves(t)); err != nil {
		t.Fatal(err)
	}
	left := a.Home.Index() + ".pack"
	data, err := os.ReadFile(a.Home.Index())
	if err == nil {
		err = os.WriteFile(left, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	busy, err := store.Open(left, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err != nil {
		t.Errorf("the copy of a process that is at work is gone: %v", err)
	}
	if _, err := owner.Pack(t.Context(), engine.PackRequest{Folder: firstFolder(t, owner), File: filepath.Join(t.TempDir(), "x")}, nil); err == nil || !strings.Contains(err.Error(), "another dowse pack is at work") {
		t.Errorf("%v", err)
	}
	if err := errors.Join(owner.Close(), busy.Close()); err != nil {
		t.Fatal(err)
	}
	if owner, err = a.OpenOwner(t.Context(), func() {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
	if err := owner.Close(); err != nil {
		t.Error(err)
	}
}
