package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"dowse/engine/generate"
	"dowse/internal/app"
	"dowse/internal/generatebench"
)

// Defaults of the measurement of generating: a few prompts of each set, answers
// as long as a person wants them.
const (
	benchGenerateQueries = 5
	benchGenerateTokens  = 128
)

func newBenchGenerate(s *streams) *cobra.Command {
	var opts app.BenchGenerateOptions
	var asJSON, identity bool
	var from, to int
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
  set     With a model, over the prompts of --traces, of --prompts DIR, a folder of
          the data of Spec-Bench, and of --questions FILE, asked over what is indexed
          with the passages that are found: answers, greedily, in every way, the ways
          taking turns at every prompt. "ratio" is the speed of writing to that
          without drafts in the same run, "with prompt" the same of reading and
          writing. "drafted" is tokens a verification, "draft µs" what thinking of
          them took; "prompt ms" what the drafter makes of a prompt.

Prompt lookup drafts as published, up to 10 tokens wherever it finds some; the
other ways draft as many as pay by what verifying costs on this machine. "+ past
answers" knows the answers to the prompts before. Every way has to write exactly
the tokens that plain decoding does; one that does not ends the measurement with
an error.

--identity measures nothing: it answers the prompts of --prompts without drafts
and with everything there is to draft from, greedily and sampled with a seed, and
counts the answers that are the same, token for token. --from and --to name a part
of the prompts, so that a long run can be stopped and taken up again. An answer
that is not the same is an error.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if identity {
				return runIdentity(cmd.Context(), s, asJSON, opts, from, to)
			}
			if from != 0 || to != 0 {
				return errors.New("--from and --to are for --identity")
			}
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
	f.StringVar(&opts.Questions, "questions", "", "file of questions, one a line, to ask over the index as dowse -q --answer does")
	f.StringVar(&opts.Write, "write", "", "write the prompts and their plain answers to this file, as JSON lines, for other programs to be timed on")
	f.StringVar(&opts.Tokenizer, "tokenizer", "", "SentencePiece tokenizer.model for the replay; default that of the model")
	f.BoolVar(&opts.Quick, "quick", false, "answer without drafts and with everything to draft from, and in no way between")
	f.IntVar(&opts.Queries, "queries", benchGenerateQueries, "prompts of each set; 0 means all")
	f.IntVar(&opts.Tokens, "tokens", benchGenerateTokens, "tokens of an answer at most")
	f.IntVar(&opts.Rows, "rows", generate.UsualNodes, "rows of a draft at most")
	f.BoolVar(&identity, "identity", false, "compare answers with drafts and without, in place of measuring")
	f.IntVar(&from, "from", 0, "number of the first prompt to compare")
	f.IntVar(&to, "to", 0, "number after the last one; 0 means all")
	f.IntVar(&opts.Threads, "threads", 0, "workers; 0 means the setting")
	return cmd
}

// runIdentity compares, prints what it found, and fails if answers differ.
func runIdentity(ctx context.Context, s *streams, asJSON bool, opts app.BenchGenerateOptions, from, to int) error {
	var found *generatebench.IdentityReport
	err := runBench(s, asJSON, func(a *app.App, progress func(phase string, done, total int)) (report benchReport, err error) {
		found, err = a.BenchIdentity(ctx, opts, from, to, progress)
		return found, err
	})
	if err != nil {
		return err
	}
	return found.Err()
}
