package tui

import (
	"fmt"
	"testing"
)

// TestHistory brings back queries: ctrl-p the older ones, ctrl-n the newer ones,
// and up the last one on an empty line.
func TestHistory(t *testing.T) {
	withScreen(t, 100, 30, Options{}, func(t *testing.T, s *screen) {
		line := func(want string) {
			t.Helper()
			if got := s.model.input.Value(); got != want {
				t.Fatalf("the line is %q, want %q", got, want)
			}
		}
		s.press("up", "ctrl+p")
		line("")
		s.typed("dns cache")
		s.press("ctrl+u")
		s.typed("bread")
		s.press("esc", "up")
		line("bread")
		s.shows("/bread.md:1")
		s.press("ctrl+p")
		line("dns cache")
		s.press("ctrl+p")
		line("dns cache")
		s.shows("no query further that way")
		s.press("down", "up") // move among the results
		line("dns cache")
		s.press("ctrl+n")
		line("bread")
		s.press("ctrl+n")
		line("")
		s.typed("zebra")
		s.press("ctrl+p")
		line("bread")
		s.press("ctrl+n")
		line("zebra")
	})
}

func TestHistoryIsBounded(t *testing.T) {
	var h history
	for i := range 3 * maxHistory {
		h.add(fmt.Sprint(i))
		h.add(fmt.Sprint(i))
	}
	if len(h.lines) != maxHistory || h.lines[maxHistory-1] != fmt.Sprint(3*maxHistory-1) {
		t.Errorf("%d lines, the last is %s", len(h.lines), h.lines[len(h.lines)-1])
	}
	if query, ok := h.step(-1); !ok || query != h.lines[maxHistory-1] {
		t.Errorf("the newest is %q", query)
	}
}
