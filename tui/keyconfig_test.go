package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// TestKeysOfTheSettings: an action gets other keys, which its old ones lose; what is
// misspelt or taken is told, and changes nothing.
func TestKeysOfTheSettings(t *testing.T) {
	k := defaultKeys()
	problems := k.rebind(map[string]string{"answer": "F11 Ctrl-R", "anwser": "f11", "fold": "ctrl-t esc", "similar": "", "mode": "ctrl-t", "preview": "alt-PgDn F12", "wrap": "alt-g alt-u"})
	if got := k.answer.Keys(); !slices.Equal(got, []string{"f11", "ctrl+r"}) {
		t.Errorf("answer has %q", got)
	}
	if !slices.Equal(k.togglePreview.Keys(), []string{"alt+pgdown", "f12"}) || !slices.Equal(k.previewPageDown.Keys(), []string{"ctrl+pgdown"}) || k.previewPageUp.Help().Key != "alt-pgup" {
		t.Errorf("preview has %q, a page down %q, and the help %q", k.togglePreview.Keys(), k.previewPageDown.Keys(), k.previewPageUp.Help().Key)
	}
	if k.folders.Help().Key != "no key" || len(k.folders.Keys()) != 0 {
		t.Errorf("folders has %q, and the help %q", k.folders.Keys(), k.folders.Help().Key)
	}
	if len(k.related.Keys()) != 0 || !slices.Equal(k.fold.Keys(), []string{"ctrl+t"}) {
		t.Errorf("similar has %q, fold %q", k.related.Keys(), k.fold.Keys())
	}
	want := []string{
		"keys.anwser: there is no such action; did you mean answer?", "keys.fold: esc means go back already", "keys.mode: ctrl+t means fold already",
		"keys.wrap takes alt+g from folders, which has no key now; keys.folders gives it one", "keys.wrap takes alt+u from pause, which has no key now; keys.pause gives it one",
	}
	if !slices.Equal(problems, want) {
		t.Errorf("told %q, want %q", problems, want)
	}
	owners := map[string]string{}
	defaults := defaultKeys()
	for name, binding := range defaults.actions() {
		for _, one := range binding.Keys() {
			if owners[one] != "" {
				t.Errorf("%s means %s and %s", one, owners[one], name)
			}
			owners[one] = name
		}
	}
	withScreen(t, 100, 30, Options{Keys: map[string]string{"machine": "alt-z", "quitt": "x"}}, func(t *testing.T, s *screen) {
		s.shows("keys.quitt: there is no such action")
		s.press("alt+z")
		if !s.model.showMachine {
			t.Error("the new key does nothing")
		}
		s.press("ctrl+o", "f1")
		if help := strings.Join(s.model.help.lines(100), "\n"); !s.model.showMachine || !strings.Contains(help, "alt-z") {
			t.Error("the old key acts, or the help does not know the new one")
		}
	})
}

// TestHintsShowBoundKeys: what the settings bind is what hints and advice name, and what a
// click presses; an action without a key has no hint.
func TestHintsShowBoundKeys(t *testing.T) {
	keys := map[string]string{"answer": "F11 alt-q", "machine": "", "preview": "alt-PgDn", "similar": "ctrl-\\", "conversations": "alt-z", "save": "alt-="}
	withScreen(t, 110, 30, Options{Keys: keys}, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.send(s.model.askStatus()())
		s.pass(time.Minute)
		s.shows("alt-z goes on with one", "alt-z conversations")
		s.press("alt+h")
		s.shows("alt-= saves one")
		s.pass(time.Minute)
		s.typed("cache")
		s.pass(time.Second)
		s.shows("F11 answer", "alt-pgdn preview", "ctrl-\\ like it")
		s.hides("machine", "ctrl-r", "F10")
		click := func(text string) {
			t.Helper()
			last := s.model.layout.status.y
			line := strings.Split(s.frame(), "\n")[last]
			at := strings.Index(line, text)
			if at < 0 {
				t.Fatalf("%q is not in %q", text, line)
			}
			s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonLeft, X: width(line[:at]), Y: last})
		}
		click("alt-pgdn")
		if s.model.wish != previewOff {
			t.Error("a click on the preview's hint does nothing")
		}
		click("F11")
		if !s.model.answer.open {
			t.Error("a click on the answer's hint does nothing")
		}
	})
	defaults := defaultKeys()
	for name, binding := range defaults.actions() {
		for _, one := range binding.Keys() {
			if press, ok := keyPress(one); !ok || press.String() != one || keyName(shownKey(one)) != one {
				t.Errorf("%s: %s is shown as %s and pressed as %q, %v", name, one, shownKey(one), press, ok)
			}
		}
	}
}
