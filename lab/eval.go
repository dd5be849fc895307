package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/internal/eval"
	"dowse/lab/collection"
	"dowse/lab/measure"
)

const evalHelp = `Eval indexes a collection in BEIR layout (corpus.jsonl, queries.jsonl,
qrels/test.tsv) beside your own index, asks every judged query at every stage,
and prints nDCG@10, recall@5, @10 and @20, MRR@10, the latency and what it took:
vectors recomputed a query, others being remembered from queries before, and the
share of the reranker's layers that were computed. A query takes the way of any
search: vectors by codes, the most promising recomputed from the text until the
best are found, pruning by the reranker's thresholds, or those that your own
searches have refined. With --exact it takes the way that this is compared with:
a scan of stored vectors, and the reranker without pruning. With --lacking no document has its
vector yet, as while a new folder is embedded. Each way keeps an index of the collection in the cache for the
next run.

Stages are lexical, vector, hybrid, rerank (hybrid, its best put in order by the
reranker), and rrf (reciprocal-rank fusion, the reference that hybrid is
compared with).

A folder of notes/ and questions.jsonl, as lab bench answers takes it, is
measured as dowse eval does: how high the note is ranked that answers, indexed as a folder of
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

// newEval is lab eval: the ruler.
func newEval(s streams) *cobra.Command {
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
			if run != "" && collection.IsParallel(dirs[0]) {
				return fmt.Errorf("--run writes one ranking, and %s holds several languages, each with rankings of its own; measure it without --run", dirs[0])
			}
			line := &progressLine{w: s.err}
			defer line.done()
			for _, dir := range dirs {
				reports, err := measure.With(a).Evaluate(cmd.Context(), dir, opts, func(phase string, done, total int) {
					line.counted(dir+": "+phase, done, total)
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
	f.BoolVar(&opts.Lacking, "lacking", false, "while vectors are still to come: by words, and by rough vectors")
	cmd.MarkFlagsMutuallyExclusive("exact", "lacking")
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
		return writeLanguages(w, reports, stages)
	}
	return reports[0].Write(w, stages)
}

// writeRun writes rankings to a new file, or over an old one.
func writeRun(path string, rankings []eval.Ranking) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("the ranking could not be written: %w", err)
	}
	if err := errors.Join(collection.WriteRun(file, rankings), file.Close()); err != nil {
		return fmt.Errorf("the ranking could not be written to %s: %w", path, err)
	}
	return nil
}

// embedderFlag has a measurement take another embedder than the settings name.
func embedderFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "embedder", "", "measure the installed embedder of this `NAME` instead of the one in use")
}
