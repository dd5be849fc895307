package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/internal/trial"
)

const evalHelp = `Eval measures how well dowse finds your own notes by your own questions. DIR holds
a folder notes and a file questions.jsonl, a JSON object a line:

  {"question": "why did the pump stop", "path": "house/pump.md"}

path is the note that answers, relative to notes. The notes are indexed as a folder
of yours is, into a home that is removed afterwards; your own index stays as it is.
Printed are nDCG@10, recall@5, @10 and @20 and MRR@10 of the note that answers,
the latency, vectors recomputed a query, and the share of the reranker's layers
that were computed.

Stages are lexical, vector, hybrid, rerank (hybrid, its best put in order by the
reranker), and rrf (reciprocal-rank fusion, the reference of hybrid).

With --embedder another embedder is measured; the settings stay as they are.`

// newEval is dowse eval: a person's own questions about notes of theirs.
func newEval(s *streams) *cobra.Command {
	var stages []string
	var queries int
	var asJSON bool
	var embedder string
	cmd := &cobra.Command{
		Use:   "eval DIR...",
		Short: "Measure how well your own questions find your own notes",
		Long:  evalHelp,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if queries < 0 {
				return fmt.Errorf("--queries %d: want a number from 0, which means all", queries)
			}
			a, err := app.New()
			if err != nil {
				return err
			}
			if err = a.TryEmbedder(embedder); err != nil {
				return err
			}
			line := newProgressLine(s.err)
			defer line.done()
			for _, dir := range dirs {
				report, err := trial.Evaluate(cmd.Context(), a, dir, stages, queries, func(phase string, done, total int) {
					line.show(phase, fmt.Sprintf("%s: %s %d of %d", dir, phase, done, total))
				})
				if err != nil {
					return err
				}
				line.done()
				if asJSON {
					err = writeJSON(s.out, report)
				} else {
					err = report.Write(plain{s.out}, stages)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object a folder")
	f.StringSliceVar(&stages, "stages", []string{"lexical", "vector", "hybrid"}, "which stages to measure")
	f.IntVar(&queries, "queries", 0, "ask only this many questions, spread evenly")
	f.StringVar(&embedder, "embedder", "", "measure the installed embedder of this `NAME` instead of the one in use")
	return cmd
}
