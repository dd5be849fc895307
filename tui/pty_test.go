//go:build unix

package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"dowse/internal/testwait"
)

// patience is how long a test waits for the program; it never waits that long
// when all is well.
const patience = testwait.Patience

// session is a program that runs in a pseudo-terminal.
type session struct {
	t    *testing.T
	keys *os.File // what the person holds
	tty  *os.File // what the program holds
	done chan error

	mu  sync.Mutex
	out bytes.Buffer
}

func startSession(t *testing.T, fake *fakeSearcher, options Options) *session {
	t.Helper()
	t.Setenv("TERM", "vt100") // a terminal that understands escapes, without colour
	keys, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	if err := pty.Setsize(keys, &pty.Winsize{Cols: 100, Rows: 30}); err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, keys: keys, tty: tty, done: make(chan error, 1)}
	go s.read()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		fake.release()
		_ = tty.Close() // the reader ends with it
		_ = keys.Close()
	})
	options.Input, options.Output, options.Home = tty, tty, "/home/ada"
	go func() { s.done <- Run(ctx, fake, options) }()
	return s
}

func (s *session) read() {
	buf := make([]byte, 4096)
	for {
		n, err := s.keys.Read(buf)
		s.mu.Lock()
		s.out.Write(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// mark returns a place in the output; what is waited for must come after it.
func (s *session) mark() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Len()
}

// wait waits until the program has written text after mark.
func (s *session) wait(mark int, text string) {
	s.t.Helper()
	if testwait.For(patience, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return bytes.Contains(s.out.Bytes()[mark:], []byte(text))
	}) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.t.Fatalf("%q did not come; the terminal got %q", text, s.out.Bytes()[mark:])
}

func (s *session) send(keys string) {
	s.t.Helper()
	if _, err := s.keys.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// ended waits for Run to return.
func (s *session) ended() error {
	s.t.Helper()
	select {
	case err := <-s.done:
		return err
	case <-time.After(patience):
		s.t.Fatal("the program did not end")
		return nil
	}
}

// TestRunInTerminal types a query, sees the result, and quits; the terminal is
// as it was before.
func TestRunInTerminal(t *testing.T) {
	s := startSession(t, newFake(), Options{NoColor: true})
	before, err := term.GetState(s.tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	s.wait(0, "5 files")
	s.send("printer")
	s.wait(0, "Fixing DNS")
	mark := s.mark()
	s.send("\x03")
	if err := s.ended(); err != nil {
		t.Fatal(err)
	}
	for _, sequence := range []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?7h", "\x1b[?1002l", "\x1b[?2004l"} {
		s.wait(mark, sequence)
	}
	after, err := term.GetState(s.tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%+v", *before) != fmt.Sprintf("%+v", *after) {
		t.Errorf("the terminal is %+v, was %+v", *after, *before)
	}
}

// TestEditorInTerminal opens a result in an editor that writes its arguments
// down, and goes on with the search.
func TestEditorInTerminal(t *testing.T) {
	dir := t.TempDir()
	args, editor := filepath.Join(dir, "args"), filepath.Join(dir, "my editor", "vim")
	if err := os.Mkdir(filepath.Dir(editor), 0o755); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nif test -t 0 && test -t 1; then echo \"terminal $*\" > '" + args + "'; fi\n"
	if err := os.WriteFile(editor, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	s := startSession(t, newFake(), Options{NoColor: true, Editor: "'" + editor + "' -n"})
	s.send("printer")
	s.wait(0, "Fixing DNS")
	mark := s.mark()
	s.send("\r")
	s.wait(mark, "\x1b[?1049l")
	s.wait(mark, "\x1b[?1049h")
	got, err := os.ReadFile(args)
	if want := "terminal -n +1 /home/ada/notes/network/dns.md"; err != nil || strings.TrimSpace(string(got)) != want {
		t.Errorf("the editor got %q, %v; want %q", got, err, want)
	}
	mark = s.mark()
	s.send("\x15bread")
	s.wait(mark, "Sourdough")
	s.send("\x03")
	if err := s.ended(); err != nil {
		t.Fatal(err)
	}
}

// TestConversationInTerminal goes on with the conversation asked last: two keys, a
// question, and what was answered.
func TestConversationInTerminal(t *testing.T) {
	fake := newFake()
	fake.remember(time.Now())
	fake.answerer = flushing()
	s := startSession(t, fake, Options{NoColor: true})
	s.wait(0, "3 conversations")
	s.send("\x07")
	s.wait(0, "the printer")
	s.send("\r")
	s.wait(0, "what got it going again")
	mark := s.mark()
	s.send("dns")
	s.wait(mark, "enter")
	mark = s.mark()
	s.send("\r")
	s.wait(mark, "today")
	s.wait(mark, "3 questions")
	s.send("\x03")
	if err := s.ended(); err != nil {
		t.Fatal(err)
	}
	if c, err := fake.Conversation(t.Context(), "the printer"); err != nil || c.Count != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestRunEndsWithContext ends the program from outside while a search hangs.
func TestRunEndsWithContext(t *testing.T) {
	t.Setenv("TERM", "vt100")
	keys, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer func() { _ = keys.Close() }()
	defer func() { _ = tty.Close() }()
	s := &session{t: t, keys: keys, tty: tty, done: make(chan error, 1)}
	go s.read()
	fake := newFake()
	defer fake.release()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { s.done <- Run(ctx, fake, Options{Input: tty, Output: tty, Query: "slow", NoColor: true}) }()
	s.wait(0, "slow")
	cancel()
	if err := s.ended(); !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v, want %v", err, context.Canceled)
	}
}

func TestRunRefusesFiles(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if err := Run(t.Context(), newFake(), Options{Output: file}); !errors.Is(err, errNoTerminal) {
		t.Errorf("Run into a file returned %v", err)
	}
	if info, err := file.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("something was written: %v, %v", info, err)
	}
}
