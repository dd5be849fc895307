package tui

import (
	"slices"
	"testing"

	"dowse/engine"
)

// fakeKeeper keeps queries in memory.
type fakeKeeper struct{ engine.KeptQueries }

func (f *fakeKeeper) Load() (engine.KeptQueries, error) { return f.KeptQueries, nil }

func (f *fakeKeeper) Ask(queries ...string) error {
	f.Asked = append(f.Asked, queries...)
	return nil
}

func (f *fakeKeeper) Save(name, query string) error {
	f.Saved = slices.DeleteFunc(f.Saved, func(s engine.SavedQuery) bool { return s.Name == name })
	if query != "" {
		f.Saved = append(f.Saved, engine.SavedQuery{Name: name, Query: query})
	}
	return nil
}

// TestHistoryGoesOn: queries of earlier sessions come back, and those of this one are
// written down, the last as one leaves.
func TestHistoryGoesOn(t *testing.T) {
	keeper := &fakeKeeper{engine.KeptQueries{Asked: []string{"bread", "printer"}}}
	withScreen(t, 100, 30, Options{Queries: keeper}, func(t *testing.T, s *screen) {
		s.press("up")
		s.shows(" ❯ printer")
		s.press("ctrl+p")
		s.shows(" ❯ bread")
		s.press("ctrl+u")
		s.typed("dns")
		s.press("f10", "esc")
		s.typed(" cache")
		s.press("ctrl+c")
		if want := []string{"bread", "printer", "bread", "dns", "dns cache"}; !slices.Equal(keeper.Asked, want) {
			t.Errorf("kept %q, want %q", keeper.Asked, want)
		}
	})
}

// TestSavedSearches are saved under a name, listed, completed and removed.
func TestSavedSearches(t *testing.T) {
	keeper := &fakeKeeper{engine.KeptQueries{Saved: []engine.SavedQuery{{Name: "garden", Query: "in:garden mildew"}}}}
	withScreen(t, 100, 30, Options{Queries: keeper}, func(t *testing.T, s *screen) {
		s.typed("dns cache")
		s.press("alt+s")
		s.shows(" name ❯", "typing @ and the name finds it again")
		s.typed("my net")
		s.press("enter")
		s.shows("saved as @my-net", " ❯ dns cache")
		s.press("ctrl+u", "alt+h")
		s.shows(" ❯ @", "garden", "in:garden mildew", "my-net")
		s.typed("m")
		s.hides("in:garden")
		s.press("tab")
		s.shows(" ❯ dns cache", "5 results")
		s.press("ctrl+u")
		s.typed("@")
		s.press("f8")
		s.shows("removed @garden", "my-net")
		s.hides("in:garden")
		if len(keeper.Saved) != 1 || keeper.Saved[0] != (engine.SavedQuery{Name: "my-net", Query: "dns cache"}) {
			t.Errorf("kept %+v", keeper.Saved)
		}
		s.press("esc", "esc")
		s.typed("me@example.org")
		s.hides("my-net")
	})
	withScreen(t, 100, 30, Options{}, func(_ *testing.T, s *screen) {
		s.typed("dns")
		s.press("alt+s")
		s.shows("screen.history is off")
	})
}
