package main

import (
	"context"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/lab/bench"
	"dowse/lab/measure"
)

// Defaults of the measurement: as many passages as a person's notes,
// mail and papers come to, and queries enough for two digits of recall.
const (
	benchChunks  = 100000
	benchQueries = 300
)

func newBenchIndex(s streams) *cobra.Command {
	var opts bench.IndexOptions
	cmd := &cobra.Command{
		Use:   "index [DIR...]",
		Short: "Measure the vector index over the text of folders",
		Long: `Index builds dowse's vector index in memory over the text below the folders and
prints what it takes: bytes, and for recall@3 of 0.90 and 0.95 the passages that
have to be embedded again for a query. A scan of stored vectors stands beside it.
Without folders it takes those that are indexed. Your own index is not touched.

How it is made:
  text       The folders are walked, read and cut as indexing does. Of passages
             with the same text one stays. --chunks keeps the first so many of a
             shuffle by hash, the same in every run. A folder with a corpus.jsonl
             is a collection in BEIR layout: each document is a text.
  vectors    They come from the model that is in use, and are kept in the
             cache, for the next run over the same text.
  queries    Up to half from the queries.jsonl of collections; the others are
             first sentences of passages, of 4 words and under 120 bytes. What is
             to be found are the nearest three by exact scan.
  settings   Of several numbers of recomputed passages the smallest that
             reaches the recall is shown, and of several margins by which the
             wanted must be ahead of the next before a search ends, by codes
             alone and with links; - where none does. The last row is what a search by meaning is set to:
             its margin was measured with sentences that are not asked.
  own us     A query's time without embedding, one query at a time.
  bytes      Codes with their codebook, and links where they are used. Where the passages lie in their files
             is not counted.`,
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, dirs []string, progress bench.Progress) (bench.Report, error) {
		return measure.With(a).Index(ctx, dirs, opts, progress)
	})
	f := cmd.Flags()
	f.IntVar(&opts.Chunks, "chunks", benchChunks, "take at most so many passages; 0 means all")
	f.IntVar(&opts.Queries, "queries", benchQueries, "ask so many queries")
	f.IntVar(&opts.CodeBytes, "code-bytes", 0, "length of a product-quantized code; 0 means that of your own index")
	return cmd
}
