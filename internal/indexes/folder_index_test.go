package indexes_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
)

// TestNewFolderGoesToItsModelAtOnce: what is indexed for the first time is embedded once, by
// the model of its folder.
func TestNewFolderGoesToItsModelAtOnce(t *testing.T) {
	small(t)
	dir, folder := letters(t, 20)
	owner := testapp.Own(t, gives(t, folder, newModel))
	for range 2 {
		report, err := owner.Index(t.Context(), []string{dir}, nil)
		if err != nil || report.Embedded > 20 {
			t.Fatalf("%+v, %v", report, err)
		}
		if st := statusOf(t, owner); folderModels(st) != "letters new-model> 10" || st.Files != 20 || len(vectorScores(t, owner)) != 20 {
			t.Errorf("%s %+v", folderModels(st), st)
		}
	}
}

// TestBrokenIndexOfFolders: who only reads says what to do; the next owner builds it again, and
// finds all files meanwhile.
func TestBrokenIndexOfFolders(t *testing.T) {
	a := small(t)
	dir, folder := letters(t, 20)
	if err := errors.Join(indexOnce(t, a, dir), indexOnce(t, gives(t, folder, newModel), dir)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(filepath.Dir(a.Home.Index()), "index.folders.db")
	if err := os.WriteFile(path, []byte("this is no index"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Open(t.Context(), indexes.Read); err == nil || !strings.Contains(err.Error(), "run dowse index to build it again") {
		t.Errorf("%v", err)
	}
	a = gives(t, folder, newModel)
	owner := testapp.Own(t, a)
	if report, err := owner.Index(t.Context(), nil, nil); err != nil || report.Files != 20 {
		t.Fatalf("%+v, %v", report, err)
	}
	if st := statusOf(t, owner); folderModels(st) != "letters new-model> 10" || len(vectorScores(t, owner)) != 20 {
		t.Errorf("%s, %d found", folderModels(st), len(vectorScores(t, owner)))
	}
}

// TestConversationOverTwoModels: a question goes on with one whose answer lies in the other
// index.
func TestConversationOverTwoModels(t *testing.T) {
	a := small(t)
	dir := testapp.Notes(t, map[string]string{"notes/a.md": "# Boiler\n\nThe boiler failed in March.\n", "letters/b.md": "# Plumber\n\nThe plumber mended the boiler in April.\n"})
	owner := testapp.Own(t, a, dir)
	gives(t, filepath.Join(dir, "letters"), newModel)
	if _, err := owner.FollowModel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Index(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{"when did the boiler fail", "and who mended it", "was it in april"} {
		r, err := owner.Search(t.Context(), engine.Request{Query: question, K: 5, Context: "boiler", Mode: engine.Hybrid}, nil)
		if err != nil || !strings.Contains(testapp.Names(r), "a.md") || !strings.Contains(testapp.Names(r), "b.md") || r.Context == nil || r.Context.Problem != "" {
			t.Errorf("%s: %+v, %v", question, r, err)
		}
	}
}
