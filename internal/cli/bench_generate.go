package cli

import (
	"github.com/spf13/cobra"

	"dowse/engine/generate"
	"dowse/internal/app"
)

// Defaults of the measurement of generating: a few prompts of each set, answers
// as long as a person wants them.
const (
	benchGenerateQueries = 5
	benchGenerateTokens  = 128
)

func newBenchGenerate(s *streams) *cobra.Command {
	var opts app.BenchGenerateOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Measure drafting: tokens a verification, its cost, answers from end to end",
		Long: `Generate measures how much faster a model that writes answers with drafts that
are verified, several tokens at a time, than one token after the other.

Tables:
  replay  With --traces DIR, a folder of the data of prompt-lookup-decoding: the
          recorded greedy answers of a 7B model, drafted in every way, as many rows
          a draft in each. No model is needed, only --tokenizer FILE; without it
          tokens are those of the measured model. Conversations of odd number
          alone: on the others drafting learned what it guesses from.
  rows    With a model: the time of a verification of 1 to 64 rows, behind 512
          tokens, and c, that time in verifications of one row. Medians, the widths
          taking turns. How fast a prompt is read and an answer written, plainly.
  set     With a model, over the prompts of --traces and of --prompts DIR, a folder
          of the data of Spec-Bench: answers, greedily, in every way, the ways
          taking turns at every prompt. "ratio" is the speed of writing to that
          without drafts in the same run, "with prompt" the same of reading and
          writing. "drafted" is tokens a verification, "draft µs" what thinking of
          them took; "prompt ms" what the drafter makes of a prompt.

Prompt lookup drafts as published, up to 10 tokens wherever it finds some; the
other ways draft as many as pay by what verifying costs on this machine. "+ past
answers" knows the answers to the prompts before. Every way has to write exactly
the tokens that plain decoding does; one that does not ends the measurement with
an error.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runBench(s, asJSON, func(a *app.App, progress func(phase string, done, total int)) (benchReport, error) {
				return a.BenchGenerate(cmd.Context(), opts, progress)
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.StringVar(&opts.Model, "model", "", "measure this installed model; default the one in use, or the only one that writes")
	f.StringVar(&opts.Traces, "traces", "", "folder of the data of prompt-lookup-decoding")
	f.StringVar(&opts.Prompts, "prompts", "", "folder of the data of Spec-Bench")
	f.StringVar(&opts.Tokenizer, "tokenizer", "", "SentencePiece tokenizer.model for the replay; default that of the model")
	f.IntVar(&opts.Queries, "queries", benchGenerateQueries, "prompts of each set; 0 means all")
	f.IntVar(&opts.Tokens, "tokens", benchGenerateTokens, "tokens of an answer at most")
	f.IntVar(&opts.Rows, "rows", generate.UsualNodes, "rows of a draft at most")
	f.IntVar(&opts.Threads, "threads", 0, "workers; 0 means the setting")
	return cmd
}
