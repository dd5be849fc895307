package tui

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// TestCopyTextAndQuotation copies what a passage says, alone and with its place.
func TestCopyTextAndQuotation(t *testing.T) {
	withScreen(t, 100, 30, Options{}, func(t *testing.T, s *screen) {
		var out bytes.Buffer
		s.model.terminal.out = &out
		s.typed("starter")
		text := strings.TrimSpace(s.fake.files["/home/ada/notes/recipes/bread.md"])
		for letter, want := range map[rune]string{
			'y': text,
			'c': "> " + strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n> "), "> \n", ">\n") + "\n— notes/recipes/bread.md:1\n",
		} {
			out.Reset()
			s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{letter}, Alt: true})
			if !strings.Contains(out.String(), base64.StdEncoding.EncodeToString([]byte(want))) {
				t.Errorf("alt-%c: copied %q, want %q", letter, out.String(), want)
			}
			s.shows("notes/recipes/bread.md")
		}
	})
}

// TestSuspendAndRedraw gives the terminal back with its wrap, and takes it again.
func TestSuspendAndRedraw(t *testing.T) {
	withScreen(t, 100, 30, Options{}, func(t *testing.T, s *screen) {
		var out bytes.Buffer
		s.model.terminal.out = &out
		s.press("ctrl+z")
		s.send(tea.ResumeMsg{})
		s.press("ctrl+l")
		if got := out.String(); got != "\x1b[?7h\x1b[?7l" {
			t.Errorf("the terminal got %q", got)
		}
		if want := []string{"tea.SuspendMsg", "tea.clearScreenMsg"}; !slices.Equal(s.other, want) {
			t.Errorf("asked of the program: %q, want %q", s.other, want)
		}
	})
}
