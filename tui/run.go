package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/termenv"

	"dowse/engine"
	"dowse/internal/child"
	"dowse/tui/tty"
)

// restingFPS is how often the renderer of Bubble Tea looks for a frame: as seldom as
// it can, since painter draws.
const restingFPS = 1

// spareProcessors is how many goroutines may run beyond those that keep the processors
// busy: a call into a kernel holds one of Go's for a while, and a key that comes then
// waits until one is taken from it, 6 ms for the slowest hundredth; with six more than
// processors there is one left, and the system lets what has slept go first.
const spareProcessors = 6

var errNoTerminal = errors.New("the output is not a terminal; use dowse -q QUERY for results as text")

// TakesEscapes reports whether a kind of terminal, as in TERM, understands
// escape sequences. The shells of Emacs and some consoles are "dumb" or
// unnamed; on Windows no terminal has a name.
func TakesEscapes(kind string) bool {
	return kind != "dumb" && (kind != "" || runtime.GOOS == "windows")
}

// Width is the number of terminal columns of text.
func Width(text string) int { return width(text) }

// CheckTerminal says why no screen can be drawn on an output, or nil.
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

// Source is what the screen shows: an index, and conversations about it.
type Source interface {
	engine.Searcher
	engine.Conversations
	engine.Budgeter
	engine.Completer
	engine.FolderKeeper
	engine.Lister
}

// Run shows the terminal UI until the person leaves or ctx ends, and restores
// the terminal. It does not close the source. The error is nil when the person
// left, ctx.Err() when ctx ended, and otherwise says why the terminal could not
// be used.
func Run(ctx context.Context, source Source, opts Options) error {
	opts = opts.withDefaults()
	if err := CheckTerminal(opts.Output); err != nil {
		return err
	}
	before := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(before + spareProcessors)
	defer runtime.GOMAXPROCS(before)
	// Processes that the program started end with it.
	inner, cancel := context.WithCancel(ctx)
	defer cancel()

	terminal, output := newTerminal(opts.Output)
	options := []tea.ProgramOption{
		tea.WithAltScreen(),
		tea.WithMouseCellMotion(),
		tea.WithOutput(output),
		tea.WithFPS(restingFPS),
	}
	input := opts.Input
	if input == nil {
		file, closeInput, err := tty.Open()
		if err != nil {
			return err
		}
		defer closeInput()
		input = file
	}
	options = append(options, tea.WithInput(tty.Wrap(input)))
	if err := terminal.setWrap(false); err != nil {
		return err
	}
	program := tea.NewProgram(&painter{model: newModel(inner, source, opts, terminal), out: terminal}, options...)
	// Quit, because a program killed by tea.WithContext closes its input under
	// the goroutine that reads it.
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

// Options says how the terminal UI starts. The zero value is ready to use.
type Options struct {
	Query   string   // the first query; "" starts with an empty line
	In      []string // absolute folders to search; empty means all
	Version string   // shown in the help; "" shows none
	Home    string   // drawn as ~ in paths; "" means $HOME
	Editor  string   // command that opens files; "" means $VISUAL, then $EDITOR

	// NoColor draws with bold and faint alone. A non-empty NO_COLOR sets it
	// too. TERM=dumb draws plain text.
	NoColor bool

	Input  io.Reader // nil means the terminal
	Output io.Writer // nil means os.Stdout

	// OpenPart writes a copy of a file within a file for a viewer, and returns
	// it with the place in it. The error wraps engine.ErrNoPart where the place
	// is in no part. nil: viewers get the file itself.
	OpenPart func(ctx context.Context, path string, place engine.Locator) (file string, within engine.Where, err error)

	// Keys are other keys of actions, parted by blanks: "answer" to "ctrl-r f12".
	Keys map[string]string
	// Theme is "light", "dark" or "contrast"; "" and "auto" follow the terminal.
	Theme string
	// Still has nothing move but by a key: results stay until their ranking ends.
	Still bool

	Choose  bool               // opens the list of folders where none is indexed
	Queries QueryKeeper        // keeps queries; nil: they are forgotten
	Models  engine.ModelKeeper // lists and changes models; nil: there is no such list

	profile *termenv.Profile // colours that the output has; nil: as it says

	Getenv   func(string) string          // nil means os.Getenv
	LookPath func(string) (string, error) // nil means child.Find
}

func (o Options) withDefaults() Options {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.LookPath == nil {
		o.LookPath = child.Find
	}
	if o.Home == "" {
		o.Home = o.Getenv("HOME")
	}
	if o.Output == nil {
		o.Output = os.Stdout
	}
	if o.Getenv("NO_COLOR") != "" {
		o.NoColor = true
	}
	return o
}
