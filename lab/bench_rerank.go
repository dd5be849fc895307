package main

import (
	"context"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/lab/bench"
	"dowse/lab/measure"
)

// Defaults of the measurement of reranking: queries enough to calibrate with
// one half and measure with the other.
const (
	benchRerankQueries = 300
	benchRerankTimed   = 5
)

func newBenchRerank(s streams) *cobra.Command {
	var opts bench.RerankOptions
	cmd := &cobra.Command{
		Use:   "rerank DIR...",
		Short: "Measure reranking: what pruning saves",
		Long: `Rerank measures the reranker over judged collections in BEIR layout
(corpus.jsonl, queries.jsonl, qrels/test.tsv). All that is compared runs on the
same kernels over the same candidates, the first by BM25, taking turns query by
query.

Tables:
  pruning    What the calibrated threshold saves, for every number of candidates
             and of results. Every second query calibrates, the others are
             measured. "set" finds the best K; "order", as searching does, puts
             them in order too.
  layer      How far scores after a layer tell the final order: gamma over all
             pairs, and over pairs that clusters part.

--pairs FILE writes the queries that are timed, with their candidates, as a JSON
object a line: query, passages, and the token ids and types of each pair, so that
another program can be timed on the same input.
train/time_reference.py is one: it takes the folder of a model.`,
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, dirs []string, progress bench.Progress) (bench.Report, error) {
		return measure.With(a).Rerank(ctx, dirs, opts, progress)
	})
	f := cmd.Flags()
	f.StringVar(&opts.Model, "model", "", "measure this installed reranker; default the one in use")
	f.IntVar(&opts.Queries, "queries", benchRerankQueries, "record so many queries over all collections; 0 means all")
	f.IntVar(&opts.Timed, "timed", benchRerankTimed, "time so many queries")
	f.IntSliceVar(&opts.Candidates, "candidates", []int{20, 60}, "candidates of a query")
	f.IntSliceVar(&opts.K, "k", []int{1, 5, 10}, "results wanted")
	f.IntVar(&opts.Tokens, "tokens", 0, "cut candidates to so many tokens; 0 means the most that the model takes")
	f.StringVar(&opts.Pairs, "pairs", "", "write what is timed to this file")
	threadsFlag(cmd, &opts.Threads)
	f.Float64Var(&opts.Target, "target", 0, "agreement that pruning has to hold; 0 means the setting")
	f.Float64Var(&opts.Prior, "prior", -1, "what the score by BM25 is worth in the model's scores; below 0 means as in searching")
	return cmd
}
