package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/lab/bench"
	"dowse/lab/measure"
)

// Defaults of the measurement of conversations: as many as a person has in a day, as
// long as answers with passages make them, on a slow SSD.
const (
	benchContextsConversations = 8
	benchContextsRate          = 500
	benchContextsCalls         = 40
	benchContextsTokens        = 2048
	benchContextsWritten       = 32
	benchContextsScale         = 0.25
	benchContextsPause         = 5 * time.Minute
)

func newBenchContexts(s streams) *cobra.Command {
	var opts bench.ContextsOptions
	cmd := &cobra.Command{
		Use:   "contexts DIR...",
		Short: "Measure how fast a conversation comes back when memory does not hold all",
		Long: `Contexts draws calls of several conversations over the text of the folders, and
measures what a person waits for who goes on with another one than the last: from
when the question is sent until the model can take its first new token. Dowse and
the baselines are given the same calls in the same memory, and take turns at each.

Policies:
  compute again      What left memory is computed again from its tokens.
  swap whole         Conversations are written and read whole, when memory is
                     wanted: as 16-bit floats, or as bytes with scales (int8).
  swap chunks        The same in chunks of 16 tokens: those that changed are
                     written, those that are missing read.
  dowse              Chunks of 8, 4 and 2 bits, written ahead of time, read while
                     others are computed.

Columns:
  mean, p95 ms       of a switch, without computing the question
  with question      with it, mean
  ratio              the mean to that of dowse

How it is made:
  calls      Lengths of questions are those of Table 3 of "LLM as a System Service
             on Mobile Devices", times --scale. Answers have --written tokens. A
             conversation that is full is deleted, and another one begins in its
             place; beginnings are no switches.
  patterns   random: each of the others is as likely. markov: the one used last is
             twice as likely as the one before it, and so on. gaussian: the closer
             its questions are to the mean length, the likelier.
  tokens     Keys and values of all conversations are computed once, and given to
             every policy: what is timed is switching. "Compute again" takes the
             time that computing took then.
  memory     --shares of the working set, which is what all conversations take
             together at 8 bits. The conversation under way is in memory whatever it
             takes.
  disk       Reads and writes take as long as by a disk of --disk MB/s, in a folder
             that is removed afterwards. The page cache is warm. What the
             baselines wait for a slower disk is counted and not waited for.
  pauses     Those of a Poisson process. What is done in the background is not
             counted, unless the pause is too short for it.

--restart N opens model and conversations anew, and measures the first token of a
conversation of N tokens, with and without the page cache.`,
		Args: cobra.MinimumNArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, args []string, progress bench.Progress) (bench.Report, error) {
		return measure.With(a).Contexts(ctx, args, opts, progress)
	})
	f := cmd.Flags()
	f.StringVar(&opts.Model, "model", "", "measure this installed model; default the one in use, or the only one that writes")
	f.IntSliceVar(&opts.Conversations, "conversations", []int{benchContextsConversations}, "numbers of conversations")
	f.StringSliceVar(&opts.Patterns, "patterns", bench.Patterns, "how people switch between them")
	f.IntSliceVar(&opts.Shares, "shares", []int{25, 50, 75}, "memory, in percent of the working set")
	f.Float64SliceVar(&opts.Rates, "disk", []float64{benchContextsRate}, "speeds of the disk in MB/s; 0 means as it is")
	f.IntVar(&opts.Calls, "calls", benchContextsCalls, "calls of a trace")
	f.IntVar(&opts.Tokens, "tokens", benchContextsTokens, "tokens of a conversation at most")
	f.IntVar(&opts.Written, "written", benchContextsWritten, "tokens of an answer")
	f.Float64Var(&opts.Scale, "scale", benchContextsScale, "of the lengths of questions")
	f.DurationVar(&opts.Pause, "pause", benchContextsPause, "between calls, in the mean")
	f.Uint64Var(&opts.Seed, "seed", 1, "of the calls")
	f.IntVar(&opts.Restart, "restart", 0, "tokens of a conversation that is gone on with after a restart; 0 for none")
	threadsFlag(cmd, &opts.Threads)
	return cmd
}
