package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/internal/eval"
	"dowse/internal/measure"
)

const evalHelp = `Eval indexes a collection in BEIR layout (corpus.jsonl, queries.jsonl,
qrels/test.tsv) beside your own index, asks every judged query at every stage,
and prints nDCG@10, recall@5, @10 and @20, MRR@10, the latency and what it took:
vectors recomputed a query, others being remembered from queries before, and the
share of the reranker's layers that were computed. A query takes the way of any
search: vectors by codes, the most promising recomputed from the text until the
best are found, pruning by the reranker's thresholds, or those that your own
searches have refined. With --exact it takes the way that this is compared with:
a scan of stored vectors, and the reranker without pruning. Each way keeps an
index of the collection in the cache for the next run.

Stages are lexical, vector, hybrid, rerank (hybrid, its best put in order by the
reranker), and rrf (reciprocal-rank fusion, the reference that hybrid is
compared with).

A folder of notes/ and questions.jsonl, as dowse bench answers takes it, is
measured too: how high the note is ranked that answers, indexed as a folder of
yours is.

A folder with the same paragraphs and questions in several languages (a file
NAME.LANGUAGE.json for each in the layout of SQuAD, as XQuAD has) is measured within
each language, across languages from and to English, and with the paragraphs of all
languages together, where each translation of the right one is as good; of those
the table has MRR@10, of the others nDCG@10. --json says more.

With --embedder another embedder is measured; settings and index stay as they are.

With --run the best 100 documents of every query at the last of --stages are
written to a file in the run format of TREC, "query-id Q0 document-id rank
score dowse"; white space in an id becomes %20. That takes one DIR.`

// newEval is dowse eval: the ruler.
func newEval(s *streams) *cobra.Command {
	var opts measure.EvalOptions
	var asJSON bool
	var run, embedder string
	cmd := &cobra.Command{
		Use:   "eval DIR...",
		Short: "Measure ranking quality and latency on judged collections",
		Long:  evalHelp,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if opts.Queries < 0 {
				return fmt.Errorf("--queries %d: want a number from 0, which means all", opts.Queries)
			}
			if run != "" && len(dirs) > 1 {
				return fmt.Errorf("--run writes one collection's ranking, and %d folders are named; measure them one by one", len(dirs))
			}
			a, err := app.New()
			if err != nil {
				return err
			}
			if err = a.TryEmbedder(embedder); err != nil {
				return err
			}
			if run != "" && eval.IsParallel(dirs[0]) {
				return fmt.Errorf("--run writes one ranking, and %s holds several languages, each with rankings of its own; measure it without --run", dirs[0])
			}
			line := newProgressLine(s.err)
			defer line.done()
			for _, dir := range dirs {
				reports, err := measure.With(a).Evaluate(cmd.Context(), dir, opts, func(phase string, done, total int) {
					line.show(phase, fmt.Sprintf("%s: %s %d of %d", dir, phase, done, total))
				})
				if err != nil {
					return err
				}
				line.done()
				if run != "" {
					if err := writeRun(run, reports[0].Rankings); err != nil {
						return err
					}
				}
				if err := writeReports(s.out, reports, opts.Stages, asJSON); err != nil {
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
	f.BoolVar(&opts.Exact, "exact", false, "the reference: vectors by exact scan, the reranker without pruning")
	embedderFlag(cmd, &embedder)
	f.StringVar(&run, "run", "", "write the ranking of the last stage to this `FILE`")
	return cmd
}

// writeReports prints the figures of one folder.
func writeReports(w io.Writer, reports []*eval.Report, stages []string, asJSON bool) error {
	if asJSON {
		for _, r := range reports {
			if err := writeJSON(w, r); err != nil {
				return err
			}
		}
		return nil
	}
	if reports[0].Asked != "" {
		return writeLanguages(plain{w}, reports, stages)
	}
	return writeReport(plain{w}, reports[0], stages)
}

// writeReport prints the figures of one collection as a table.
func writeReport(w io.Writer, report *eval.Report, stages []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	// A tabwriter keeps what it is given until Flush, which reports failure.
	_, _ = fmt.Fprintf(t, "%s, %d documents, %d queries\n", report.Set, report.Documents, report.Queries)
	_, _ = fmt.Fprintln(t, "stage\tnDCG@10\trecall@5\trecall@10\trecall@20\tMRR@10\tms p50\tms p95\trecomputed\tlayers\t")
	for _, name := range stages {
		st := report.Stages[name]
		layers := "-"
		if st.FullLayers > 0 {
			layers = fmt.Sprintf("%.0f%%", 100*float64(st.ActiveLayers)/float64(st.FullLayers))
		}
		_, _ = fmt.Fprintf(t, "%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.2f\t%.2f\t%.1f\t%s\t\n", name,
			st.NDCG10, st.Recall5, st.Recall10, st.Recall20, st.MRR10, st.P50, st.P95, float64(st.Recomputed)/float64(max(report.Queries, 1)), layers)
	}
	return t.Flush()
}

// writeRun writes rankings to a new file, or over an old one.
func writeRun(path string, rankings []eval.Ranking) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("the ranking could not be written: %w", err)
	}
	if err := errors.Join(eval.WriteRun(file, rankings), file.Close()); err != nil {
		return fmt.Errorf("the ranking could not be written to %s: %w", path, err)
	}
	return nil
}

// embedderFlag has a measurement take another embedder than the settings name.
func embedderFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "embedder", "", "measure the installed embedder of this `NAME` instead of the one in use")
}
