package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
)

// errNoTerminal refuses to draw a screen into a pipe or a file.
var errNoTerminal = errors.New("the output is not a terminal; use dowse -q QUERY for results as text")

// TakesEscapes reports whether terminals of a kind, as TERM names it, understand escape
// sequences. The shells of Emacs and some consoles name themselves dumb, or nothing; on Windows no
// terminal names itself.
func TakesEscapes(kind string) bool {
	return kind != "dumb" && (kind != "" || runtime.GOOS == "windows")
}

// Width is how many columns of a terminal text takes.
func Width(text string) int { return width(text) }

// CheckTerminal says why no screen can be drawn on an output; nil where one can.
func CheckTerminal(output io.Writer) error {
	file, ok := output.(*os.File)
	if !ok {
		return nil
	}
	if !term.IsTerminal(file.Fd()) {
		return errNoTerminal
	}
	if kind := os.Getenv("TERM"); !TakesEscapes(kind) {
		return fmt.Errorf("this terminal cannot show a screen (TERM is %q); use dowse -q QUERY for results as text", kind)
	}
	return nil
}

// Source is what the screen shows and asks: an index, and the conversations about it.
type Source interface {
	engine.Searcher
	engine.Conversations
	engine.Budgeter
	engine.Completer
	engine.Lister
}

// Run shows the terminal UI until the person leaves or ctx ends, and gives the
// terminal back as it was. It does not close the source. The error is nil
// when the person left, ctx.Err() when ctx ended, and otherwise says why the
// terminal could not be used.
func Run(ctx context.Context, source Source, opts Options) error {
	opts = opts.withDefaults()
	if err := CheckTerminal(opts.Output); err != nil {
		return err
	}
	// What the program started ends with it, also what it waits for.
	inner, cancel := context.WithCancel(ctx)
	defer cancel()

	terminal, output := newTerminal(opts.Output)
	options := []tea.ProgramOption{
		tea.WithAltScreen(),
		tea.WithMouseCellMotion(),
		tea.WithOutput(output),
	}
	if opts.Input != nil {
		options = append(options, tea.WithInput(opts.Input))
	}
	if err := terminal.setWrap(false); err != nil {
		return err
	}
	program := tea.NewProgram(newModel(inner, source, opts, terminal), options...)
	// The program is asked to leave, not killed by tea.WithContext: a killed
	// one closes its input under the goroutine that still reads from it.
	defer context.AfterFunc(ctx, program.Quit)()
	_, err := program.Run()
	if wrapErr := terminal.setWrap(true); err == nil {
		err = wrapErr
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil, errors.Is(err, tea.ErrInterrupted):
		return nil
	default:
		return fmt.Errorf("terminal UI: %w; use dowse -q for a search without it", err)
	}
}
