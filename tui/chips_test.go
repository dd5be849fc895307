package tui

import (
	"strings"
	"testing"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

// threeFolders has the index hold several folders, one of which is away.
func threeFolders(s *screen) {
	status := s.fake.status
	named := func(name, path string, state engine.State, why string) engine.Folder {
		return engine.Folder{NamedFolder: engine.NamedFolder{Name: name, Path: path}, State: state, Why: why}
	}
	status.Roots = []string{"/home/ada/mail", "/home/ada/notes", "/mnt/disk/old notes"}
	status.Named = []engine.Folder{
		named("mail", "/home/ada/mail", engine.Fresh, ""),
		named("notes", "/home/ada/notes", engine.Fresh, ""),
		named("old notes", "/mnt/disk/old notes", engine.Gone, "is not there any more"),
	}
	s.send(statusDone{&status, nil})
}

// TestChips: the rule names the folders, the query lights them, a click changes the query.
func TestChips(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		threeFolders(s)
		click := func(x int) {
			s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonLeft, X: x, Y: 1})
		}
		rule := func() string { return strings.Split(s.frame(), "\n")[1] }
		if got := rule(); !strings.HasSuffix(got, "─ mail  notes  old notes! ──") {
			t.Errorf("the rule is %q", got)
		}
		s.shows("old notes (/mnt/disk/old notes) is not there any more", "dowse folders move")
		s.typed("dns cache in:NOTES")
		if got := rule(); !strings.HasSuffix(got, "─ mail  [notes]  old notes! ──") {
			t.Errorf("the rule is %q", got)
		}
		column := func(name string) int {
			before, _, _ := strings.Cut(rule(), name)
			return len([]rune(before))
		}
		click(column("notes"))
		s.shows(" ❯ dns cache\n")
		s.hides("in:")
		click(column("old"))
		s.shows(` ❯ dns cache in:"old notes"`, "[old notes!]")
		click(column("mail"))
		s.shows(`in:"old notes" in:mail`, "[mail]  notes  [old notes!]")
		click(3)
		s.shows(`in:"old notes" in:mail`)
	})
	withScreen(t, 40, 12, Options{}, func(_ *testing.T, s *screen) {
		threeFolders(s)
		s.hides("notes  old")
	})
}

func TestToggleFolder(t *testing.T) {
	for _, c := range [][3]string{
		{"", "work", "in:work "},
		{"a b", "work", "a b in:work "},
		{"a in:work b", "work", "a b"},
		{`a in:"work"`, "work", "a"},
		{"a in:Work", "work", "a"},
		{"a in:work/sub", "work", "a in:work/sub in:work "},
		{"a -in:work", "work", "a -in:work in:work "},
		{`x in:"my notes" y`, "my notes", "x y"},
		{"in:work in:work", "work", ""},
	} {
		if got := toggleFolder(c[0], c[1]); got != c[2] {
			t.Errorf("toggleFolder(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
