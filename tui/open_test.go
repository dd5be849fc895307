package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dowse/engine"
)

// What lies in a file within the file is opened as a copy of that, at its page; else the
// file itself is opened.
func TestPartsAreOpened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the viewer is a shell script")
	}
	dir := t.TempDir()
	viewer, log := filepath.Join(dir, "evince"), filepath.Join(dir, "log")
	if err := os.WriteFile(viewer, fmt.Appendf(nil, "#!/bin/sh\necho \"$@\" >'%s'\n", log), 0o700); err != nil {
		t.Fatal(err)
	}
	part := func(unit string, n int, name string) engine.LocatorPart {
		return engine.LocatorPart{Unit: unit, Number: n, Name: name}
	}
	failed := errors.New("the mailbox cannot be read")
	for name, c := range map[string]struct {
		parts  []engine.LocatorPart
		within engine.Where
		err    error
		args   string // of the viewer; "" where none is run
		says   string
		asked  bool
	}{
		"an attachment":     {[]engine.LocatorPart{part("message", 7, "Offer"), part("attachment", 0, "a.pdf"), part("page", 2, "")}, engine.Where{Locator: &engine.Locator{Label: "page 2", Parts: []engine.LocatorPart{part("page", 2, "")}}}, nil, "-i 2 /run/a.pdf", "opened in evince", true},
		"a message of chat": {[]engine.LocatorPart{part("message", 7, "Ann")}, engine.Where{}, engine.ErrNoPart, "/home/ada/notes/recipes/bread.md", "what was found is on the label", true},
		"damage":            {[]engine.LocatorPart{part("member", 0, "a.md")}, engine.Where{}, failed, "", "the mailbox cannot be read", true},
		"a page":            {[]engine.LocatorPart{part("page", 3, "")}, engine.Where{}, nil, "-i 3 /home/ada/notes/recipes/bread.md", "opened in evince", false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.Remove(log); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			asked := false
			options := Options{
				Getenv: func(name string) string { return map[string]string{viewerVariable: viewer}[name] },
				OpenPart: func(_ context.Context, path string, place engine.Locator) (string, engine.Where, error) {
					asked = path == "/home/ada/notes/recipes/bread.md" && len(place.Parts) == len(c.parts)
					return "/run/a.pdf", c.within, c.err
				},
			}
			withScreen(t, 120, 40, options, func(t *testing.T, s *screen) {
				s.fake.where = map[string]engine.Locator{"/home/ada/notes/recipes/bread.md": {Label: "the label", Parts: c.parts}}
				s.typed("bread")
				s.press("enter")
				s.shows(c.says)
			})
			got, err := os.ReadFile(log)
			if err != nil && c.args != "" {
				t.Fatal(err)
			}
			if strings.TrimSpace(string(got)) != c.args || asked != c.asked {
				t.Errorf("the viewer got %q, want %q; asked for the part %v, want %v", got, c.args, asked, c.asked)
			}
		})
	}
}
