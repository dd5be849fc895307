package tui

import (
	"math/rand/v2"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// TestAnyKeysAnywhere presses keys and clicks at random in every mode. Each frame fits the
// screen, the query line is given back as often as it is lent, and esc leads out.
func TestAnyKeysAnywhere(t *testing.T) {
	const seed = 7
	keys := []string{
		"ctrl+g", "ctrl+g", "ctrl+s", "ctrl+l", "f10", "ctrl+r", "ctrl+x", "ctrl+t", "ctrl+o", "ctrl+u", "ctrl+y", "f1", "f6", "f8",
		"enter", "enter", "enter", "esc", "up", "down", "pgup", "pgdown", "home", "end", "tab", "shift+tab", "backspace",
	}
	for _, size := range [][2]int{{60, 20}, {120, 40}, {40, 10}} {
		withScreen(t, size[0], size[1], Options{Getenv: func(string) string { return "" }}, func(t *testing.T, s *screen) {
			r := rand.New(rand.NewPCG(seed, uint64(size[0])))
			s.fake.remember(time.Now())
			s.fake.answerer = writing()
			s.fake.answerer.drafts, s.fake.answerer.takes = 2, 100*time.Millisecond
			for range 600 {
				switch n := r.IntN(20); {
				case n < 12:
					s.press(keys[r.IntN(len(keys))])
				case n < 15:
					s.typed([]string{"dns", "y", "cache ", "?", "the printer", "n"}[r.IntN(6)])
				case n < 17:
					button := []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonLeft, tea.MouseButtonWheelDown, tea.MouseButtonWheelUp}[r.IntN(4)]
					s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: button, X: r.IntN(size[0]), Y: r.IntN(size[1])})
				case n < 18:
					s.send(alt(rune('1' + r.IntN(9))))
				default:
					s.pass(time.Duration(r.IntN(400)) * time.Millisecond)
				}
				s.frame()
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			s.quit = false
			for range 40 {
				s.press("esc")
			}
			if !s.quit || len(s.model.held) != 0 || s.model.conversation.open() {
				t.Errorf("esc does not lead out: %d lines are lent\n%s", len(s.model.held), s.frame())
			}
		})
	}
}
