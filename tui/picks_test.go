//go:build unix

package tui

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/testwait"
)

// TestPickAndCopy selects passages of two queries and copies them as quotations.
func TestPickAndCopy(t *testing.T) {
	withScreen(t, 100, 30, Options{}, func(t *testing.T, s *screen) {
		var out bytes.Buffer
		s.model.terminal.out = &out
		s.typed("starter")
		s.press("ctrl+v")
		s.shows("1✓…/bread.md", "1 selected · 1 result", "alt-c copy  alt-e write  alt-| command  esc none")
		s.press("ctrl+u")
		s.typed("printer")
		s.press("ctrl+v")
		s.shows("2 selected · 1 result")
		s.press("alt+c")
		s.shows("copied 2 quotations")
		encoded := out.String()[strings.LastIndexByte(out.String(), ';')+1:]
		text, err := base64.StdEncoding.DecodeString(strings.TrimRight(encoded, "\x07\x1b\\"))
		want := "— notes/recipes/bread.md:1\n\n> # Fixing DNS\n"
		if err != nil || !strings.Contains(string(text), want) || !strings.HasSuffix(string(text), "— notes/network/dns.md:1\n") {
			t.Errorf("copied %q, %v", text, err)
		}
		s.press("ctrl+v")
		s.pass(2 * noticeTime)
		s.shows("1 selected")
		s.press("esc")
		s.hides("selected")
		s.shows(" ❯ printer")
	})
}

// TestExport writes the selection into a new file, and never over another one.
func TestExport(t *testing.T) {
	t.Chdir(t.TempDir())
	withScreen(t, 100, 30, Options{}, func(t *testing.T, s *screen) {
		s.typed("dns cache")
		s.press("ctrl+v", "ctrl+v", "alt+e")
		s.shows("file ❯ dns-cache.md", "writes 2 quotations into a file")
		s.press("enter")
		s.shows("written to ", " ❯ dns cache")
		text, err := os.ReadFile("dns-cache.md")
		if err != nil || !strings.HasPrefix(string(text), "# dns cache\n\n> ") || strings.Count(string(text), "\n— ") != 2 {
			t.Errorf("the file has %q, %v", text, err)
		}
		s.press("alt+e", "enter")
		s.shows("dns-cache.md already; give another name")
		s.press("alt+e", "ctrl+u")
		s.typed("no/such/x.md")
		s.press("enter")
		s.shows("there is no folder ")
		s.press("alt+e", "esc")
		s.shows(" ❯ dns cache")
		if files, err := os.ReadDir("."); err != nil || len(files) != 1 {
			t.Errorf("%v, %v", files, err)
		}
	})
}

// TestPipeInTerminal gives the selection to a command of the shell, whose output the
// pager gets.
func TestPipeInTerminal(t *testing.T) {
	dir := t.TempDir()
	log, pager := filepath.Join(dir, "log"), filepath.Join(dir, "pager")
	if err := os.WriteFile(pager, []byte("#!/bin/sh\ntest -t 1 && cat > '"+log+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := startSession(t, newFake(), Options{NoColor: true, Getenv: func(name string) string {
		return map[string]string{"PAGER": pager, "SHELL": "/bin/sh"}[name]
	}})
	s.send("printer")
	s.wait(0, "Fixing DNS")
	s.send("\x1b|")
	s.wait(0, "pipe ❯")
	mark := s.mark()
	s.send("head -1; echo \"$@\"\r")
	s.wait(mark, "\x1b[?1049l")
	s.wait(mark, "\x1b[?1049h")
	want := "# Fixing DNS\n/home/ada/notes/network/dns.md\n"
	if got, err := os.ReadFile(log); err != nil || string(got) != want {
		t.Errorf("the pager got %q, %v; want %q", got, err, want)
	}
	mark = s.mark()
	s.send("\x1b|exit 3\r")
	s.wait(mark, "exit 3: exit status 3")
	started := filepath.Join(dir, "started")
	s.send("\x1b|touch " + started + "; sleep 100\r")
	if !testwait.For(patience, func() bool { _, err := os.Stat(started); return err == nil }) {
		t.Fatal("the command did not start")
	}
	mark = s.mark()
	s.send("\x1b")
	s.wait(mark, "was ended")
	s.send("\x03")
	if err := s.ended(); err != nil {
		t.Fatal(err)
	}
}

// TestReveal says where the folder is if there is no desktop to show it on.
func TestReveal(t *testing.T) {
	withScreen(t, 100, 30, Options{}, func(t *testing.T, s *screen) {
		if hasDesktop(s.model.options.Getenv) {
			t.Skip("there is always a desktop")
		}
		s.typed("starter")
		s.press("alt+o")
		s.shows("the folder is /home/ada/notes/recipes")
	})
	o := Options{Getenv: func(string) string { return ":0" }, LookPath: func(string) (string, error) { return "/bin/xdg-open", nil }}
	if args := revealCommand(o, "/a b/c.pdf"); len(args) == 0 || openers["linux"] == "" && args[0] == "xdg-open" && args[1] != "/a b" {
		t.Errorf("%q", args)
	}
}
