package tui

import (
	"slices"
	"testing"

	"dowse/engine"
)

// TestKeysChangeTheBudget also while an answer is written, whatever is in sight, and say
// what the budget is.
func TestKeysChangeTheBudget(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.status.Budget = &engine.Budget{Bytes: 400_000_000, Full: 400_000_000}
		s.typed("slow dns") // a search is under way
		s.press("f7")
		s.shows("memory: 400 MB, which is all that the settings give")
		s.press("f5")
		s.shows("memory: 200 MB now, 400 MB by the settings")
		s.press("ctrl+o")
		s.shows("budget 200 MB of 400 MB · F7 raises")
		s.press("f5", "f5", "f5")
		s.shows("memory: 50 MB, which is the least")
		s.press("f7", "f7", "f7")
		s.shows("memory: 400 MB again, as the settings say")
		s.hides("F7 raises")
		l, r := engine.LowerBudget, engine.RaiseBudget
		if want := []engine.BudgetChange{r, l, l, l, l, r, r, r}; !slices.Equal(s.fake.budgets, want) {
			t.Errorf("asked for %v, want %v", s.fake.budgets, want)
		}
		s.fake.let.Do(func() { close(s.fake.hold) })
	})
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.press("f5")
		s.shows("no budget of memory is known on this machine")
	})
}

// TestMachineTellsOfTheWriter: how it runs, and what that costs.
func TestMachineTellsOfTheWriter(t *testing.T) {
	use := engine.ModelUse{Name: "m", Way: engine.Streamed, Layers: 30, Kept: 7, Cache: 21_000_000, TokenBytes: 80_000_000}
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.status.Writer = &use
		s.press("ctrl+o")
		s.shows("m streamed", "7 of 30 layers kept", "cache 21 MB · 80 MB a token")
		s.fake.mu.Lock()
		s.fake.status.Writer = &engine.ModelUse{Name: "m", Way: engine.Resident, Layers: 30, Kept: 30}
		s.fake.mu.Unlock()
		s.pass(statusEvery * 2)
		s.shows("m in memory")
		s.hides("a token")
	})
}
