package tui

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"dowse/internal/testwait"
)

// screen drives a model as Bubble Tea would, on a clock of its own: commands
// run beside it, and drain waits until none of them can go on by itself.
type screen struct {
	t        *testing.T
	fake     *fakeSearcher
	models   *fakeModels
	model    *model
	messages chan tea.Msg
	quit     bool
	other    []string // types of the messages that Bubble Tea keeps to itself
}

// withScreen runs body with a model of w times h cells, in a bubble of time.
func withScreen(t *testing.T, w, h int, options Options, body func(*testing.T, *screen)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		options.Output, options.Home = io.Discard, "/home/ada"
		if options.Getenv == nil {
			options.Getenv = func(string) string { return "" }
		}
		fake, keeper := newFake(), &fakeModels{}
		options.Models = keeper
		out, _ := newTerminal(options.Output)
		s := &screen{t: t, fake: fake, models: keeper, messages: make(chan tea.Msg, 1024)}
		s.model = newModel(ctx, fake, options.withDefaults(), out)
		s.model.now = func() time.Time { return time.Now().UTC() }
		defer func() {
			cancel()
			fake.release()
			testwait.Moment(time.Minute) // every timer runs out, every command returns
		}()
		s.start(s.model.Init())
		s.send(tea.WindowSizeMsg{Width: w, Height: h})
		body(t, s)
	})
}

func (s *screen) start(cmd tea.Cmd) {
	if cmd != nil {
		go func() { s.messages <- cmd() }()
	}
}

// drain delivers messages until all commands wait for time or for events.
func (s *screen) drain() {
	for {
		synctest.Wait()
		select {
		case msg := <-s.messages:
			s.deliver(msg)
		default:
			return
		}
	}
}

func (s *screen) deliver(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.start(cmd)
		}
	case tea.QuitMsg:
		s.quit = true
	default:
		if v := reflect.ValueOf(msg); v.Type().String() == "tea.sequenceMsg" {
			for i := range v.Len() {
				s.deliver(v.Index(i).Interface().(tea.Cmd)())
			}
			return
		}
		if name := fmt.Sprintf("%T", msg); slices.Contains([]string{"tea.execMsg", "tea.SuspendMsg", "tea.clearScreenMsg"}, name) {
			s.other = append(s.other, name)
			return
		}
		_, cmd := s.model.Update(msg)
		s.start(cmd)
	}
}

// send delivers messages and all that follows from them.
func (s *screen) send(messages ...tea.Msg) {
	for _, msg := range messages {
		s.deliver(msg)
		s.drain()
	}
}

// press presses keys by name.
func (s *screen) press(names ...string) {
	s.t.Helper()
	for _, name := range names {
		msg, ok := keyPress(name)
		if !ok {
			s.t.Fatalf("no key is called %q", name)
		}
		if msg.Type == tea.KeySpace {
			msg.Runes = []rune{' '}
		}
		s.send(msg)
	}
}

// typed types text letter by letter.
func (s *screen) typed(text string) {
	for _, r := range text {
		if r == ' ' {
			s.press(" ")
			continue
		}
		s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// pass lets time go by, and delivers every message at its time.
func (s *screen) pass(d time.Duration) {
	over := time.After(d)
	for {
		select {
		case msg := <-s.messages:
			s.deliver(msg)
		case <-over:
			s.drain()
			return
		}
	}
}

// frame returns the screen without colours. It checks what holds for every frame:
// as many lines as the screen has, none wider, nothing that steers a terminal.
func (s *screen) frame() string {
	s.t.Helper()
	view := s.model.View()
	lines := strings.Split(ansi.Strip(view), "\n")
	if len(lines) != s.model.height {
		s.t.Errorf("%d lines on a screen of %d", len(lines), s.model.height)
	}
	for i, line := range lines {
		if n := ansi.StringWidth(line); n > s.model.width {
			s.t.Errorf("line %d takes %d cells of %d: %q", i, n, s.model.width, line)
		}
		if bad := strings.IndexFunc(line, hostile); bad >= 0 {
			s.t.Errorf("line %d has a control character at %d: %q", i, bad, line)
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// shows fails unless every text is on the screen.
func (s *screen) shows(texts ...string) {
	s.t.Helper()
	frame := s.frame()
	for _, text := range texts {
		if !strings.Contains(frame, text) {
			s.t.Errorf("the screen does not show %q:\n%s", text, frame)
		}
	}
}

// hides fails if any text is on the screen.
func (s *screen) hides(texts ...string) {
	s.t.Helper()
	frame := s.frame()
	for _, text := range texts {
		if strings.Contains(frame, text) {
			s.t.Errorf("the screen shows %q:\n%s", text, frame)
		}
	}
}

// chosen returns the path of the chosen passage.
func (s *screen) chosen() string {
	p, _ := s.model.results.selected()
	return p.Path
}
