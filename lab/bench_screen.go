package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/lab/bench"
)

// Defaults of the measurement of a screen: somebody who types fast.
const (
	screenEvery  = 120 * time.Millisecond
	screenSettle = 2 * time.Second
)

func newBenchScreen(s streams) *cobra.Command {
	var opts bench.ScreenOptions
	cmd := &cobra.Command{
		Use:   "screen -- COMMAND...",
		Short: "Measure how fast a program on a terminal draws what is typed",
		Long: `Screen runs a command in a terminal of its own, types into it, and reads what
it draws as a terminal would. A key is measured until the frame is there that shows
its letter behind --prompt. Other programs are measured in the same way:

  bin/lab bench screen -- bin/dowse ~/notes
  find ~/notes -type f > list; bin/lab bench screen --prompt "> " -- sh -c "fzf < list"`,
		Args: cobra.MinimumNArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, _ *app.App, args []string, progress bench.Progress) (bench.Report, error) {
		opts.Command = args
		report, err := bench.Screen(ctx, opts, progress)
		if err != nil {
			return nil, err
		}
		return report, nil
	})
	f := cmd.Flags()
	f.StringVar(&opts.First, "first", "", "keys before the measurement")
	f.StringVar(&opts.Clear, "clear", "\x15", "keys that clear the line")
	f.StringVar(&opts.Prompt, "prompt", "❯ ", "what stands before the typed text")
	f.StringVar(&opts.Text, "text", "resolver cache timeout", "what is typed")
	f.IntVar(&opts.Rounds, "rounds", 10, "how often it is typed")
	f.DurationVar(&opts.Every, "every", screenEvery, "time between two keys")
	f.DurationVar(&opts.Settle, "settle", screenSettle, "time before the first key")
	f.DurationVar(&opts.Idle, "idle", 10*time.Second, "how long it is watched while nothing is typed")
	f.IntVar(&opts.Width, "width", 110, "columns of the terminal")
	f.IntVar(&opts.Height, "height", 34, "rows of the terminal")
	return cmd
}
