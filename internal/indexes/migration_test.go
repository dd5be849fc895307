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
	"time"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/config"
	"dowse/internal/testapp"
	"dowse/internal/testwait"
	"dowse/models"
	"dowse/models/modeltest"
)

// Two embedders of a few thousand weights, which make other vectors of a text.
const oldModel, newModel = "old-model", "new-model"

// installSmall installs them in a home.
func installSmall(t *testing.T, a *app.App) {
	t.Helper()
	for name, prompts := range map[string]string{oldModel: "", newModel: `{"prompts": {"query": "q: ", "document": "p: "}}`} {
		folder := t.TempDir()
		if err := modeltest.WriteEmbedder(folder, prompts); err != nil {
			t.Fatal(err)
		}
		if err := a.AddModel(t.Context(), name, folder, "", "", func(models.Progress) {}); err != nil {
			t.Fatal(err)
		}
	}
}

// chooses writes the settings and reads them again.
func chooses(t *testing.T, model string) *app.App {
	t.Helper()
	a, err := app.New()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(config.UseModel(a.Home.ConfigFile(), model), config.UseReranker(a.Home.ConfigFile(), config.NoReranker)); err != nil {
		t.Fatal(err)
	}
	if a, err = app.New(); err != nil {
		t.Fatal(err)
	}
	return a
}

// indexOnce is dowse index.
func indexOnce(t *testing.T, a *app.App, folder string) error {
	t.Helper()
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		return err
	}
	_, err = owner.Index(t.Context(), []string{folder}, nil)
	return errors.Join(err, owner.Close())
}

// birdNotes are notes of which every one has a text of its own.
func birdNotes(t *testing.T, n int) string {
	t.Helper()
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("n%03d.md", i)] = fmt.Sprintf("# Note %d\n\nheron %d stood in lake %d\n", i, i*7%n, i*i%101)
	}
	return testapp.Notes(t, files)
}

// ranked is all that a search by meaning says of the notes.
func ranked(t testing.TB, s engine.Searcher, query string) string {
	t.Helper()
	text, err := rankedBy(t.Context(), s, query)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func rankedBy(ctx context.Context, s engine.Searcher, query string) (string, error) {
	r, err := s.Search(ctx, engine.Request{Query: query, K: 20, Mode: engine.Vector}, nil)
	if err != nil {
		return "", err
	}
	var out []string
	for _, p := range r.Passages {
		out = append(out, fmt.Sprintf("%s %.5f", filepath.Base(p.Path), p.VectorScore))
	}
	slices.Sort(out) // equal scores may come in any order
	return strings.Join(out, "\n"), nil
}

const birdQuestion = "where did heron 21 stand"

// TestChangeOfEmbedder changes the model of an index while somebody searches: every search
// says what the old or the new model says, none fails, and at the end the index is as good
// as one that was built with the new one.
func TestChangeOfEmbedder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("DOWSE_HOME", t.TempDir())
	installSmall(t, chooses(t, newModel))
	dir := birdNotes(t, 400)
	fresh, err := chooses(t, newModel).OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.Index(t.Context(), []string{dir}, nil); err != nil {
		t.Fatal(err)
	}
	byNew := ranked(t, fresh, birdQuestion)
	shared, weights := fresh.Stack().Models.Memory.Shared(), weightsOf(t, fresh)
	if err := fresh.Close(); err != nil {
		t.Fatal(err)
	}
	a := chooses(t, oldModel)
	if err := os.Remove(a.Home.Index()); err != nil {
		t.Fatal(err)
	}
	owner := testapp.Own(t, a, dir)
	byOld := ranked(t, owner, birdQuestion)
	if byOld == byNew || strings.Count(byOld, "\n") < 19 {
		t.Fatalf("the two models say the same, or too little:\n%s", byOld)
	}

	chooses(t, newModel)
	change, err := owner.FollowModel(t.Context())
	if err != nil || change.Over || change.From != oldModel || change.To != newModel || change.All < 400 || change.Working {
		t.Fatalf("before anybody is at it: %+v, %v", change, err)
	}
	events, err := owner.Subscribe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	end := searchMeanwhile(t, owner, byOld, byNew)
	report, err := owner.Index(t.Context(), nil, nil)
	oldOnes, newOnes := end()
	if err != nil || report.Files != 400 || report.Embedded < 400 {
		t.Fatalf("%+v, %v", report, err)
	}
	if said := ranked(t, owner, birdQuestion); said != byNew || oldOnes == 0 {
		t.Errorf("after %d searches of the old and %d of the new model:\n%s", oldOnes, newOnes, said)
	}
	awaitChange(t, events, func(c *engine.ModelChange) bool { return c.Over && c.To == newModel })
	st, err := owner.Status(t.Context())
	if err != nil || st.Model != newModel || st.Change != nil || st.Files != 400 {
		t.Errorf("%+v, %v", st, err)
	}
	// The old embedder is closed, and what was set apart for the change is given back.
	testwait.Until(t, "what the first index took is given back", func() bool {
		return owner.Stack().Models.Memory.Shared() == shared && weightsOf(t, owner) == weights
	})
	check, err := owner.Check(t.Context(), nil)
	if err != nil || check.Problems > 0 {
		t.Errorf("%+v, %v", check, err)
	}
	if left, err := filepath.Glob(a.Home.Index() + ".next*"); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if report, err = owner.Index(t.Context(), nil, nil); err != nil || report.Embedded != 0 {
		t.Errorf("the next run: %+v, %v", report, err)
	}
}

// searchMeanwhile asks one question again and again until end is called, and holds that
// the answers are all of the old, and then all of the new model; end counts both. The first
// answer is there when it returns.
func searchMeanwhile(t *testing.T, s engine.Searcher, byOld, byNew string) (end func() (oldOnes, newOnes int)) {
	ctx, cancel := context.WithCancel(t.Context())
	var searching sync.WaitGroup
	var oldOnes, newOnes int
	answered := make(chan struct{})
	begun := sync.OnceFunc(func() { close(answered) })
	searching.Go(func() {
		defer begun()
		for ctx.Err() == nil {
			switch said, err := rankedBy(ctx, s, birdQuestion); {
			case ctx.Err() != nil:
			case err != nil:
				t.Errorf("a search failed: %v", err)
				return
			case said == byOld && newOnes == 0:
				oldOnes++
				begun()
			case said == byNew:
				newOnes++
			default:
				t.Errorf("a search said, after %d of the new model:\n%s", newOnes, said)
				return
			}
		}
	})
	<-answered
	return func() (int, int) {
		cancel()
		searching.Wait()
		return oldOnes, newOnes
	}
}

// weightsOf is the bytes of the weights that a service holds.
func weightsOf(t *testing.T, s engine.Service) int64 {
	t.Helper()
	st, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return st.Memory["weights"].Bytes
}

// awaitChange waits for an event of a change.
func awaitChange(t *testing.T, events <-chan engine.Event, is func(*engine.ModelChange) bool) {
	t.Helper()
	patience := time.After(testwait.Patience)
	for {
		select {
		case e := <-events:
			if e.Change != nil && is(e.Change) {
				return
			}
		case <-patience:
			t.Fatal("nobody was told of the change")
		}
	}
}

// TestWatcherChangesTheEmbedder: a process that watches is told of the choice, changes the
// index meanwhile, and follows files by the new model then; the old one chosen again drops
// what was begun.
func TestWatcherChangesTheEmbedder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("DOWSE_HOME", t.TempDir())
	a := chooses(t, oldModel)
	installSmall(t, a)
	dir := birdNotes(t, 60)
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
	status := func() *engine.Status {
		t.Helper()
		st, err := owner.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	follow := func(model string) {
		t.Helper()
		change, err := chooses(t, model).FollowModel(t.Context()) // over the socket
		if err != nil || change.To != model {
			t.Fatalf("%+v, %v", change, err)
		}
	}
	for _, model := range []string{newModel, oldModel, newModel} {
		follow(model)
		testwait.Until(t, "the index is changed to "+model, func() bool { st := status(); return st.Model == model && st.Change == nil && st.Watching })
	}
	if err := os.WriteFile(filepath.Join(dir, "late.md"), []byte("# Late\n\nThe osprey came late.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "the new file is found", func() bool {
		return testapp.Names(testapp.Search(t, owner, `"osprey came"`)) != "" && status().Files == 61
	})
	for range 3 { // one overtakes the other
		follow(oldModel)
		follow(newModel)
	}
	testwait.Until(t, "the change is taken back", func() bool {
		left, err := filepath.Glob(a.Home.Index() + ".next*")
		st := status()
		return err == nil && len(left) == 0 && st.Model == newModel && st.Change == nil
	})
}

// TestEmbedderThatIsGone: an index whose embedder was removed is searched by words, and
// says so, until it is built with the one that was chosen.
func TestEmbedderThatIsGone(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("DOWSE_HOME", t.TempDir())
	a := chooses(t, oldModel)
	installSmall(t, a)
	dir := birdNotes(t, 40)
	if err := errors.Join(indexOnce(t, a, dir), a.RemoveModel(oldModel)); err != nil {
		t.Fatal(err)
	}
	a = chooses(t, newModel)
	reader, err := a.OpenStack(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	r := testapp.Search(t, reader, "heron lake")
	if len(r.Passages) == 0 || !strings.Contains(r.Stats.ByWords, oldModel+", which is not installed") || r.Passages[0].VectorRank != 0 {
		t.Errorf("%d passages, %q", len(r.Passages), r.Stats.ByWords)
	}
	if _, err := reader.Search(t.Context(), engine.Request{Query: "heron", Mode: engine.Vector}, nil); !errors.Is(err, engine.ErrQuery) {
		t.Errorf("by meaning alone: %v", err)
	}
	if _, err := reader.Related(t.Context(), engine.RelatedRequest{Path: filepath.Join(dir, "n001.md")}, nil); !errors.Is(err, engine.ErrQuery) {
		t.Errorf("what is like a note: %v", err)
	}
	st, err := reader.Status(t.Context())
	if err != nil || st.Model != "" || st.Change == nil || st.Change.From != "" || !strings.Contains(st.Change.String(), "by words alone until "+newModel) {
		t.Errorf("%+v, %v", st, err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	late := testapp.Notes(t, map[string]string{"late.md": "# Late\n\nThe osprey came late.\n"})
	owner := testapp.Own(t, a, late)
	if r := testapp.Search(t, owner, `"osprey came"`); testapp.Names(r) != "late.md" || r.Stats.ByWords != "" {
		t.Errorf("%s, %q", testapp.Names(r), r.Stats.ByWords)
	}
	if st, err = owner.Status(t.Context()); err != nil || st.Model != newModel || st.Files != 41 || st.Change != nil {
		t.Errorf("%+v, %v", st, err)
	}
}

// TestChoiceThatIsNotInstalled: the index goes on with the model that it is built with, and
// what is wrong is said.
func TestChoiceThatIsNotInstalled(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("DOWSE_HOME", t.TempDir())
	a := chooses(t, oldModel)
	installSmall(t, a)
	if err := indexOnce(t, a, birdNotes(t, 5)); err != nil {
		t.Fatal(err)
	}
	owner := testapp.Own(t, chooses(t, "nowhere"))
	st, err := owner.Status(t.Context())
	if err != nil || st.Model != oldModel || st.Change == nil || !strings.Contains(st.Change.Problem, "nowhere is not installed") {
		t.Errorf("%+v, %v", st, err)
	}
	if report, err := owner.Index(t.Context(), []string{testapp.Notes(t, map[string]string{"late.md": "# Late\n\nThe osprey came late.\n"})}, nil); err != nil || report.Added != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	if r := testapp.Search(t, owner, `"osprey came"`); testapp.Names(r) == "" {
		t.Error("what was indexed is not found")
	}
}

// TestChangeWithoutAFolder: a folder that is not there, as that of a disk that is not
// mounted, does not hold the change up, and is indexed when it is there again. Where none
// is, the index stays as it is.
func TestChangeWithoutAFolder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("DOWSE_HOME", t.TempDir())
	a := chooses(t, oldModel)
	installSmall(t, a)
	here, disk := birdNotes(t, 10), testapp.Notes(t, map[string]string{"late.md": "# Late\n\nThe osprey came late.\n"})
	if err := errors.Join(indexOnce(t, a, here), indexOnce(t, a, disk)); err != nil {
		t.Fatal(err)
	}
	owner := testapp.Own(t, chooses(t, newModel))
	if err := errors.Join(os.Rename(here, here+".gone"), os.Rename(disk, disk+".gone")); err != nil {
		t.Fatal(err)
	}
	if report, err := owner.Index(t.Context(), nil, nil); err != nil || report.Embedded != 0 {
		t.Errorf("of folders that are not there: %+v, %v", report, err)
	}
	if st, err := owner.Status(t.Context()); err != nil || st.Model != oldModel || st.Files != 11 || !strings.Contains(st.Change.String(), "none of the indexed folders is there") {
		t.Errorf("%+v, %v", st, err)
	}
	if err := os.Rename(here+".gone", here); err != nil {
		t.Fatal(err)
	}
	if report, err := owner.Index(t.Context(), nil, nil); err != nil || report.Files != 10 {
		t.Errorf("%+v, %v", report, err)
	}
	if err := os.Rename(disk+".gone", disk); err != nil {
		t.Fatal(err)
	}
	if report, err := owner.Index(t.Context(), nil, nil); err != nil || report.Files != 11 || testapp.Names(testapp.Search(t, owner, `"osprey came"`)) != "late.md" {
		t.Errorf("%+v, %v", report, err)
	}
}
