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

// TestNoScreenOnADumbTerminal: it is refused before anything is indexed, with what to use instead.
func TestNoScreenOnADumbTerminal(t *testing.T) {
	home, cache := t.TempDir(), t.TempDir()
	for environment, says := range map[string]string{
		"TERM=dumb": `this terminal cannot show a screen (TERM is "dumb"); use dowse -q QUERY for results as text`,
		"TERM=":     `this terminal cannot show a screen (TERM is ""); use dowse -q QUERY for results as text`,
	} {
		cmd := dowse(home, cache, t.TempDir())
		cmd.Env = append(cmd.Env, environment)
		s := startTerminal(t, cmd)
		if status := s.status(); status != exitFailed || s.text() != "dowse: "+says+"\n" {
			t.Errorf("%s: status %d, %q", environment, status, s.text())
		}
	}
	if made, err := os.ReadDir(home); err != nil || len(made) != 0 {
		t.Errorf("the home has %v, %v", made, err)
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
