package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"dowse/internal/app"
)

// Exit statuses, fixed for scripts.
const (
	exitDone    = 0
	exitNothing = 1
	exitFailed  = 2
	exitSignal  = 130
)

// errNothing ends a command that worked and found nothing.
var errNothing = errors.New("nothing found")

// Main runs the command line and returns the exit status.
func Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot(&streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errNothing):
		return exitNothing
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "dowse: stopped; what was done so far is kept")
		return exitSignal
	default:
		fmt.Fprintln(os.Stderr, "dowse: "+printable(err.Error()))
		return exitFailed
	}
}

// streams are where a command reads and writes.
type streams struct {
	in       *os.File
	out, err io.Writer
}

// newRoot builds the command tree. The root command itself is the terminal
// UI, or with -q the one-shot query.
func newRoot(s *streams) *cobra.Command {
	var q queryFlags
	root := &cobra.Command{
		Use:   "dowse [DIR...]",
		Short: "Search your own files by words and by meaning",
		Long: `dowse searches your own files, by words and by meaning, in the terminal.

  dowse ~/notes               index the folder and search it on a full screen
  dowse -q "fix the dns"      print the best passages and exit
  dowse watch ~/notes         keep the index fresh in the background

A query may hold words, "phrases", -without, path:x, ext:md, after:2026-01, before:7d.`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       app.Version(),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if cmd.Flags().Changed("query") {
				return runQuery(cmd.Context(), s, q, dirs)
			}
			return runScreen(cmd.Context(), s, q, dirs)
		},
	}
	q.bind(root)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return fmt.Errorf("%w; see dowse --help", err)
	})
	root.AddCommand(
		newIndex(s), newWatch(s), newStatus(s), newCheck(s), newDoctor(s),
		newEval(s), newBench(s), newModels(s),
	)
	return root
}
