package tui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"dowse/internal/child"

	"github.com/charmbracelet/x/ansi"
)

// terminal is the output. Bubble Tea writes a frame with one Write, and the
// lock keeps what else is sent from landing inside of one.
type terminal struct {
	mu  sync.Mutex
	out io.Writer
}

// Write sends p as one piece.
func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.Write(p)
}

// fileTerminal is a terminal that is a file, as Bubble Tea needs it to ask
// for the size of the screen.
type fileTerminal struct {
	*terminal
	*os.File
}

// Write sends p through the lock, not to the file behind its back.
func (t fileTerminal) Write(p []byte) (int, error) { return t.terminal.Write(p) }

// newTerminal wraps an output; program is what Bubble Tea is given.
func newTerminal(output io.Writer) (t *terminal, program io.Writer) {
	t = &terminal{out: output}
	if file, ok := output.(*os.File); ok {
		return t, fileTerminal{t, file}
	}
	return t, t
}

// setWrap turns the terminal's automatic line wrap on or off. It is off while
// the screen is ours: a line that the terminal finds wider than we do is then
// clipped, where it would push the whole screen up.
func (t *terminal) setWrap(on bool) error {
	sequence := ansi.ResetModeAutoWrap
	if on {
		sequence = ansi.SetModeAutoWrap
	}
	if _, err := io.WriteString(t, sequence); err != nil {
		return fmt.Errorf("set up the terminal: %w", err)
	}
	return nil
}

// editorProcess runs an editor with the terminal as it expects it.
type editorProcess struct {
	*child.Cmd
	terminal *terminal
}

// Run lends the terminal to the editor until it ends.
func (e editorProcess) Run() error {
	if err := e.terminal.setWrap(true); err != nil {
		return err
	}
	return errors.Join(e.Cmd.Run(), e.terminal.setWrap(false))
}

// SetStdin gives the editor the keyboard.
func (e editorProcess) SetStdin(r io.Reader) { e.Stdin = r }

// SetStdout gives the editor the screen itself: it must be a terminal to it,
// which our wrapped output would not be.
func (e editorProcess) SetStdout(io.Writer) { e.Stdout = e.terminal.out }

// SetStderr gives the editor a place for complaints.
func (e editorProcess) SetStderr(w io.Writer) { e.Stderr = w }

// copy hands text to the clipboard of the terminal, which may be at the other
// end of an ssh connection, with OSC 52. The text travels as base64.
func (t *terminal) copy(text string) error {
	if _, err := io.WriteString(t, ansi.SetSystemClipboard(text)); err != nil {
		return fmt.Errorf("copy to the clipboard: %w", err)
	}
	return nil
}
