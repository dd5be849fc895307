package main

import (
	"context"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/lab/bench"
	"dowse/lab/measure"
)

// newBench is lab bench and its verbs.
func newBench(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine",
	}
	cmd.AddCommand(newBenchAnswers(s), newBenchAsk(s), newBenchContexts(s), newBenchEmbed(s), newBenchExtract(s), newBenchIndex(s), newBenchGenerate(s), newBenchScreen(s), newBenchSwap(s))
	return cmd
}

// measurement is a scenario: its report is nil where there is nothing to print.
type measurement func(ctx context.Context, a *app.App, args []string, progress bench.Progress) (bench.Report, error)

// measures makes cmd run a scenario with progress and print what it reports.
func measures(s streams, cmd *cobra.Command, run measurement) {
	asJSON := cmd.Flags().Bool("json", false, "print one JSON object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, err := app.New()
		if err != nil {
			return err
		}
		line := &progressLine{w: s.err}
		defer line.done()
		report, err := run(cmd.Context(), a, args, line.counted)
		if err != nil {
			return err
		}
		line.done()
		if report == nil {
			return nil
		}
		if *asJSON {
			return writeJSON(s.out, report)
		}
		return report.Write(s.out)
	}
}

// writerFlags are those of scenarios with a model that writes.
func writerFlags(cmd *cobra.Command, opts *bench.WriterOptions) {
	cmd.Flags().StringVar(&opts.Model, "model", "", "measure this installed model; default the one in use, or the only one that writes")
	threadsFlag(cmd, &opts.Threads)
}

// threadsFlag is the flag of scenarios that compute in this process.
func threadsFlag(cmd *cobra.Command, threads *int) {
	cmd.Flags().IntVar(threads, "threads", 0, "workers; 0 means the setting")
}

func newBenchEmbed(s streams) *cobra.Command {
	var opts measure.EmbedOptions
	cmd := &cobra.Command{
		Use:   "embed DIR",
		Short: "Measure how many passages of a folder are embedded a second",
		Long: `Embed cuts the files below the folder into passages, as indexing does, and
embeds them on every set of kernels that this machine has, in turn, with the
same threads. Ratios are against the plain Go kernels of the same run. "of the
peak" is the share that projections have of what the instruction set does in
products of bytes that lie in registers, measured before.

--texts FILE writes the passages as a JSON array of strings, so that another
program can be timed on the very same input.`,
		Args: cobra.ExactArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, args []string, progress bench.Progress) (bench.Report, error) {
		return measure.With(a).Embed(ctx, args[0], opts, progress)
	})
	f := cmd.Flags()
	threadsFlag(cmd, &opts.Threads)
	f.IntVar(&opts.Passages, "passages", 0, "embed only this many, spread evenly")
	f.StringSliceVar(&opts.Kernels, "kernels", nil, "which kernels; default all that this machine has")
	f.StringVar(&opts.Texts, "texts", "", "write the passages to this file")
	return cmd
}

// benchAskQueries is questions enough for a median that holds.
const benchAskQueries = 40

func newBenchAsk(s streams) *cobra.Command {
	var opts bench.AskOptions
	cmd := &cobra.Command{
		Use:   "ask DIR",
		Short: "Measure how long dowse -q takes, cold and beside dowse watch",
		Long: `Ask indexes the folder into a home of its own, which it removes afterwards, and
runs dowse -q as a whole process for each question: first cold, each process
opening everything itself, then beside dowse watch, once that has computed ahead
what fits its memory. Questions are the titles of Markdown notes of the folder,
or the lines of --questions FILE. Your own index and settings are not touched.

Columns:
  cold, warm   from the start of the process to its end, wall clock
  search       the part of it that is the search, by its own clock
  recomputed   vectors that were computed again, mean a question
  layers       of the reranker that were computed; the home is new, so that
               the thresholds are those that come with it`,
		Args: cobra.ExactArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, _ *app.App, args []string, progress bench.Progress) (bench.Report, error) {
		return measure.Ask(ctx, args[0], opts, progress)
	})
	f := cmd.Flags()
	f.IntVar(&opts.Queries, "queries", benchAskQueries, "ask so many titles, spread evenly")
	f.StringVar(&opts.Questions, "questions", "", "ask the lines of this `FILE` instead")
	f.StringVar(&opts.Program, "program", "bin/dowse", "the dowse that is asked")
	return cmd
}
