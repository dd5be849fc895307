package tui

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

func TestListKeys(t *testing.T) {
	withScreen(t, 60, 20, Options{}, func(t *testing.T, s *screen) {
		s.typed("cache")
		for _, c := range []struct {
			keys string
			want int
		}{
			{"down", 1}, {"ctrl+j", 2}, {"ctrl+j", 3}, {"up", 2}, {"ctrl+k", 1}, {"ctrl+k", 0}, {"up", 0},
			{"end", 4}, {"down", 4}, {"home", 0}, {"pgdown", 4}, {"pgup", 0},
		} {
			s.press(c.keys)
			if s.model.results.chosen != c.want {
				t.Fatalf("after %s result %d is chosen, want %d", c.keys, s.model.results.chosen, c.want)
			}
			s.shows("▌")
		}
	})
}

func TestHelpKeys(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.typed("?")
		text := ansi.Strip(strings.Join(s.model.help.lines(120), "\n"))
		for _, group := range s.model.keys.groups() {
			for _, b := range group.bindings {
				if !strings.Contains(text, b.Help().Key) || !strings.Contains(text, b.Help().Desc) {
					t.Errorf("the help does not tell of %q %q", b.Help().Key, b.Help().Desc)
				}
			}
		}
		s.typed("?")
		s.hides("what passage 2 says")
		s.typed("why?")
		s.shows("❯ why?")
		s.hides("what passage 2 says")
		s.press("f1")
		s.shows("what passage 2 says", "after:2026-01")
		s.typed("x")
		s.hides("what passage 2 says")
		s.shows("❯ why?x")
	})
}

// TestEveryKeyIsListed checks that the help tells of every binding.
func TestEveryKeyIsListed(t *testing.T) {
	seen := map[string]string{}
	for _, group := range defaultKeys().groups() {
		for _, b := range group.bindings {
			for _, name := range b.Keys() {
				if other, ok := seen[name]; ok {
					t.Errorf("%s means both %q and %q", name, other, b.Help().Desc)
				}
				seen[name] = b.Help().Desc
			}
		}
	}
	// A binding that is new in keyMap must be put into a group too.
	fields := strings.Count(fmt.Sprintf("%+v", defaultKeys()), "disabled:false")
	listed := 0
	for _, group := range defaultKeys().groups() {
		listed += len(group.bindings)
	}
	if fields != listed {
		t.Errorf("%d bindings exist, the help lists %d", fields, listed)
	}
}

func TestHelpScrolls(t *testing.T) {
	withScreen(t, 60, 20, Options{}, func(t *testing.T, s *screen) {
		s.press("f1")
		s.hides("stop the writing, or quit")
		for range 5 {
			s.press("pgdown")
		}
		s.shows("delete the word after")
		s.press("esc")
		s.shows("Type a question")
		if s.quit {
			t.Error("esc in the help quit the program")
		}
	})
}

func TestEscapeAndQuit(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.typed("dns")
		s.press("ctrl+o")
		s.shows("memory", "last search", "process 84 MB")
		s.press("esc")
		s.hides("last search")
		s.press("esc")
		s.hides("dns.md")
		if s.quit {
			t.Fatal("quit too early")
		}
		s.press("esc")
		if !s.quit {
			t.Fatal("esc on an empty line does not quit")
		}
	})
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.typed("slow")
		s.press("f1", "ctrl+c")
		if !s.quit {
			t.Fatal("ctrl-c does not quit at once")
		}
	})
}

func TestMachineAsksForStatusWhileOpen(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.press("f2")
		s.fake.mu.Lock()
		s.fake.status.RSS = 99_000_000
		s.fake.mu.Unlock()
		s.pass(statusEvery + time.Millisecond)
		s.shows("process 99 MB")
		s.press("f2")
		serial := s.model.statusSerial
		s.send(statusDue{serial})
		if _, cmd := s.model.Update(statusDue{serial}); cmd != nil {
			t.Error("the status is still asked for with the panel closed")
		}
	})
}

func TestMouse(t *testing.T) {
	withScreen(t, 120, 40, Options{Editor: "vi"}, func(t *testing.T, s *screen) {
		s.typed("cache")
		press := func(b tea.MouseButton, x, y int) {
			s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: b, X: x, Y: y})
		}
		press(tea.MouseButtonLeft, 10, 2+4*2+1)
		if s.model.results.chosen != 2 {
			t.Fatalf("the click chose result %d, want 2", s.model.results.chosen)
		}
		press(tea.MouseButtonWheelDown, 10, 5)
		press(tea.MouseButtonWheelUp, 10, 5)
		press(tea.MouseButtonWheelUp, 10, 5)
		if s.model.results.chosen != 1 {
			t.Errorf("the wheel chose result %d, want 1", s.model.results.chosen)
		}
		press(tea.MouseButtonLeft, 10, 39)
		press(tea.MouseButtonLeft, 100, 10)
		if s.model.results.chosen != 1 {
			t.Error("a click outside of the list chose a result")
		}
		press(tea.MouseButtonLeft, 10, 2)
		s.pass(doubleClick)
		press(tea.MouseButtonLeft, 10, 2)
		if len(s.other) != 0 {
			t.Fatal("two slow clicks opened the editor")
		}
		press(tea.MouseButtonLeft, 10, 2)
		if !slices.Equal(s.other, []string{"tea.execMsg"}) {
			t.Errorf("a double click led to %q, want the editor", s.other)
		}
	})
}

func TestOpenWithoutEditor(t *testing.T) {
	none := func(string) (string, error) { return "", errors.New("not found") }
	withScreen(t, 120, 40, Options{LookPath: none}, func(t *testing.T, s *screen) {
		s.press("enter")
		s.typed("bread")
		s.press("enter")
		s.shows("no editor: set $EDITOR", "ctrl-y copies the place")
		s.pass(noticeTime)
		s.hides("no editor")
		if len(s.other) != 0 {
			t.Errorf("something was run: %q", s.other)
		}
	})
}

func TestCopyPlace(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		var out bytes.Buffer
		s.model.terminal.out = &out
		s.typed("bread")
		s.press("ctrl+y")
		s.shows("copied /home/ada/notes/recipes/bread.md:1")
		want := base64.StdEncoding.EncodeToString([]byte("/home/ada/notes/recipes/bread.md:1"))
		if got := out.String(); got != "\x1b]52;c;"+want+"\x07" {
			t.Errorf("the terminal got %q", got)
		}
	})
}

func TestProblemIsShownOnceAndSafe(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.events <- engine.Event{Problem: "cannot watch /x\x1b[2J: too many folders; raise fs.inotify.max_user_watches"}
		s.drain()
		s.shows("cannot watch /x␛[2J: too many folders")
		s.pass(noticeTime)
		s.hides("cannot watch")
	})
}

// TestEveryMomentAtEverySize resizes at any time, through every size that a
// frame can have; frame checks that nothing is too wide or too long.
func TestEveryMomentAtEverySize(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.reranker, s.fake.answerer = pruning(), flushing()
		moments := []func(){
			func() {}, func() { s.typed("cache dns") }, func() { s.press("end") }, func() { s.press("tab") },
			func() { s.press("tab", "ctrl+o") }, func() { s.fake.events <- engine.Event{Progress: indexing(time.Now())}; s.drain() },
			func() { s.pass(2*refineAfter + 250*time.Millisecond) }, func() { s.pass(time.Second) },
			func() { s.press("f1") }, func() { s.press("f1", "ctrl+r", "shift+tab") }, func() { s.press("ctrl+o") },
			func() { s.press("ctrl+u"); s.typed("zebra") }, func() { s.press("ctrl+r") },
		}
		across, down := 9, 5
		if testing.Short() { // for the race detector a few sizes are enough
			across, down = 47, 16
		}
		for _, moment := range moments {
			moment()
			for w := 1; w < 140; w += across {
				for h := 1; h < 50; h += down {
					s.send(tea.WindowSizeMsg{Width: w, Height: h})
					if frame := s.frame(); w < minWidth && w > 12 && h > 3 && !strings.Contains(strings.ReplaceAll(frame, "\n", " "), "too small") {
						t.Fatalf("%dx%d: %q", w, h, frame)
					}
				}
			}
		}
	})
}
