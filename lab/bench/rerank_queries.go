package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"dowse/engine/kernel"
	"dowse/engine/lexical"
	"dowse/engine/transformer"
	"dowse/internal/eval"
	"dowse/lab/collection"
	"dowse/models/pack"
)

// candidates are a query and what is to be ranked for it, the best by BM25 first.
type candidates struct {
	text     string
	passages []string
	pairs    []transformer.Pair
	prior    []float64 // the score of each by BM25, as a share of the best's
}

// first returns the query with at most n candidates.
func (q candidates) first(n int) candidates {
	q.pairs = q.pairs[:min(n, len(q.pairs))]
	q.prior = q.prior[:min(n, len(q.prior))]
	q.passages = q.passages[:min(n, len(q.passages))]
	return q
}

// open opens the model and gets the queries. It returns the bytes of the pack.
func (b *reranking) open(ctx context.Context, k *kernel.Kernel) (collections []rerankCollection, size int64, err error) {
	p, err := pack.Open(b.opts.Pack)
	if err != nil {
		return nil, 0, err
	}
	b.config, size = p.Config(), p.Size()
	b.encoder, err = transformer.OpenCrossEncoder(ctx, b.opts.Pack, k, transformer.CrossEncoderOptions{
		Limits: transformer.Limits{Threads: b.opts.Threads}, Prompt: b.opts.Prompt, Adapter: b.opts.Adapter, MaxTokens: b.opts.Tokens,
	})
	if err != nil {
		return nil, 0, errors.Join(err, p.Close())
	}
	if collections, err = b.read(ctx); err != nil {
		err = errors.Join(err, b.encoder.Close())
	}
	return collections, size, errors.Join(err, p.Close())
}

// read reads the collections, and writes the pairs where they are wanted.
func (b *reranking) read(ctx context.Context) (collections []rerankCollection, err error) {
	depth := slices.Max(b.opts.Candidates)
	for i, folder := range b.opts.Folders {
		b.progress("reading collections", i, len(b.opts.Folders))
		c, queries, err := b.collection(ctx, folder, depth)
		if err != nil {
			return nil, err
		}
		collections, b.queries = append(collections, c), append(b.queries, queries...)
	}
	if len(b.queries) == 0 {
		return nil, fmt.Errorf("no query of %q finds two documents; name other collections", b.opts.Folders)
	}
	return collections, b.writePairs(depth)
}

// collection takes its part of the queries from a collection, spread evenly, each
// with at most depth candidates.
func (b *reranking) collection(ctx context.Context, folder string, depth int) (c rerankCollection, queries []candidates, err error) {
	ds, err := collection.Load(folder)
	if err != nil {
		return c, nil, err
	}
	index := collection.NewBM25(ds.Documents, lexical.NewAnalyzer())
	n := 0
	if b.opts.Queries > 0 {
		n = max(1, b.opts.Queries/len(b.opts.Folders))
	}
	for _, asked := range eval.Spread(ds.Queries, n) {
		if err := ctx.Err(); err != nil {
			return c, nil, err
		}
		q := candidates{text: asked.Text}
		for _, hit := range index.Search(asked.Text, depth, nil) {
			passage := ds.Documents[hit.Doc].Passage()
			q.passages = append(q.passages, passage)
			q.pairs = append(q.pairs, b.encoder.Encode(asked.Text, passage))
			q.prior = append(q.prior, hit.Score)
		}
		if len(q.pairs) < 2 {
			continue // nothing to put in order
		}
		for i, best := 0, q.prior[0]; i < len(q.prior); i++ {
			q.prior[i] /= best
		}
		queries = append(queries, q)
	}
	return rerankCollection{Name: ds.Name, Documents: len(ds.Documents), Queries: len(queries)}, queries, nil
}

// timed are queries that are timed, spread evenly over those at odd places,
// which no threshold was chosen by, with at most n candidates.
func (b *reranking) timed(n int) []candidates {
	odd := len(b.queries) / 2
	count := min(b.opts.Timed, max(odd, 1))
	list := make([]candidates, count)
	for i := range list {
		list[i] = b.queries[min(2*(i*odd/count)+1, len(b.queries)-1)].first(n)
	}
	return list
}

// pairsRow is a query that is timed, for another program to be timed on the very
// same input.
type pairsRow struct {
	Query    string    `json:"query"`
	Passages []string  `json:"passages"`
	IDs      [][]int32 `json:"ids"`             // tokens of each pair, special ones included
	Types    [][]int   `json:"types,omitempty"` // their segments, where the model has any
}

// writePairs writes the queries that are timed with n candidates, as a JSON
// object a line.
func (b *reranking) writePairs(n int) (err error) {
	if b.opts.Pairs == "" {
		return nil
	}
	file, err := os.Create(b.opts.Pairs)
	if err != nil {
		return fmt.Errorf("--pairs: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := json.NewEncoder(file)
	for _, q := range b.timed(n) {
		row := pairsRow{Query: q.text, Passages: q.passages}
		for _, p := range q.pairs {
			row.IDs = append(row.IDs, p.IDs)
			if p.Types != nil {
				types := make([]int, len(p.Types)) // bytes would be written in base 64
				for i, t := range p.Types {
					types[i] = int(t)
				}
				row.Types = append(row.Types, types)
			}
		}
		if err := out.Encode(row); err != nil {
			return fmt.Errorf("--pairs: %w", err)
		}
	}
	return nil
}
