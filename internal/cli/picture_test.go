//go:build unix

package cli

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"dowse/internal/testcache"
	"dowse/internal/testwait"
	"dowse/tui/cells"
)

var update = flag.Bool("update", false, "write the pictures of the screen anew")

// takes is what is not the same twice in a picture: the time of a search.
var takes = regexp.MustCompile(`[0-9.]+ m?s\b`)

// TestPicture draws the README's picture with the program itself, over the notes
// of testdata: README.md has it as text, docs/screen.svg in colours. After a change
// that is meant: go test ./internal/cli -run TestPicture -update.
func TestPicture(t *testing.T) {
	const readme, svg = "../../README.md", "../../docs/screen.svg"
	page, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), "```\n ❯ ")
	old, after, closed := strings.Cut(rest, "\n```")
	if !found || !closed {
		t.Fatalf("%s has no picture", readme)
	}
	home, cache, person := t.TempDir(), testcache.Dir(t), t.TempDir()
	notes := filepath.Join(person, "notes")
	copyNotes(t, notes)
	index(t, home, cache, notes)
	// By default as many candidates are read as the machine has time for.
	settings := "[rerank]\ntime = \"1m\"\ndepth = 20\n[screen]\nmotion = false\n"
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	draw := func(w, h int, want func(*cells.Screen) string, as string) string {
		cmd := dowse(home, cache, notes)
		cmd.Env = append(cmd.Env, "HOME="+person, "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=")
		return picture(t, cmd, w, h, want, as)
	}
	got := draw(96, 10, func(s *cells.Screen) string { return strings.TrimPrefix(s.Text(), " ❯ ") }, old)
	drawn, err := os.ReadFile(svg)
	if err != nil && !*update {
		t.Fatal(err)
	}
	colours := draw(110, 28, func(s *cells.Screen) string {
		return s.SVG(cells.Theme{Background: "#1e1e1e", Foreground: "#d7dae0"})
	}, string(drawn))
	if *update {
		if err := os.WriteFile(readme, []byte(before+"```\n ❯ "+got+"\n```"+after), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(svg, []byte(colours), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if timeless(old) != timeless(got) {
		t.Errorf("the picture in %s is\n%s\nand the program draws\n%s\nwrite it with -update", readme, old, got)
	}
	if timeless(string(drawn)) != timeless(colours) {
		t.Errorf("%s is not what the program draws; write it with -update", svg)
	}
}

// timeless takes the times out of a picture, and what stands where because of
// their length.
func timeless(picture string) string {
	picture = takes.ReplaceAllString(picture, "0 ms")
	lines := strings.Split(picture, "\n")
	for i, line := range lines {
		if strings.Contains(line, "0 ms") {
			lines[i] = strings.Join(strings.Fields(regexp.MustCompile(`(x|textLength)="[0-9.]+"`).ReplaceAllString(line, "")), " ")
		}
	}
	return strings.Join(lines, "\n")
}

// picture asks a question on a screen of w times h cells, until what is wanted of
// it is as it was, or stays as it is.
func picture(t *testing.T, cmd *exec.Cmd, w, h int, want func(*cells.Screen) string, as string) string {
	t.Helper()
	const rest = 5 * time.Second // in which a ranking ends
	s := startTerminal(t, cmd)
	if err := pty.Setsize(s.keys, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		t.Fatal(err)
	}
	say := func(keys string) {
		t.Helper()
		if _, err := s.keys.WriteString(keys); err != nil {
			t.Fatal(err)
		}
	}
	screen := func() *cells.Screen {
		c := cells.New(w, h)
		_, _ = c.Write([]byte(strings.ReplaceAll(s.text(), "\n", "\r\n")))
		return c
	}
	s.wait("\x1b[6n")
	say("\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b[1;1R")
	for _, step := range [][2]string{{"33 files", "why did websites stop loading"}, {"30 results", ""}} {
		if !testwait.For(patience, func() bool { return strings.Contains(screen().Text(), step[0]) }) {
			t.Fatalf("the screen does not show %q:\n%s", step[0], screen().Text())
		}
		say(step[1])
	}
	drawn, since := want(screen()), time.Now()
	testwait.For(patience, func() bool {
		if now := want(screen()); now != drawn {
			drawn, since = now, time.Now()
		}
		if *update {
			return time.Since(since) > rest
		}
		return timeless(drawn) == timeless(as)
	})
	return drawn
}

// copyNotes copies the notes of testdata, each with an age of its own.
func copyNotes(t *testing.T, to string) {
	t.Helper()
	from := os.DirFS("../../testdata/notes")
	age := 0
	err := fs.WalkDir(from, ".", func(path string, d fs.DirEntry, err error) error {
		target := filepath.Join(to, path)
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(target, 0o700))
		}
		data, err := fs.ReadFile(from, path)
		if err != nil {
			return err
		}
		age += 9
		when := time.Now().Add(-time.Duration(age)*24*time.Hour - time.Hour)
		if err := os.WriteFile(target, data, 0o600); err != nil {
			return err
		}
		return os.Chtimes(target, when, when)
	})
	if err != nil {
		t.Fatal(err)
	}
}
