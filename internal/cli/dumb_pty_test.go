//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoEscapesWhereNoneAreUnderstood runs commands on real terminals that name themselves dumb, or
// nothing, or whose person wants no colour: nothing that they write has an escape sequence.
func TestNoEscapesWhereNoneAreUnderstood(t *testing.T) {
	home, cache := notesWith(t, nil, "")
	notes, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(notes, "dns.md"), []byte("# DNS\n\nThe resolver was restarted.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	commands := [][]string{
		{"-q", "who wrote grep?"}, {"-q", "who wrote grep?", "--answer"}, {"index", notes}, {"related", filepath.Join(notes, "dns.md")},
		{"status"}, {"check"}, {"models", "list"}, {"models", "pull", "dowse-embed-6"}, {"contexts"}, {"--help"}, {"doctor"}, {"nonsense"},
	}
	for name, environment := range map[string][]string{
		"dumb": {"TERM=dumb"}, "emacs": {"TERM=dumb", "INSIDE_EMACS=30.1,comint"}, "unset": {"TERM="}, "no colour": {"TERM=xterm-256color", "NO_COLOR=1"},
		"no colour of old": {"TERM=xterm-256color", "CLICOLOR=0"},
	} {
		for i, args := range commands {
			if name != "dumb" && i > 2 { // the same code writes the others
				continue
			}
			cmd := dowse(home, cache, args...)
			cmd.Env = append(cmd.Env, environment...)
			s := startTerminal(t, cmd)
			s.status()
			if text := s.text(); strings.Contains(text, "\x1b") || len(text) == 0 && args[0] != "contexts" && args[0] != "models" {
				t.Errorf("%s: dowse %s wrote %q", name, strings.Join(args, " "), text)
			}
		}
	}
}

// TestPlainOnADumbTerminal: questions and answers come line by line, without an escape
// sequence; --plain does the same elsewhere.
func TestPlainOnADumbTerminal(t *testing.T) {
	home, cache := notesWith(t, nil, "")
	for environment, args := range map[string][]string{"TERM=dumb": nil, "TERM=": nil, "TERM=xterm-256color": {"--plain"}} {
		cmd := dowse(home, cache, args...)
		cmd.Env = append(cmd.Env, environment)
		s := startTerminal(t, cmd)
		if _, err := s.keys.WriteString("more\nwho wrote grep\n? who wrote grep\nzzzqqq -a\nquit\n"); err != nil {
			t.Fatal(err)
		}
		if status := s.status(); status != exitDone {
			t.Errorf("%s: status %d, %q", environment, status, s.text())
		}
		text := s.text()
		if strings.Contains(text, "\x1b") {
			t.Errorf("%s: an escape sequence in %q", environment, text)
		}
		for _, want := range []string{"question: ", "ask a question first", "Ken Thompson wrote grep", "[1]"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q lacks %q", environment, text, want)
			}
		}
	}
}

// TestColourWhereItIsUnderstood is the other side: an ordinary terminal gets it.
func TestColourWhereItIsUnderstood(t *testing.T) {
	home, cache := notesWith(t, nil, "")
	cmd := dowse(home, cache, "-q", "who wrote grep?")
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	s := startTerminal(t, cmd)
	if s.status(); !strings.Contains(s.text(), "\x1b[") {
		t.Errorf("without colour: %q", s.text())
	}
}
