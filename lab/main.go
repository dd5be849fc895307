// Lab measures dowse: scenarios of speed (lab bench), judged collections (lab eval), and
// tests that fit numbers (package measure). It is a program of its own, so that the one
// that people install knows nothing of it:
//
//	go run ./lab bench embed ~/notes
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"dowse/internal/app"
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs the command line and returns the exit status.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := newRoot(streams{out: os.Stdout, err: os.Stderr})
	root.SetArgs(args)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		return 2
	}
	return 0
}

// streams are where a command writes.
type streams struct{ out, err io.Writer }

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "lab",
		Short:         "Measure dowse",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       app.Version(),
	}
	root.AddCommand(newBench(s), newEval(s))
	root.SetOut(s.out)
	root.SetErr(s.err)
	return root
}

// writeJSON prints one object on one line.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// progressLine says how far a measurement is, in a line for each phase.
type progressLine struct {
	w     io.Writer
	phase string
}

func (p *progressLine) counted(phase string, done, total int) {
	if phase != p.phase {
		p.phase = phase
		fmt.Fprintf(p.w, "%s: %d of %d\n", phase, done, total)
	}
}

// done ends the phase.
func (p *progressLine) done() { p.phase = "" }
