package main

import (
	"context"

	"github.com/spf13/cobra"

	"dowse/engine/generate"
	"dowse/internal/app"
	"dowse/lab/bench"
	"dowse/lab/measure"
)

// Defaults of the measurement of generating: a few questions, answers
// as long as a person wants them.
const (
	benchGenerateQueries = 5
	benchGenerateTokens  = 128
)

func newBenchGenerate(s streams) *cobra.Command {
	var opts bench.GenerateOptions
	var questions string
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Measure how fast a model writes, with drafts and without",
		Long: `Generate measures how much faster a model that writes answers with drafts that
are verified, several tokens at a time, than one token after the other.

Tables:
  rows    The time of a verification of 1 row and more, behind 512 tokens, and c,
          that time in verifications of one row. How fast a prompt is read and an
          answer written, plainly.
  set     Over the questions of --questions FILE, asked over what is indexed with
          the passages that are found: answers, greedily, without drafts and with
          drafts from all there is, taking turns at every prompt. "ratio" is the
          speed of writing to that without drafts in the same run, "with prompt"
          the same of reading and writing. "drafted" is tokens a verification,
          "draft µs" what thinking of them and of the prompt took.

As many tokens are drafted as pay by what verifying costs on this machine. Answers
have to be the same tokens with drafts and without; one that is not ends the
measurement with an error.

--write FILE writes the prompts and their plain answers, as JSON lines, for other
programs to be timed on; lab/bench/testdata/llamacpp.py times llama.cpp.`,
		Args: cobra.NoArgs,
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, _ []string, progress bench.Progress) (bench.Report, error) {
		return measure.With(a).Generate(ctx, questions, opts, progress)
	})
	f := cmd.Flags()
	writerFlags(cmd, &opts.WriterOptions)
	f.StringVar(&questions, "questions", "", "file of questions, one a line, to ask over the index as dowse -q --answer does")
	f.StringVar(&opts.Write, "write", "", "write the prompts and their plain answers to this file")
	f.IntVar(&opts.Queries, "queries", benchGenerateQueries, "ask so many of the questions, spread evenly; 0 means all")
	f.IntVar(&opts.Tokens, "tokens", benchGenerateTokens, "tokens of an answer at most")
	f.IntVar(&opts.Rows, "rows", generate.UsualNodes, "rows of a draft at most")
	return cmd
}
