package tui

import (
	"slices"
	"strings"
	"testing"
)

// TestKeysOfTheSettings: an action gets other keys, which its old ones lose; what is
// misspelt or taken is told, and changes nothing.
func TestKeysOfTheSettings(t *testing.T) {
	k := defaultKeys()
	problems := k.rebind(map[string]string{"answer": "F11 Ctrl-R", "anwser": "f11", "fold": "ctrl-t", "similar": "", "preview": "alt-PgDn"})
	if got := k.answer.Keys(); !slices.Equal(got, []string{"f11", "ctrl+r"}) {
		t.Errorf("answer has %q", got)
	}
	if len(k.related.Keys()) != 0 || !slices.Equal(k.fold.Keys(), []string{"ctrl+x"}) {
		t.Errorf("similar has %q, fold %q", k.related.Keys(), k.fold.Keys())
	}
	want := []string{
		"keys.anwser: there is no such action; did you mean answer?", "keys.fold: ctrl+t means mode already", "keys.preview: alt+pgdown means preview-page-down already",
	}
	if !slices.Equal(problems, want) {
		t.Errorf("told %q, want %q", problems, want)
	}
	if got := defaultKeys(); len(got.rebind(nil)) != 0 {
		t.Error("defaults clash")
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
