package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// TestDividerIsDragged gives list or preview more room, never all, and keeps its
// share when the screen changes its size.
func TestDividerIsDragged(t *testing.T) {
	withScreen(t, 110, 34, Options{}, func(t *testing.T, s *screen) {
		s.typed("cache")
		drag := func(from, to rect) {
			s.send(tea.MouseMsg{X: from.x, Y: from.y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress},
				tea.MouseMsg{X: to.x, Y: to.y, Button: tea.MouseButtonLeft, Action: tea.MouseActionMotion},
				tea.MouseMsg{X: to.x, Y: to.y, Action: tea.MouseActionRelease})
			s.frame()
		}
		border := s.model.layout.border
		chosen := s.chosen()
		for _, c := range [][2]int{{70, 70}, {3, leastCells}, {109, 110 - leastCells - 1}, {30, 30}} {
			drag(s.model.layout.border, rect{x: c[0], y: 9})
			if x := s.model.layout.border.x; x != c[1] {
				t.Errorf("dragged to %d it stands at %d, want %d", c[0], x, c[1])
			}
		}
		s.send(tea.MouseMsg{X: 80, Y: 9, Action: tea.MouseActionMotion}) // released before
		if x := s.model.layout.border.x; x != 30 || border.x == 30 || s.chosen() != chosen {
			t.Errorf("it stands at %d, from %d; %s is chosen", x, border.x, s.chosen())
		}
		s.send(tea.WindowSizeMsg{Width: 220, Height: 34})
		if x := s.model.layout.border.x; x != 60 {
			t.Errorf("on a screen twice as wide it stands at %d", x)
		}
		s.send(tea.WindowSizeMsg{Width: 80, Height: 34})
		for _, c := range [][2]int{{10, 10}, {33, 34 - 1 - leastRows}, {0, 2 + leastRows}} {
			drag(s.model.layout.border, rect{x: 5, y: c[0]})
			if y := s.model.layout.border.y; y != c[1] {
				t.Errorf("dragged to row %d it stands at %d, want %d", c[0], y, c[1])
			}
		}
	})
}
