package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

// TestNumbersAreExplained: alt-? says of each number of the panel what it means,
// also with a query on the line, where ? is text; on an empty line ? does.
func TestNumbersAreExplained(t *testing.T) {
	withScreen(t, 110, 60, Options{}, func(t *testing.T, s *screen) {
		s.fake.status.Budget = &engine.Budget{Bytes: 512_000_000, Full: 512_000_000}
		s.fake.status.Writer = &engine.ModelUse{Name: "m", Way: engine.Streamed, Layers: 30, Kept: 7, Cache: 21_000_000, TokenBytes: 80_000_000}
		s.fake.status.Conversations = &engine.ConversationsStatus{Count: 2, Text: 4_000, Keys: engine.KeysUse{
			Disk: 3_000_000, Levels: []engine.LevelUse{{Bits: 8, Chunks: 12, Bytes: 2_000_000}, {Bits: 4}}}}
		s.fake.stats = &engine.Stats{Files: 5, Chunks: 5, Millis: 8, Recomputed: 96, Memoized: 4, Stages: fakeStats().Stages}
		s.press("ctrl+o")
		s.typed("?")
		s.shows("Memory", "23 MB", "hold now of their budget of 512 MB", "1/16 of the budget", "█ weights", "weights of models that stay")
		s.hides("Last search", "recomputed", "Last rerank", "a pass", "at 4 bits")
		s.press("esc")
		s.hides("hold now of their budget")
		s.typed("dns?")
		s.shows("❯ dns?", "96 vectors recomputed, 4 known", "alt-? numbers")
		s.press("alt+?")
		s.shows("The index keeps codes in the place of vectors", "streamed", "7 of 30 that the budget keeps", "80 MB a token",
			"12 MB index", "6.1 MB graph", "2 conversations", "12 at 8 bits")
		s.press("alt+?")
		s.hides("The index keeps codes")
		s.press("ctrl+o", "alt+?")
		s.hides("The index keeps codes")
	})
}

// TestPoolsHaveMeanings: the sentences end, and none is longer than a screen.
func TestPoolsHaveMeanings(t *testing.T) {
	for _, meanings := range []map[string]string{poolMeanings, fileMeanings} {
		for name, means := range meanings {
			if means == "" || strings.HasSuffix(means, ".") || width(means) > 80 {
				t.Errorf("%s: %q", name, means)
			}
		}
	}
}

// TestMemoryChart draws the pools on top of each other against the budget.
func TestMemoryChart(t *testing.T) {
	m := newMachinePanel(styles{}, defaultKeys())
	m.setStatus(&engine.Status{Budget: &engine.Budget{Bytes: 160, Full: 160}}, time.Time{})
	for _, s := range [][2]int64{{20, 0}, {30, 20}, {30, 35}, {10, 70}} {
		m.sample([]engine.PoolUse{{Pool: "w", Bytes: s[0], Peak: 90}, {Pool: "kv", Bytes: s[1], Peak: 70}}, time.Time{})
	}
	want := []string{
		"    80 B▕  ▂▓       ",
		"        ▕ ▄▓▓       ",
		"        ▕ ▓▓▓       ",
		"       0▕███▓       ",
	}
	got := m.chart(20, 4)
	for i := range got {
		got[i] = pad(got[i], 20)
	}
	if !slices.Equal(got, want) {
		t.Errorf("drawn\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if text := m.scaleText(); text != "80 B, 1/2 of the budget" {
		t.Error(text)
	}
	m.sample([]engine.PoolUse{{Pool: "w", Bytes: 200, Peak: 200}}, time.Time{})
	if text := m.scaleText(); text != "200 B, the most so far" {
		t.Error(text)
	}
	if past := m.history["kv"]; len(past) != 5 || past[4] != 0 {
		t.Errorf("a pool that is gone has the history %v", past)
	}
	if m.rest(time.Time{}.Add(3500 * time.Millisecond)); len(m.totals) != 8 || m.totals[7] != 200 || m.sampled != (time.Time{}.Add(3*time.Second)) {
		t.Errorf("after three seconds without news the totals are %v of %v", m.totals, m.sampled)
	}
	if got := m.chart(14, 2); got != nil {
		t.Errorf("two rows: %q", got)
	}
}
