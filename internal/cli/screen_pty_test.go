//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/testcache"
	"dowse/internal/testwait"
	"dowse/tui/cells"
)

// shown waits until the screen of the program has all texts.
func (s *terminal) shown(texts ...string) {
	s.t.Helper()
	frame := ""
	if !testwait.For(patience, func() bool {
		c := cells.New(100, 30) // the size of startTerminal
		_, _ = c.Write([]byte(strings.ReplaceAll(s.text(), "\n", "\r\n")))
		frame = c.Text()
		for _, text := range texts {
			if !strings.Contains(frame, text) {
				return false
			}
		}
		return true
	}) {
		s.t.Fatalf("the screen does not show %q:\n%s", texts, frame)
	}
}

func (s *terminal) press(keys string) {
	s.t.Helper()
	if _, err := s.keys.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// TestScreenStory asks for an answer, goes on from it, and changes a model, on a screen of the program.
func TestScreenStory(t *testing.T) {
	home, cache, person := t.TempDir(), testcache.Dir(t), t.TempDir()
	notes := filepath.Join(person, "notes")
	copyNotes(t, notes)
	index(t, home, cache, notes)
	cmd := dowse(home, cache)
	cmd.Env = append(cmd.Env, "HOME="+person, "TERM=xterm-256color", "NO_COLOR=1")
	s := startTerminal(t, cmd)
	s.shown("33 files")
	s.press("what did i use against mildew")
	s.shown("results", "log-2026.md")
	s.press("\x12") // ctrl-r
	s.shown("one part milk to nine of water", "word for word")
	s.press("\x1ba") // alt-a
	s.shown("❯ what did i use against mildew", "ask on in this conversation", "1 question")
	s.press("and did it help")
	s.shown("❯ and did it help")
	s.press("\r")
	s.shown("2 questions", "esc leave") // it is answered
	s.press("\x1bi")                    // alt-i
	s.shown("models ❯", "▌  dowse-embed-6", "finds by meaning · in use", "dowse-rerank-6")
	s.press("off")
	s.shown("▌  off", "1 of")
	s.press("\r")
	s.shown("off is chosen", "in use")
	s.press("\x1b")
	s.shown("2 questions")
	if status, _ := s.interrupt(); status != exitDone {
		t.Errorf("ctrl-c ends the program with %d", status)
	}
	settings, err := os.ReadFile(filepath.Join(home, "config.toml"))
	if err != nil || !strings.Contains(string(settings), "'off'") {
		t.Errorf("the settings are %q, %v", settings, err)
	}
	out, err := dowse(home, cache, "contexts").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "what did i use against mildew") {
		t.Errorf("the conversations are %s, %v", out, err)
	}
}
