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
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	// A second Ctrl-C ends at once. One that comes when all is said changes nothing,
	// so nobody else stops.
	context.AfterFunc(ctx, stop)
	s := &streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, colour: colourAuto}
	root := newRoot(s)
	root.SetArgs(args)
	for _, told := range unknownVariables(os.Environ()) {
		s.warn(told)
	}
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
		s.fail(err)
		return exitFailed
	}
}

// endSignals are the signals that end dowse in good order. A hangup that was
// ignored when dowse was started (nohup does that) stays ignored; an interrupt
// does not, since scripts ignore it for all that they start with &.
func endSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	colour   colour
}

// note tells the person something, in one line, that may name files, models or
// servers.
func (s *streams) note(what string) { fmt.Fprintln(s.err, oneLine(what)) }

// tell tells, while something goes on, what a person should know.
func (s *streams) tell(what string) { s.note("dowse: " + what) }

// fail tells in one line why a command failed.
func (s *streams) fail(err error) { s.note("dowse: " + err.Error()) }

// warn tells of what stops nothing.
func (s *streams) warn(what string) { s.note("dowse: " + what) }

// newRoot builds the command tree. The root command itself is the terminal
// UI, or with -q the one-shot query.
func newRoot(s *streams) *cobra.Command {
	var q queryFlags
	root := &cobra.Command{
		Use:   "dowse [DIR...]",
		Short: "Search your own files by words and by meaning",
		Long: `dowse searches your own files, by words and by meaning, in the terminal.

  dowse ~/notes               index the folder and search it on a full screen
  dowse --plain ~/notes       the same line by line, for screen readers
  dowse -q "fix the dns"      print the best passages and exit
  dowse -q "who wrote grep?" --answer
                              answer from them, with citations
  dowse -q "and when?" --answer --context grep
                              go on with a conversation, tomorrow too
  dowse related note.md:12    print the passages most like that one
  dowse watch ~/notes         keep the index fresh in the background

A query may hold words, "phrases", =AsWritten, grep:/regex/, -without, path:x, ext:md, type:pdf,
tag:garden, from:ann, after:2026-01, before:7d.`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       app.Version(),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := unknown(cmd, dirs); err != nil {
				return err
			}
			if cmd.Flags().Changed("context") && q.context == "" {
				return errors.New("--context needs the name of a conversation; dowse contexts lists those that are kept")
			}
			if cmd.Flags().Changed("query") {
				return runQuery(cmd.Context(), s, q, dirs)
			}
			return runScreen(cmd.Context(), s, q, dirs)
		},
	}
	q.bind(root)
	root.PersistentFlags().Var(&s.colour, "color", "colour what is printed: auto, always or never")
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newRelated(s), newRead(s), newList(s), newMCP(s), newSkill(s), newIndex(s), newWatch(s), newFolders(s), newPack(s), newServe(s), newConfig(s), newService(s),
		newMan(), newStatus(s), newCheck(s), newDoctor(s), newVersion(s),
		newEval(s), newCalibrate(s), newModels(s), newContexts(s), newForget(s),
	)
	strict(root)
	complete(root)
	return root
}

// strict makes wrong arguments an error that says where to look, at every
// command below parent. Left to itself cobra answers a misspelt verb of a
// group with its help and success.
func strict(parent *cobra.Command) {
	for _, cmd := range parent.Commands() {
		if cmd.HasSubCommands() {
			cmd.Args = cobra.NoArgs
			if cmd.RunE == nil {
				cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			}
		}
		if check := cmd.Args; check != nil {
			cmd.Args = func(cmd *cobra.Command, args []string) error {
				if err := check(cmd, args); err != nil {
					hint := ""
					if cmd.HasSubCommands() && len(args) > 0 {
						hint = didYouMean(args[0], commandNames(cmd))
					}
					return fmt.Errorf("%w%s; see %s --help", err, hint, cmd.CommandPath())
				}
				return nil
			}
		}
		strict(cmd)
	}
}
