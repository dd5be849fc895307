package main

import (
	"context"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/lab/bench"
	"dowse/lab/measure"
)

// Defaults of the measurement of conversations: as long as answers with passages make them.
const (
	benchContextsTokens = 2048
	benchContextsRounds = 5
)

func newBenchContexts(s streams) *cobra.Command {
	var opts bench.ContextsOptions
	cmd := &cobra.Command{
		Use:   "contexts DIR...",
		Short: "Measure how fast a conversation that was left goes on",
		Long: `Contexts computes a conversation over the text of the folders, leaves it on the
disk as dowse does, in chunks of 8, 4 and 2 bits, and measures its next token.

Ways:
  computed again   the baseline: all tokens are computed.
  model open       The conversation comes back from the disk, as when others took its
                   memory.
  opened anew      The model is opened, too, as by another process; with what the page
                   cache holds, and without (Linux).

Columns:
  open, conversation, token   what the model took, the conversation, and the logits of
                              its last token
  ratio                       of all to computing again in the same rounds`,
		Args: cobra.MinimumNArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, args []string, progress bench.Progress) (bench.Report, error) {
		return measure.With(a).Contexts(ctx, args, opts, progress)
	})
	f := cmd.Flags()
	writerFlags(cmd, &opts.WriterOptions)
	f.IntVar(&opts.Tokens, "tokens", benchContextsTokens, "of the conversation")
	f.IntVar(&opts.Rounds, "rounds", benchContextsRounds, "in which the ways take turns")
	return cmd
}
