package cli

import (
	"github.com/spf13/cobra"

	"dowse/internal/app"
)

// benchAskQueries is questions enough for a median that holds.
const benchAskQueries = 40

func newBenchAsk(s *streams) *cobra.Command {
	var opts app.BenchAskOptions
	var asJSON bool
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
		RunE: func(cmd *cobra.Command, args []string) error {
			return runBench(s, asJSON, func(_ *app.App, progress func(phase string, done, total int)) (benchReport, error) {
				return app.BenchAsk(cmd.Context(), args[0], opts, progress)
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.IntVar(&opts.Queries, "queries", benchAskQueries, "ask so many titles, spread evenly")
	f.StringVar(&opts.Questions, "questions", "", "ask the lines of this `FILE` instead")
	return cmd
}
