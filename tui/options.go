package tui

import (
	"context"
	"io"
	"os"

	"dowse/engine"
	"dowse/internal/child"
)

// Options says how the terminal UI starts. The zero value is ready to use.
type Options struct {
	Query   string   // the first query; "" starts with an empty line
	In      []string // absolute folders to search; empty means all
	Version string   // shown in the help; "" shows none
	Home    string   // drawn as ~ in paths; "" means $HOME
	Editor  string   // command that opens files; "" means $VISUAL, then $EDITOR

	// NoColor draws with bold and faint alone. It is also set by a NO_COLOR
	// that is not empty. TERM=dumb draws plain text.
	NoColor bool

	Input  io.Reader // nil means the terminal
	Output io.Writer // nil means os.Stdout

	// OpenPart writes a copy of a file within a file for a viewer, and returns where it is and
	// the place within it. The error wraps engine.ErrNoPart where the place is in none. nil: the
	// file itself is opened.
	OpenPart func(ctx context.Context, path string, place engine.Locator) (file string, within engine.Where, err error)

	Getenv   func(string) string          // nil means os.Getenv
	LookPath func(string) (string, error) // nil means child.Find
}

// withDefaults fills what the caller left out.
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
