package tui

import "testing"

// TestDeleteNextWord from places within a line.
func TestDeleteNextWord(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		for at, want := range []string{" cd  ", "a cd  ", "ab  ", "ab   ", "ab c  "} {
			s.model.setLine("ab cd  ")
			s.model.input.SetCursor(at)
			s.press("alt+d")
			if got := s.model.input.Value(); got != want {
				t.Errorf("at %d: %q, want %q", at, got, want)
			}
		}
	})
}
