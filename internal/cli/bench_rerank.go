package cli

import (
	"github.com/spf13/cobra"

	"dowse/internal/app"
)

// Defaults of the measurement of reranking: queries enough to calibrate with
// one half and measure with the other.
const (
	benchRerankQueries = 300
	benchRerankTimed   = 5
)

func newBenchRerank(s *streams) *cobra.Command {
	var opts app.BenchRerankOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rerank [DIR...]",
		Short: "Measure reranking: ways to run the model, and what pruning saves",
		Long: `Rerank measures the reranker over judged collections in BEIR layout
(corpus.jsonl, queries.jsonl, qrels/test.tsv). All that is compared runs on the
same kernels over the same candidates, the first by BM25, taking turns query by
query. Without DIR, speed and memory are measured over tokens that are made up.

Tables:
  way        The model resident; its layers read one by one when they are wanted
             (synchronous offload); streamed, one layer ahead; with hidden states
             in a file; each again with pruning. Time, bytes read, stalls, and the
             peak of the ledger, also as shares of the resident model's and of what
             that would be in float32.
  ablation   From batches through a resident model, adding in turn: pruning,
             chunks, the window of two layers, the cache of embedding rows.
  pruning    What the calibrated threshold saves, for every number of candidates
             and of results. Every second query calibrates, the others are
             measured. "set" finds the best K; "order" puts them in order too.
             Guards are "none" as published, "once" without patience, or "usual".
             Searching is "order" with guards "once".
  sweep      Agreement with the full pass and layers computed, by threshold.
  layer      How far scores after a layer tell the final order: gamma over all
             pairs, and over pairs that clusters part.

--shape makes a model of that size up, with seeded weights, for speed and memory
only, and removes it afterwards unless --keep is given:
  bge-m3               bge-reranker-v2-m3: an XLM-RoBERTa of 24 layers
  qwen3-reranker-0.6b  a Qwen3 decoder of 28 layers
  small, small-decoder of each kind, to try it out
The large ones take 0.6 GB, and some 1.2 GB more of disk and 2 GB of memory while
they are made. All candidates of a query to a decoder begin with the same 80
tokens, about as many as its prompt and a short query are, and with the
ablation's last step those are computed once.

--pairs FILE writes the queries that are timed, with their candidates, as a JSON
object a line: query and passages, where they are not made up, and the token ids
and types of each pair, so that another program can be timed on the same input.
models/train/time_reference.py is one: it takes the folder of a model, or that
which --shape --keep leaves in the cache.`,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return runBench(s, asJSON, func(a *app.App, progress func(phase string, done, total int)) (benchReport, error) {
				return a.BenchRerank(cmd.Context(), dirs, opts, progress)
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.StringVar(&opts.Model, "model", "", "measure this installed reranker; default the one in use")
	f.StringVar(&opts.Shape, "shape", "", "make a model of this shape up: bge-m3, qwen3-reranker-0.6b, small or small-decoder")
	f.BoolVar(&opts.Keep, "keep", false, "keep the pack of --shape in the cache, and its config.json")
	f.IntVar(&opts.Queries, "queries", benchRerankQueries, "record so many queries over all collections; 0 means all")
	f.IntVar(&opts.Timed, "timed", benchRerankTimed, "time so many queries")
	f.IntSliceVar(&opts.Candidates, "candidates", []int{20, 60}, "candidates of a query")
	f.IntSliceVar(&opts.K, "k", []int{1, 5, 10}, "results wanted")
	f.IntVar(&opts.Tokens, "tokens", 0, "cut candidates to so many tokens; 0 means the most that the model takes, of made-up ones 512")
	f.StringVar(&opts.Pairs, "pairs", "", "write what is timed to this file")
	f.IntVar(&opts.Threads, "threads", 0, "workers; 0 means the setting")
	f.Float64Var(&opts.Target, "target", 0, "agreement that pruning has to hold; 0 means the setting")
	f.Float64Var(&opts.Prior, "prior", -1, "what the score by BM25 is worth in the model's scores; below 0 means as in searching")
	return cmd
}
