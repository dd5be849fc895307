package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dowse/internal/app"
)

// newEval is dowse eval: the ruler.
func newEval(s *streams) *cobra.Command {
	var opts app.EvalOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "eval DIR...",
		Short: "Measure ranking quality and latency on judged collections",
		Long: `Eval indexes a collection in BEIR layout (corpus.jsonl, queries.jsonl,
qrels/test.tsv) beside your own index, asks every judged query at every stage,
and prints nDCG@10, recall@10, recall@20, MRR@10 and the latency. The index of
a collection is kept in the cache for the next run.

Stages are lexical, vector, hybrid, and rrf (reciprocal-rank fusion, the
reference that hybrid is compared with).`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if opts.Queries < 0 {
				return fmt.Errorf("--queries %d: want a number from 0, which means all", opts.Queries)
			}
			a, err := app.New()
			if err != nil {
				return err
			}
			line := newProgressLine(s.err)
			defer line.done()
			for _, dir := range dirs {
				report, err := a.Evaluate(cmd.Context(), dir, opts, func(phase string, done, total int) {
					line.show(phase, fmt.Sprintf("%s: %s %d of %d", dir, phase, done, total))
				})
				if err != nil {
					return err
				}
				line.done()
				if asJSON {
					err = writeJSON(s.out, report)
				} else {
					t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
					fmt.Fprintf(t, "%s, %d documents, %d queries\n", report.Set, report.Documents, report.Queries)
					fmt.Fprintln(t, "stage\tnDCG@10\trecall@10\trecall@20\tMRR@10\tms p50\tms p95\t")
					for _, name := range opts.Stages {
						st := report.Stages[name]
						fmt.Fprintf(t, "%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.2f\t%.2f\t\n", name,
							st.NDCG10, st.Recall10, st.Recall20, st.MRR10, st.P50, st.P95)
					}
					err = t.Flush()
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object a collection")
	f.StringSliceVar(&opts.Stages, "stages", []string{"lexical", "vector", "hybrid"}, "which stages to measure")
	f.IntVar(&opts.Queries, "queries", 0, "ask only this many queries, spread evenly")
	f.BoolVar(&opts.Exact, "exact", false, "search vectors by exact scan (today's only way)")
	return cmd
}
