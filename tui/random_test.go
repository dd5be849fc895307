package tui

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dowse/engine"
	"dowse/tui/cells"
)

// pastes are texts that come at once: words that spell keys, wide letters, what steers
// terminals, long lines.
var pastes = []string{"set up git", "日本語のキャッシュ", "\x1b[2J\u202eevil", "👩‍💻 ❤️", "a\tb\nc", string(make([]rune, 300)), `tag:"x y" -path:`, "@", "?", "esc"}

// TestRandomInput gives the screen keys, resizes, clicks, wheels, pastes and events at
// random: it never panics, and no frame is wider or higher than the terminal. A second
// of them, or ten minutes with DOWSE_TEST_FULL=1.
func TestRandomInput(t *testing.T) {
	steps, span := 400, 0*time.Second
	if os.Getenv("DOWSE_TEST_FULL") != "" {
		span = 10 * time.Minute
	}
	for seed, begun := uint64(1), time.Now(); seed <= 3 || time.Since(begun) < span; seed++ {
		randomInput(t, seed, steps)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func randomInput(t *testing.T, seed uint64, steps int) {
	t.Chdir(t.TempDir()) // what is exported lands there
	r := rand.New(rand.NewPCG(seed, 0))
	keeper := &fakeKeeper{engine.KeptQueries{Saved: []engine.SavedQuery{{Name: "net", Query: "dns"}}}}
	options := Options{Queries: keeper, Getenv: func(name string) string { return map[string]string{"SHELL": "/nonexistent/shell"}[name] }}
	withScreen(t, 80, 24, options, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.fake.answerer = flushing()
		s.models.models, s.models.takes = knownModels(), 100*time.Millisecond
		s.fake.relevant, s.fake.copies, s.fake.tags = 3, []int{0, 1}, gardenTags()
		if seed%2 == 0 {
			s.fake.found = diary()
		}
		terminal := &written{}
		out, _ := newTerminal(terminal)
		p := &painter{model: s.model, out: out}
		for step := 0; step < steps && !t.Failed(); step++ {
			s.random(r)
			s.frame()
			if w, h := s.model.width, s.model.height; terminal.cells == nil || w != terminal.w || h != terminal.h {
				*terminal, p.lines = written{cells: cells.New(w, h), w: w, h: h}, nil
			}
			p.draw()
			if got, want := terminal.cells.Text(), shownWhole(s.model); got != want {
				t.Errorf("step %d: the terminal shows\n%s\nwant\n%s", step, got, want)
			}
		}
	})
}

// random gives the screen one input.
func (s *screen) random(r *rand.Rand) {
	switch n := r.IntN(100); {
	case n < 2: // rarely met otherwise
		s.press([]string{"alt+i", "f12", "ctrl+g"}[r.IntN(3)])
	case n < 35:
		s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{[]rune("dns cache?/nN@y|日e")[r.IntN(17)]}, Alt: r.IntN(12) == 0})
	case n < 70:
		msg := tea.KeyMsg{Type: tea.KeyType(r.IntN(90) - 58), Alt: r.IntN(10) == 0}
		if msg.Type == tea.KeyCtrlC && r.IntN(20) > 0 {
			return
		}
		if msg.Type == tea.KeySpace {
			msg.Runes = []rune{' '}
		}
		if msg.Type == tea.KeyRunes {
			return
		}
		s.send(msg)
	case n < 78:
		s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(pastes[r.IntN(len(pastes))]), Paste: r.IntN(2) == 0})
	case n < 85:
		s.send(tea.WindowSizeMsg{Width: 1 + r.IntN(220), Height: 1 + r.IntN(70)})
	case n < 95:
		button := []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown}[r.IntN(3)]
		mouse := tea.MouseMsg{X: r.IntN(220), Y: r.IntN(70), Action: tea.MouseAction(r.IntN(3)), Button: button}
		if border := s.model.layout.border; n < 88 && !border.empty() { // drags it, and lets it go or not
			s.send(tea.MouseMsg{X: border.x, Y: border.y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
			mouse.Action, mouse.Button = tea.MouseActionMotion, tea.MouseButtonLeft
		}
		s.send(mouse)
	case n < 97:
		s.fake.events <- engine.Event{Progress: indexing(time.Now()), Changed: &engine.Changed{Updated: 1}}
		s.drain()
	default:
		s.pass(time.Duration(r.IntN(2000)) * time.Millisecond)
	}
}
