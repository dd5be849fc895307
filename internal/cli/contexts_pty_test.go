//go:build unix

package cli

import (
	"strings"
	"testing"
)

func TestDeletingAsksOnATerminal(t *testing.T) {
	home, cache := t.TempDir(), t.TempDir()
	keptIn(t, home, cache, "birds")
	deletion := func(flags ...string) *terminal {
		return startTerminal(t, dowse(home, cache, append([]string{"contexts", "delete", "birds"}, flags...)...))
	}
	for _, no := range []string{"n\n", "\n", "\x04"} {
		s := deletion()
		s.wait("delete birds (1 question, ")
		if _, err := s.keys.WriteString(no); err != nil {
			t.Fatal(err)
		}
		if status := s.status(); status != exitNothing || !strings.Contains(s.text(), "nothing was deleted") {
			t.Errorf("after %q: status %d, %q", no, status, s.text())
		}
	}
	s := deletion()
	s.wait("[y/N]")
	if status, _ := s.interrupt(); status != exitSignal {
		t.Errorf("after Ctrl-C: status %d, %q", status, s.text())
	}
	s = deletion()
	s.wait("[y/N]")
	if _, err := s.keys.WriteString("y\n"); err != nil {
		t.Fatal(err)
	}
	if status := s.status(); status != exitDone || !strings.Contains(s.text(), "deleted birds: 1 question, ") {
		t.Errorf("status %d, %q", status, s.text())
	}
	keptIn(t, home, cache, "birds")
	if s = deletion("--yes"); s.status() != exitDone || strings.Contains(s.text(), "[y/N]") {
		t.Errorf("with --yes: %q", s.text())
	}
}
