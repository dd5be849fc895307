//go:build unix

package tui

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// TestPagerInTerminal reads the text of a document in the pager where no window
// can be opened, and goes on with the search.
func TestPagerInTerminal(t *testing.T) {
	if openers[runtime.GOOS] != "" {
		t.Skip("there is always a desktop")
	}
	dir := t.TempDir()
	log, pager := filepath.Join(dir, "log"), filepath.Join(dir, "pager")
	if err := os.WriteFile(pager, []byte("#!/bin/sh\ntest -t 1 && cat > '"+log+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	fake := newFake()
	const path = "/home/ada/notes/recipes/bread.md"
	fake.where = map[string]engine.Locator{path: {Label: "page 3", Parts: []engine.LocatorPart{{Unit: "page", Number: 3}}}}
	s := startSession(t, fake, Options{NoColor: true, Getenv: func(name string) string { return map[string]string{"PAGER": pager}[name] }})
	s.send("starter")
	s.wait(0, "Sourdough")
	mark := s.mark()
	s.send("\r")
	s.wait(mark, "\x1b[?1049l")
	s.wait(mark, "\x1b[?1049h")
	if got, err := os.ReadFile(log); err != nil || string(got) != fake.files[path] {
		t.Errorf("the pager got %q, %v; want %q", got, err, fake.files[path])
	}
	mark = s.mark()
	s.send("\x15printer")
	s.wait(mark, "DNS")
	s.send("\x03")
	if err := s.ended(); err != nil {
		t.Fatal(err)
	}
}

// TestPagerCommand goes to the line with pagers that take one.
func TestPagerCommand(t *testing.T) {
	for _, c := range []struct {
		pager, installed string
		want             []string
	}{
		{"less -R", "", []string{"less", "-R", "+7"}},
		{"most", "", []string{"most"}},
		{"", "less", []string{"less", "+7"}},
		{"", "more", []string{"more", "+7"}},
		{"", "", nil},
	} {
		o := Options{Getenv: func(string) string { return c.pager }, LookPath: func(name string) (string, error) {
			if name != c.installed {
				return "", os.ErrNotExist
			}
			return "/bin/" + name, nil
		}}
		got, err := pagerCommand(o, 7)
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%q, installed %q: %q, %v", c.pager, c.installed, got, err)
		}
		if err != nil && !strings.Contains(err.Error(), "set $PAGER") {
			t.Error(err)
		}
	}
}
