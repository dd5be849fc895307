package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dowse/internal/app"
)

// newBench is dowse bench and its verbs.
func newBench(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine",
	}
	cmd.AddCommand(newBenchAnswers(s), newBenchAsk(s), newBenchEmbed(s), newBenchIndex(s), newBenchRerank(s), newBenchGenerate(s))
	return cmd
}

// benchReport is what a comparison found, for people.
type benchReport interface{ Write(io.Writer) error }

// runBench runs a comparison with progress, and prints its report where it made one.
func runBench(s *streams, asJSON bool, run func(a *app.App, progress func(phase string, done, total int)) (benchReport, error)) error {
	a, err := app.New()
	if err != nil {
		return err
	}
	line := newProgressLine(s.err)
	defer line.done()
	found, err := run(a, line.counted)
	if err != nil {
		return err
	}
	line.done()
	if found == nil {
		return nil
	}
	if asJSON {
		return writeJSON(s.out, found)
	}
	return found.Write(plain{s.out})
}

func newBenchEmbed(s *streams) *cobra.Command {
	var opts app.BenchEmbedOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "embed DIR",
		Short: "Measure how many passages of a folder are embedded a second",
		Long: `Embed cuts the files below the folder into passages, as indexing does, and
embeds them on every set of kernels that this machine has, in turn, with the
same threads. Ratios are against the plain Go kernels of the same run.

--texts FILE writes the passages as a JSON array of strings, so that another
program can be timed on the very same input.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			line := newProgressLine(s.err)
			defer line.done()
			report, err := a.BenchEmbed(cmd.Context(), args[0], opts, func(kernels string, done, total int) {
				line.show(kernels, fmt.Sprintf("%s: %d of %d passages", kernels, done, total))
			})
			if err != nil {
				return err
			}
			line.done()
			if asJSON {
				return writeJSON(s.out, report)
			}
			t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintf(s.out, "%d passages, %.0f tokens each, %d threads\n", report.Passages, report.MeanTokens, report.Threads)
			fmt.Fprintln(t, "kernels\tpassages/s\ttokens/s\tratio\t")
			for _, r := range report.Runs {
				fmt.Fprintf(t, "%s\t%.1f\t%.0f\t%.1f\t\n", r.Kernels, r.Rate, r.TokenRate, r.Ratio)
			}
			return t.Flush()
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.IntVar(&opts.Threads, "threads", 0, "workers; 0 means the setting")
	f.IntVar(&opts.Passages, "passages", 0, "embed only this many, spread evenly")
	f.StringSliceVar(&opts.Kernels, "kernels", nil, "which kernels; default all that this machine has")
	f.StringVar(&opts.Texts, "texts", "", "write the passages to this file")
	return cmd
}
