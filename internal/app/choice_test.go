package app_test

import (
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/config"
	"dowse/internal/testanswer"
	"dowse/internal/testapp"
)

// TestChosenModelsAtOnce: another reranker and another model that answers do so from the next search on, without a
// new start; one that cannot be loaded is not chosen, and the one before goes on.
func TestChosenModelsAtOnce(t *testing.T) {
	a, path := withReranker(t)
	testanswer.Install(t, func(name, path, adapter string) error { return a.AddModel(t.Context(), name, path, adapter, "", nil) })
	for _, name := range []string{tiny, config.Extract} {
		if _, err := a.UseModel(name); err != nil {
			t.Fatal(err)
		}
	}
	a.Config.Answerer = config.Extract
	owner := testapp.Own(t, a, testapp.Notes(t, manyNotes()))
	keeper := app.ModelKeeper{App: a}
	choose := func(name string) (string, error) {
		return keeper.ChangeModel(t.Context(), engine.UseModel, name, nil)
	}
	reranked := func() bool { return testapp.Search(t, owner, "router resolver").Stats.Rerank != nil }
	wrote := func() bool {
		t.Helper()
		r, err := owner.Search(t.Context(), engine.Request{Query: "what failed at the router", Answer: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Answer.Generation != nil
	}
	now := func(name, says string) {
		t.Helper()
		if said, err := choose(name); err != nil || !strings.Contains(said, says+" from now on") {
			t.Errorf("%s: %q, %v", name, said, err)
		}
	}
	if !reranked() || wrote() {
		t.Fatalf("before: reranked %v, written %v", reranked(), wrote())
	}
	now(config.NoReranker, "not ranked again")
	if reranked() {
		t.Error("reranked without a reranker")
	}
	now(tiny, "ranks")
	if !reranked() {
		t.Error("not reranked with a reranker")
	}
	now(testanswer.Writer, "answers")
	if !wrote() {
		t.Error("the model that was chosen does not answer")
	}
	st, err := owner.Status(t.Context())
	if err != nil || st.Writer == nil {
		t.Errorf("the status knows of no model that writes: %+v, %v", st, err)
	}
	now(config.NoReranker, "not ranked again")
	if err := flip(path); err != nil {
		t.Fatal(err)
	}
	if said, err := choose(tiny); err == nil || !strings.Contains(err.Error(), "the one before goes on") {
		t.Errorf("a spoilt model is chosen: %q, %v", said, err)
	}
	if c, err := config.Load(a.Home.ConfigFile()); err != nil || c.Reranker != config.NoReranker || c.Answerer != testanswer.Writer {
		t.Errorf("the settings name %q and %q, %v", c.Reranker, c.Answerer, err)
	}
	if reranked() || !wrote() {
		t.Error("the models before do not go on")
	}
}
