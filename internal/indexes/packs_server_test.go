package indexes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/testapp"
	"dowse/internal/testpostgres"
	"dowse/internal/testwait"
)

// publishes is dowse pack FOLDER -o ADDRESS.
func publishes(t *testing.T, s engine.Service, folder, address string) *engine.PackReport {
	t.Helper()
	report, err := s.Pack(t.Context(), engine.PackRequest{Folder: folder, File: address}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestServerPackRanksAsItsFolder: what TestPackRanksAsItsFolder says holds of a pack on a server too. What
// is published again is found, of it the changed records alone are sent, and a server that is away costs its
// own results alone.
func TestServerPackRanksAsItsFolder(t *testing.T) {
	programs := testpostgres.Folders(t)
	server := testpostgres.Start(t, programs[len(programs)-1])
	dir := shelves(t)
	whole := testapp.Own(t, anotherHome(t, oldModel), dir)
	want := map[engine.Mode]string{}
	for _, mode := range unreranked {
		want[mode] = all(t, whole, mode)
	}
	first := publishes(t, whole, filepath.Join(dir, "left"), server.Address())
	if first.File != server.Address()+"#left" || first.Files != 15 || first.Bytes == 0 {
		t.Errorf("%+v", first)
	}
	if again := publishes(t, whole, filepath.Join(dir, "left"), server.Address()); again.Bytes > first.Bytes/4 {
		t.Errorf("%d bytes of %d are sent of what did not change", again.Bytes, first.Bytes)
	}
	owner := testapp.Own(t, anotherHome(t, oldModel), filepath.Join(dir, "right"))
	added := adds(t, owner, server.Address())
	if added.Folder.Name != "left" || added.Pack == nil || added.Pack.Files != 15 || added.Pack.Why != "" {
		t.Errorf("%+v %+v", added, added.Pack)
	}
	for _, mode := range unreranked {
		sameLines(t, all(t, owner, mode), want[mode])
	}
	r := testapp.Search(t, owner, "in:left heron")
	if len(r.Passages) == 0 || r.Passages[0].Pack != first.File {
		t.Fatalf("%+v", r)
	}
	if text, err := owner.Read(t.Context(), engine.ReadRequest{Path: r.Passages[0].Path}); err != nil || !strings.Contains(text.Text, r.Passages[0].Text) {
		t.Errorf("%+v, %v", text, err)
	}
	if check, err := owner.Check(t.Context(), func(e engine.Event) { t.Error(e.Problem) }); err != nil || check.Files != 30 {
		t.Errorf("%+v, %v", check, err)
	}

	testapp.Require(t, os.WriteFile(filepath.Join(dir, "left", "news.md"), []byte("a kingfisher came\n"), 0o600))
	if _, err := whole.Index(t.Context(), []string{dir}, nil); err != nil {
		t.Fatal(err)
	}
	publishes(t, whole, filepath.Join(dir, "left"), first.File)
	testwait.Until(t, "what is published again is found", func() bool {
		return strings.Contains(testapp.Names(testapp.Search(t, owner, "kingfisher")), "news.md")
	})

	server.Kill()
	testwait.Until(t, "a server that is away is named, and the rest is found", func() bool {
		r := testapp.Search(t, owner, "heron")
		return len(r.Passages) > 0 && len(r.Stats.Away) == 1 && strings.Contains(r.Stats.Away[0], "cannot be reached")
	})
	server.Restart()
	testwait.Until(t, "the server is asked again", func() bool {
		r := testapp.Search(t, owner, "kingfisher")
		return len(r.Stats.Away) == 0 && strings.Contains(testapp.Names(r), "news.md")
	})
	if _, err := owner.ChangeFolder(t.Context(), engine.FolderChange{Action: engine.RemoveFolder, Folder: "left"}, nil); err != nil {
		t.Fatal(err)
	}
	if r := testapp.Search(t, owner, "kingfisher"); strings.Contains(testapp.Names(r), "news.md") {
		t.Error("a pack that was removed is searched")
	}
}

// TestServerPackRefusals: no password reaches the settings, and a database with several packs is asked which.
func TestServerPackRefusals(t *testing.T) {
	a := anotherHome(t, oldModel)
	owner := testapp.Own(t, a, shelves(t))
	for _, address := range []string{"postgres://me:sesame@host/db#x", "postgres:host=h password=sesame#x", "postgres://host/db?password=sesame#x"} {
		_, err := owner.ChangeFolder(t.Context(), engine.FolderChange{Action: engine.AddFolder, Folder: address}, nil)
		if err == nil || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), "PGPASSWORD") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if text, err := os.ReadFile(a.Home.ConfigFile()); err == nil && strings.Contains(string(text), "sesame") {
		t.Error("the settings have a password")
	}
}
