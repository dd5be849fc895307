package indexes_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
	"dowse/internal/testwait"
)

// anotherHome is a dowse with a home of its own that has both small models and uses one of them.
func anotherHome(t *testing.T, model string) *app.App {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("DOWSE_HOME", t.TempDir())
	installSmall(t, chooses(t, model))
	return chooses(t, model)
}

// packOf writes the pack of an indexed folder.
func packOf(t *testing.T, s engine.Service, folder string, noText bool) (string, *engine.PackReport) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.dowse")
	report, err := s.Pack(t.Context(), engine.PackRequest{Folder: folder, File: file, NoText: noText}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file, report
}

// adds is dowse folders add.
func adds(t *testing.T, s engine.Service, path string) *engine.FolderReport {
	t.Helper()
	report, err := s.ChangeFolder(t.Context(), engine.FolderChange{Action: engine.AddFolder, Folder: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// shelves are two folders of notes, of which some share words.
func shelves(t *testing.T) string {
	t.Helper()
	return testapp.Notes(t, shelvesIn("left", "right"))
}

// shelvesIn are those notes in turn in some folders.
func shelvesIn(folders ...string) map[string]string {
	files := map[string]string{}
	for i := range 30 { // fewer chunks than candidates: equal scores are in any order
		files[fmt.Sprintf("%s/deep/%02d.md", folders[i%len(folders)], i)] = fmt.Sprintf("# Note %d\n\nheron %d stood in lake %d and waited\n\n## Then\n\n%s\n", i, i*7%30, i*i%31, strings.Repeat("the tide came ", i%5))
	}
	return files
}

// all says everything that a result says of its passages, by the names of files.
func all(t *testing.T, s engine.Searcher, mode engine.Mode) string {
	t.Helper()
	var out []string
	for _, query := range []string{birdQuestion, "tide", "lake 4"} {
		r, err := s.Search(t.Context(), engine.Request{Query: query, K: 200, Mode: mode}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Passages {
			out = append(out, fmt.Sprintf("%s %s:%d-%d %x %x %q %q %v", query, filepath.Base(p.Path), p.LineStart, p.LineEnd, p.Score, p.LexicalScore, p.Heading, p.Text, p.Stale))
		}
	}
	if len(out) < 80 {
		t.Fatalf("found %d", len(out))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// sameLines tells of the first line that differs.
func sameLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Errorf("%s\nwant\n%s", g[i], w[i])
			return
		}
	}
	if len(g) != len(w) {
		t.Errorf("%d lines, want %d", len(g), len(w))
	}
}

// Cosines of joined indexes are on another scale than those of one; the scores that come of them are not.
var unreranked = []engine.Mode{engine.Lexical, engine.Hybrid}

// TestPackRanksAsItsFolder: a folder and a pack of another are searched as if both were indexed here, to the bit, on a
// machine that has none of the packed files.
func TestPackRanksAsItsFolder(t *testing.T) {
	a := anotherHome(t, oldModel)
	dir := shelves(t)
	whole := testapp.Own(t, a, dir)
	want := map[engine.Mode]string{}
	for _, mode := range unreranked {
		want[mode] = all(t, whole, mode)
	}
	left, report := packOf(t, whole, filepath.Join(dir, "left"), false)
	if report.Files != 15 || report.Stale+report.Secrets != 0 || report.Name != "left" || report.Model != oldModel || report.Bytes == 0 {
		t.Errorf("%+v", report)
	}
	if err := os.RemoveAll(filepath.Join(dir, "left")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(left)
	if err != nil || bytes.Contains(data, []byte(dir)) || bytes.Contains(data, []byte("right")) {
		t.Errorf("the pack tells where its folder lay, or of others: %v", err)
	}
	owner := testapp.Own(t, anotherHome(t, oldModel), filepath.Join(dir, "right"))
	added := adds(t, owner, left)
	if added.Folder.Name != "left" || added.Pack == nil || added.Pack.Files != 15 || added.Pack.Why != "" {
		t.Errorf("%+v %+v", added, added.Pack)
	}
	for _, mode := range unreranked {
		sameLines(t, all(t, owner, mode), want[mode])
	}
	r, err := owner.Search(t.Context(), engine.Request{Query: "in:left heron", K: 3}, nil)
	if err != nil || len(r.Passages) != 3 || r.Passages[0].Pack != left || !strings.HasPrefix(r.Passages[0].Path, left+"/deep/") {
		t.Fatalf("%+v, %v", r, err)
	}
	p := r.Passages[0]
	preview, err := owner.Preview(t.Context(), p, 2, 2)
	if err != nil || !strings.Contains(strings.Join(preview.Lines, "\n"), strings.TrimSpace(p.Text)) {
		t.Errorf("%+v, %v", preview, err)
	}
	if text, err := owner.Read(t.Context(), engine.ReadRequest{Path: p.Path}); err != nil || !strings.Contains(text.Text, p.Text) {
		t.Errorf("%+v, %v", text, err)
	}
	related, err := owner.Related(t.Context(), engine.RelatedRequest{Path: p.Path, Line: p.LineStart, K: 4}, nil)
	if err != nil || len(related.Passages) != 4 {
		t.Errorf("%+v, %v", related, err)
	}
	if check, err := owner.Check(t.Context(), func(e engine.Event) { t.Error(e.Problem) }); err != nil || check.Files != 30 {
		t.Errorf("%+v, %v", check, err)
	}
	if st := statusOf(t, owner); st.Files != 30 || len(st.Named) != 2 || st.Named[0].State != engine.Packed {
		t.Errorf("%+v", st)
	}
}

// TestPackIsForgotten: nothing is left of a pack that is removed, and its file is as it was.
func TestPackIsForgotten(t *testing.T) {
	dir := shelves(t)
	file, _ := packOf(t, testapp.Own(t, anotherHome(t, oldModel), dir), filepath.Base(dir), false)
	a := anotherHome(t, oldModel)
	owner := testapp.Own(t, a)
	adds(t, owner, file)
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range []engine.FolderAction{engine.MoveFolder, engine.PauseFolder} {
		if _, err := owner.ChangeFolder(t.Context(), engine.FolderChange{Action: action, Folder: file, To: t.TempDir()}, nil); err == nil || !strings.Contains(err.Error(), "is a pack, which does not change") {
			t.Errorf("%s: %v", action, err)
		}
	}
	if _, err := owner.ChangeFolder(t.Context(), engine.FolderChange{Action: engine.RenameFolder, Folder: file, To: "shelf"}, nil); err != nil {
		t.Fatal(err)
	}
	if r := testapp.Search(t, owner, "in:shelf heron"); len(r.Passages) != 10 {
		t.Errorf("%+v", r)
	}
	report, err := owner.ChangeFolder(t.Context(), engine.FolderChange{Action: engine.RemoveFolder, Folder: "shelf"}, nil)
	if err != nil || report.Pack == nil || report.Pack.Files != 30 {
		t.Fatalf("%+v, %v", report, err)
	}
	if r := testapp.Search(t, owner, "heron"); len(r.Passages) != 0 {
		t.Errorf("%+v", r)
	}
	after, err := os.ReadFile(file)
	settings, wrong := os.ReadFile(a.Home.ConfigFile())
	if err = errors.Join(err, wrong); err != nil || !bytes.Equal(before, after) || bytes.Contains(settings, []byte(file)) {
		t.Errorf("%v, settings:\n%s", err, settings)
	}
	if list, err := owner.Folders(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestPackOfAnotherModel is searched by words, and says so.
func TestPackOfAnotherModel(t *testing.T) {
	dir := shelves(t)
	file, _ := packOf(t, testapp.Own(t, anotherHome(t, oldModel), dir), dir, false)
	owner := testapp.Own(t, anotherHome(t, newModel), birdNotes(t, 20))
	const why = "is embedded by old-model, and this index by new-model; a pack that is made with that model is searched by meaning too"
	if added := adds(t, owner, file); !strings.HasSuffix(added.Pack.Why, why) || added.Pack.Model != "" {
		t.Errorf("%+v", added.Pack)
	}
	r := testapp.Search(t, owner, "heron tide")
	packed := 0
	for _, p := range r.Passages {
		if p.Pack != "" {
			packed++
		}
	}
	if packed == 0 || !strings.HasSuffix(r.Stats.ByWords, why) {
		t.Errorf("%d of the pack, %q", packed, r.Stats.ByWords)
	}
}

// TestPackLeavesOut: files that changed since they were indexed, and files with secrets, do not travel; nor do traces of
// them.
func TestPackLeavesOut(t *testing.T) {
	a := anotherHome(t, oldModel)
	a.Config.Extract.Secrets = true
	const key = "Zw7Qx9unguessable"
	dir := testapp.Notes(t, map[string]string{
		"a.md": "# Boats\n\nthe boat\n", "b.md": "changed later zanzibar\n", "gone.md": "gone timbuktu\n",
		"prod.env": "# notes on ouagadougou\nDB_PASSWORD=" + key + "\n",
	})
	owner := testapp.Own(t, a, dir)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "b.md"), []byte("another text"), 0o600), os.Remove(filepath.Join(dir, "gone.md"))); err != nil {
		t.Fatal(err)
	}
	for _, noText := range []bool{false, true} {
		file, report := packOf(t, owner, dir, noText)
		if report.Secrets != 1 || !noText && (report.Files != 1 || report.Stale != 2) {
			t.Errorf("%+v", report)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{key, "ouagadougou", "prod.env", dir} {
			if bytes.Contains(data, []byte(word)) {
				t.Errorf("the pack has %q", word)
			}
		}
	}
}

// TestPackWithoutText is searched with the files of a folder of this machine.
func TestPackWithoutText(t *testing.T) {
	dir := shelves(t)
	first := testapp.Own(t, anotherHome(t, oldModel), dir)
	want := all(t, first, engine.Hybrid)
	file, report := packOf(t, first, dir, true)
	data, err := os.ReadFile(file)
	if err != nil || !report.NoText || bytes.Contains(data, []byte("waited\n")) {
		t.Errorf("%+v, %v", report, err)
	}
	owner := testapp.Own(t, anotherHome(t, oldModel))
	add := engine.FolderChange{Action: engine.AddFolder, Folder: file}
	if _, err := owner.ChangeFolder(t.Context(), add, nil); err == nil || !strings.Contains(err.Error(), "has no text; name the folder of this machine that has its files with --files DIR") {
		t.Errorf("%v", err)
	}
	add.Files = dir
	if _, err := owner.ChangeFolder(t.Context(), add, nil); err != nil {
		t.Fatal(err)
	}
	sameLines(t, all(t, owner, engine.Hybrid), want)
	if r := testapp.Search(t, owner, "heron"); r.Passages[0].Pack != "" || !strings.HasPrefix(r.Passages[0].Path, dir+"/") {
		t.Errorf("%+v", r.Passages[0])
	}
}

// TestDamagedPack is not searched: who adds it is told what is wrong, and what else there is goes on.
func TestDamagedPack(t *testing.T) {
	dir := shelves(t)
	file, _ := packOf(t, testapp.Own(t, anotherHome(t, oldModel), dir), dir, false)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	owner, err := anotherHome(t, oldModel).OpenOwner(t.Context(), func() {})
	if err == nil {
		_, err = owner.Index(t.Context(), []string{birdNotes(t, 20)}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	for want, data := range map[string][]byte{
		"is damaged": flipped, "is no pack, or only the beginning of one": good[:len(good)/2], "copy it again, or make one": {},
	} {
		bad := filepath.Join(t.TempDir(), "bad.dowse")
		if err := os.WriteFile(bad, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := owner.ChangeFolder(t.Context(), engine.FolderChange{Action: engine.AddFolder, Folder: bad}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), bad) {
			t.Errorf("%d bytes: %v", len(data), err)
		}
	}
	adds(t, owner, file)
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	for state, change := range map[engine.State]func() error{
		engine.Refused: func() error { return os.WriteFile(file, flipped, 0o600) },
		engine.Gone:    func() error { return os.Remove(file) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		reader, err := chooses(t, oldModel).Open(t.Context(), indexes.Read)
		if err != nil {
			t.Fatal(err)
		}
		r := testapp.Search(t, reader, "heron")
		list, err := reader.Folders(t.Context())
		if err != nil || len(r.Passages) != 10 || len(r.Stats.Away) != 1 || !strings.Contains(r.Stats.Away[0], "it is not searched, and dowse folders remove") || len(list) != 2 {
			t.Errorf("%s: %+v %+v, %v", state, r.Stats, list, err)
		}
		for _, f := range list {
			if f.Pack && f.State != state {
				t.Errorf("%+v, want %s", f, state)
			}
		}
		if check, err := reader.Check(t.Context(), nil); err != nil || check.Problems != 1 {
			t.Errorf("%+v, %v", check, err)
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestReplacedPackIsSeen: a process that has a pack open follows the one that takes its place.
func TestReplacedPackIsSeen(t *testing.T) {
	maker := testapp.Own(t, anotherHome(t, oldModel), birdNotes(t, 10))
	file, _ := packOf(t, maker, firstFolder(t, maker), false)
	dir := shelves(t)
	if _, err := maker.Index(t.Context(), []string{dir}, nil); err != nil {
		t.Fatal(err)
	}
	owner := testapp.Own(t, anotherHome(t, oldModel))
	adds(t, owner, file)
	if st := statusOf(t, owner); st.Files != 10 {
		t.Fatalf("%+v", st)
	}
	if _, err := maker.Pack(t.Context(), engine.PackRequest{Folder: dir, File: file}, nil); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "the new pack is searched", func() bool { testapp.Search(t, owner, "tide"); return statusOf(t, owner).Files == 30 })
}

// firstFolder is the path of the one folder that is indexed.
func firstFolder(t *testing.T, s engine.Service) string {
	t.Helper()
	list, err := s.Folders(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	return list[0].Path
}
