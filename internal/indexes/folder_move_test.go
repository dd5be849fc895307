package indexes_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/config"
	"dowse/internal/indexes"
	"dowse/internal/registry"
	"dowse/internal/testapp"
	"dowse/internal/testwait"
)

// letters are notes, half of them in a folder of letters.
func letters(t *testing.T, n int) (dir, folder string) {
	t.Helper()
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("%s/n%03d.md", []string{"notes", "letters"}[i%2], i)] = fmt.Sprintf("# Note %d\n\nheron %d stood in lake %d\n", i, i*7%n, i*i%101)
	}
	dir = testapp.Notes(t, files)
	return dir, filepath.Join(dir, "letters")
}

// gives gives a folder a model, or with registry.DefaultForFolder that of the rest.
func gives(t *testing.T, folder, model string) *app.App {
	t.Helper()
	a, err := app.New()
	if err == nil {
		err = a.UseFolderModel(folder, model)
	}
	if err != nil {
		t.Fatal(err)
	}
	if a, err = app.New(); err != nil {
		t.Fatal(err)
	}
	return a
}

// small is a home with two small embedders, of which the rest has the old one.
func small(t *testing.T) *app.App {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("DOWSE_HOME", t.TempDir())
	a := chooses(t, oldModel)
	installSmall(t, a)
	return a
}

func statusOf(t *testing.T, s engine.Searcher) *engine.Status {
	t.Helper()
	st, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// folderModels says which model each folder has, and what it moves to.
func folderModels(st *engine.Status) string {
	var out []string
	for _, f := range st.Folders {
		out = append(out, fmt.Sprintf("%s %s>%s %d", filepath.Base(f.Folder), f.Model, f.To, f.Files))
	}
	return strings.Join(out, ", ")
}

// findsAll searches for each note by words, again and again until end is called: none is
// ever missing, nor there twice. The first is found when it returns.
func findsAll(t *testing.T, s engine.Searcher, n int) (end func() (searches int)) {
	ctx, cancel := context.WithCancel(t.Context())
	var searching sync.WaitGroup
	searches, found := 0, make(chan struct{})
	begun := sync.OnceFunc(func() { close(found) })
	searching.Go(func() {
		defer begun()
		for i := 0; ctx.Err() == nil; i++ {
			r, err := s.Search(ctx, engine.Request{Query: fmt.Sprintf("%q", fmt.Sprintf("heron %d stood", i%n)), K: 9}, nil)
			switch {
			case ctx.Err() != nil:
			case err != nil:
				t.Errorf("a search failed: %v", err)
				return
			case len(r.Passages) != 1:
				t.Errorf("heron %d is found %d times: %s", i%n, len(r.Passages), testapp.Names(r))
				return
			default:
				searches++
				begun()
			}
		}
	})
	<-found
	return func() int {
		cancel()
		searching.Wait()
		return searches
	}
}

// TestFolderWithAModelOfItsOwn gives a folder another embedder and takes it back, while
// somebody searches: each note is found once at any time, each folder's passages have the
// vectors of its model, and at the end all is as it was.
func TestFolderWithAModelOfItsOwn(t *testing.T) {
	a := small(t)
	const n = 80
	dir, folder := letters(t, n)
	owner := testapp.Own(t, a, dir)
	before, shared, weights := ranked(t, owner, birdQuestion), owner.Stack().Models.Memory.Shared(), weightsOf(t, owner)
	bytes := statusOf(t, owner).Chunks

	gives(t, folder, newModel)
	if _, err := owner.FollowModel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := folderModels(statusOf(t, owner)); got != "letters old-model>new-model 40" {
		t.Fatal(got)
	}
	end := findsAll(t, owner, n)
	report, err := owner.Index(t.Context(), nil, nil)
	searches := end()
	if err != nil || report.Files != n || report.Embedded < n/2 || searches == 0 {
		t.Fatalf("%+v, %v, %d searches", report, err, searches)
	}
	st := statusOf(t, owner)
	if got := folderModels(st); got != "letters new-model> 40" || st.Files != n || st.Chunks != bytes || st.Model != oldModel || !slices.Contains(st.Roots, dir) {
		t.Fatalf("%s %+v", got, st)
	}
	if check, err := owner.Check(t.Context(), nil); err != nil || check.Problems > 0 || check.Files != n {
		t.Errorf("%+v, %v", check, err)
	}
	// Vectors of letters are those of the new model: an index that it built alone says so.
	both := vectorScores(t, owner)
	byNew := alone(t, newModel, dir)
	byOld := alone(t, oldModel, dir)
	for path, score := range both {
		want := byOld[path]
		if strings.Contains(path, "/letters/") {
			want = byNew[path]
		}
		if score != want {
			t.Errorf("%s: %s, want %s", path, score, want)
		}
	}
	if len(both) != n {
		t.Errorf("%d of %d notes are ranked by meaning", len(both), n)
	}
	if report, err = owner.Index(t.Context(), nil, nil); err != nil || report.Embedded != 0 || report.Files != n {
		t.Errorf("the next run: %+v, %v", report, err)
	}

	gives(t, folder, registry.DefaultForFolder)
	if _, err := owner.FollowModel(t.Context()); err != nil {
		t.Fatal(err)
	}
	end = findsAll(t, owner, n)
	report, err = owner.Index(t.Context(), nil, nil)
	end()
	if err != nil || report.Files != n {
		t.Fatalf("%+v, %v", report, err)
	}
	if got := folderModels(statusOf(t, owner)); got != "" || ranked(t, owner, birdQuestion) != before {
		t.Errorf("taken back: %s\n%s", got, ranked(t, owner, birdQuestion))
	}
	if got, held := owner.Stack().Models.Memory.Shared(), weightsOf(t, owner); got != shared || held != weights {
		t.Errorf("%d bytes are free and weights take %d, want %d and %d", got, held, shared, weights)
	}
	if left, err := filepath.Glob(filepath.Join(a.Home.Data, "*.folders.*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// vectorScores are those of all notes, by path.
func vectorScores(t *testing.T, s engine.Searcher) map[string]string {
	t.Helper()
	r, err := s.Search(t.Context(), engine.Request{Query: birdQuestion, K: 500, Mode: engine.Vector}, nil)
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]string{}
	for _, p := range r.Passages {
		scores[p.Path] = fmt.Sprintf("%.4f", p.VectorScore)
	}
	return scores
}

// alone indexes a folder with one model in another home. Scores are brought to the scale of
// an index with several models.
func alone(t *testing.T, model, dir string) map[string]string {
	t.Helper()
	data := os.Getenv("DOWSE_HOME")
	defer os.Setenv("DOWSE_HOME", data)  //nolint:errcheck,usetesting // t.Setenv would last
	os.Setenv("DOWSE_HOME", t.TempDir()) //nolint:errcheck,usetesting // the same
	a := chooses(t, model)
	installSmall(t, a)
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close() //nolint:errcheck // it is thrown away
	if _, err := owner.Index(t.Context(), []string{dir}, nil); err != nil {
		t.Fatal(err)
	}
	r, err := owner.Search(t.Context(), engine.Request{Query: birdQuestion, K: 500, Mode: engine.Vector}, nil)
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]string{}
	for _, p := range r.Passages {
		scores[p.Path] = fmt.Sprintf("%.4f", owner.Stack().Models.Cosines.Of(p.VectorScore))
	}
	return scores
}

// TestWatcherMovesFolders: a process that watches moves a folder when it is told, follows
// its files by the new model, and the files of the others; a folder that is named for the
// first time goes to its model at once.
func TestWatcherMovesFolders(t *testing.T) {
	a := small(t)
	dir, folder := letters(t, 20)
	owner := testapp.Own(t, a, dir)
	ctx, cancel := context.WithCancel(t.Context())
	watching := make(chan error, 1)
	go func() { watching <- owner.Watch(ctx, nil, func(engine.Event) {}) }()
	defer func() {
		cancel()
		if err := <-watching; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}()
	follow := func(model, want string) {
		t.Helper()
		if _, err := gives(t, folder, model).FollowModel(t.Context()); err != nil { // over the socket
			t.Fatal(err)
		}
		testwait.Until(t, "the folder has "+model, func() bool {
			st := statusOf(t, owner)
			return folderModels(st) == want && st.Watching && st.Files == 20 && st.Lacking == 0
		})
	}
	follow(newModel, "letters new-model> 10")
	for i, place := range []string{folder, filepath.Join(dir, "notes")} {
		if err := os.WriteFile(filepath.Join(place, "late.md"), []byte(fmt.Sprintf("# Late\n\nThe osprey came late, %d.\n", i)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	testwait.Until(t, "the new files are found", func() bool {
		r := testapp.Search(t, owner, `"osprey came late"`)
		return len(r.Passages) == 2 && statusOf(t, owner).Files == 22 && folderModels(statusOf(t, owner)) == "letters new-model> 11"
	})
	for _, place := range []string{folder, filepath.Join(dir, "notes")} {
		if err := os.Remove(filepath.Join(place, "late.md")); err != nil {
			t.Fatal(err)
		}
	}
	testwait.Until(t, "they are gone", func() bool { return statusOf(t, owner).Files == 20 })
	follow(registry.DefaultForFolder, "")
	other := testapp.Notes(t, map[string]string{"a.md": "# A\n\nThe kestrel hovered.\n"})
	if _, err := gives(t, other, newModel).FollowModel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if report, err := owner.Index(t.Context(), []string{other}, nil); err != nil || report.Files != 1 || report.Embedded != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	if st := statusOf(t, owner); st.Files != 21 || folderModels(st) != filepath.Base(other)+" new-model> 1" || !slices.Contains(st.Roots, other) {
		t.Errorf("%s %+v", folderModels(st), st.Roots)
	}
	related, err := owner.Related(t.Context(), engine.RelatedRequest{Path: filepath.Join(other, "a.md")}, nil)
	if err != nil || len(related.Passages) != 0 { // it is alone with its model
		t.Errorf("%+v, %v", related, err)
	}
}

// TestFolderWhoseModelIsGone is searched by words, said, by those that only read too; with
// the model of the rest it is whole again.
func TestFolderWhoseModelIsGone(t *testing.T) {
	a := small(t)
	dir, folder := letters(t, 20)
	if err := errors.Join(indexOnce(t, a, dir), indexOnce(t, gives(t, folder, newModel), dir)); err != nil {
		t.Fatal(err)
	}
	if err := a.RemoveModel(newModel); err != nil {
		t.Fatal(err)
	}
	for _, access := range []indexes.Access{indexes.Read, indexes.Own} {
		s, err := a.Open(t.Context(), access)
		if err != nil {
			t.Fatal(err)
		}
		var problems []string
		r, err := s.Search(t.Context(), engine.Request{Query: "heron stood in lake", K: 30}, func(e engine.Event) {
			if e.Problem != "" {
				problems = append(problems, e.Problem)
			}
		})
		if err != nil || len(r.Passages) != 20 || len(problems) != 1 || !strings.Contains(problems[0], folder+" is built with the model new-model, which is not installed") {
			t.Errorf("%v, %q", err, problems)
		}
		st := statusOf(t, s)
		if len(st.Folders) != 1 || st.Folders[0].Model != "" || st.Folders[0].Files != 10 || !strings.Contains(st.Folders[0].Problem, "not installed") {
			t.Errorf("%+v", st.Folders)
		}
		if access == indexes.Own {
			if _, err := s.Index(t.Context(), nil, nil); err != nil { // the others go on
				t.Error(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	owner := testapp.Own(t, gives(t, folder, registry.DefaultForFolder), dir)
	if st := statusOf(t, owner); len(st.Folders) != 0 || st.Files != 20 || len(vectorScores(t, owner)) != 20 {
		t.Errorf("%+v", st)
	}
}

// TestBothModelsChange: the folder's and that of the rest, in any order.
func TestBothModelsChange(t *testing.T) {
	a := small(t)
	dir, folder := letters(t, 20)
	owner := testapp.Own(t, a, dir)
	for i, step := range []struct{ rest, folder, want string }{
		{oldModel, newModel, "letters new-model> 10"},
		{newModel, newModel, ""}, // of the rest too: nothing of its own
		{oldModel, newModel, "letters new-model> 10"},
		{newModel, oldModel, "letters old-model> 10"},
		{newModel, registry.DefaultForFolder, ""},
	} {
		chooses(t, step.rest)
		gives(t, folder, step.folder)
		if _, err := owner.FollowModel(t.Context()); err != nil {
			t.Fatal(err)
		}
		if report, err := owner.Index(t.Context(), nil, nil); err != nil || report.Files != 20 {
			t.Fatalf("%d: %+v, %v", i, report, err)
		}
		if st := statusOf(t, owner); folderModels(st) != step.want || st.Files != 20 || st.Model != step.rest || st.Change != nil || len(vectorScores(t, owner)) != 20 {
			t.Errorf("%d: %s %+v", i, folderModels(st), st)
		}
	}
	if err := config.UseFolderModel(a.Home.ConfigFile(), folder, ""); !errors.Is(err, config.ErrNoFolder) {
		t.Error(err)
	}
}
