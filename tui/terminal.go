package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"dowse/internal/child"
	"dowse/tui/tty"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// terminal is the output. A frame is one Write; the lock keeps other output out of
// it.
type terminal struct {
	mu   sync.Mutex
	out  io.Writer
	anew bool // the terminal may show anything: all lines are drawn
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.Write(p)
}

// paint writes a frame, unless nothing is to be written. It is made by what is
// told whether the screen has to be drawn anew.
func (t *terminal) paint(frame func(anew bool) []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b := frame(t.anew); len(b) > 0 {
		_, _ = t.out.Write(b) // a terminal that is gone ends the program by its input
	}
	t.anew = false
}

// programTerminal is the terminal of Bubble Tea.
type programTerminal struct{ *terminal }

// Write passes on what sets modes of the terminal or clears it, after which the
// next frame is drawn anew. It drops the frames of Bubble Tea, which begin at
// the upper left.
func (t programTerminal) Write(p []byte) (int, error) {
	if len(p) > len(ansi.CursorHomePosition) && bytes.HasPrefix(p, []byte(ansi.CursorHomePosition)) {
		return len(p), nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.anew = true
	return t.out.Write(p)
}

// terminalFile is a terminal on a file, which Bubble Tea asks for the screen's
// size.
type terminalFile struct {
	programTerminal
	*os.File
}

// Write is that of the terminal.
func (t terminalFile) Write(p []byte) (int, error) { return t.programTerminal.Write(p) }

// newTerminal wraps an output; program is for Bubble Tea.
func newTerminal(output io.Writer) (t *terminal, program io.Writer) {
	t = &terminal{out: output}
	if file, ok := output.(*os.File); ok {
		return t, terminalFile{programTerminal{t}, file}
	}
	return t, programTerminal{t}
}

// setWrap switches the terminal's line wrap. It is off while the screen is
// ours: a line that the terminal measures wider than we do is clipped instead
// of pushing the screen up.
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

// editorProcess is an editor, or a pager of a text.
type editorProcess struct {
	*child.Cmd
	terminal *terminal
	text     *string // for the standard input; nil gives it the terminal
}

// Run lends the terminal to the editor until it ends.
func (e editorProcess) Run() error {
	if err := e.terminal.setWrap(true); err != nil {
		return err
	}
	return errors.Join(e.Cmd.Run(), e.terminal.setWrap(false))
}

// SetStdin gives an editor the terminal itself, and a pager its text.
func (e editorProcess) SetStdin(r io.Reader) {
	if e.text != nil {
		e.Stdin = strings.NewReader(*e.text)
		return
	}
	if in, ok := r.(*tty.Input); ok {
		r = in.File
	}
	e.Stdin = r
}

// SetStdout gives the editor the screen itself, since it needs a terminal.
func (e editorProcess) SetStdout(io.Writer) { e.Stdout = e.terminal.out }

func (e editorProcess) SetStderr(w io.Writer) { e.Stderr = w }

// suspend gives the terminal back to the shell until the program is continued.
func (t *terminal) suspend() tea.Msg {
	_ = t.setWrap(true) // the shell writes on at worst
	return tea.Suspend()
}

// copy hands text to the terminal's clipboard by OSC 52, in base64; it works
// over ssh.
func (t *terminal) copy(text string) error {
	if _, err := io.WriteString(t, ansi.SetSystemClipboard(text)); err != nil {
		return fmt.Errorf("copy to the clipboard: %w", err)
	}
	return nil
}
