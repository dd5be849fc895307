package rerankbench

import (
	"context"
	"fmt"

	"dowse/engine/lexical"
	"dowse/engine/transformer"
	"dowse/internal/eval"
)

// query is a query with its candidates, the best by BM25 first.
type query struct {
	collection int // place in Report.Collections
	text       string
	passages   []string // empty where tokens are made up
	pairs      []transformer.Pair
	prior      []float64 // the score of each by BM25, as a share of the best's
}

// first is the query with at most n candidates.
func (q query) first(n int) query {
	q.pairs = q.pairs[:min(n, len(q.pairs))]
	q.prior = q.prior[:min(n, len(q.prior))]
	q.passages = q.passages[:min(n, len(q.passages))]
	return q
}

// Collection is where queries come from.
type Collection struct {
	Name      string `json:"name"`
	Documents int    `json:"documents"`
	Queries   int    `json:"queries"` // that were taken
}

// pairer makes tokens of a query and a passage.
type pairer func(query, passage string) transformer.Pair

// readQueries takes n queries, 0 for all, in equal parts from the collections,
// spread evenly over each, with at most depth candidates.
func readQueries(ctx context.Context, folders []string, n, depth int, p pairer, progress func(phase string, done, total int)) ([]Collection, []query, error) {
	var collections []Collection
	var queries []query
	for i, folder := range folders {
		ds, err := eval.Load(folder)
		if err != nil {
			return nil, nil, err
		}
		progress("indexing "+ds.Name, i, len(folders))
		index, err := newBM25(ds.Documents)
		if err != nil {
			return nil, nil, fmt.Errorf("index %s: %w", ds.Name, err)
		}
		asked := len(ds.Queries)
		if n > 0 {
			asked = min(asked, max(1, n/len(folders)))
		}
		c := Collection{Name: ds.Name, Documents: len(ds.Documents)}
		for j := range asked {
			found, err := index.candidates(ctx, ds.Queries[j*len(ds.Queries)/asked].Text, depth, p)
			if err != nil {
				return nil, nil, fmt.Errorf("search %s: %w", ds.Name, err)
			}
			if len(found.pairs) < 2 {
				continue // nothing to put in order
			}
			found.collection = i
			queries = append(queries, found)
			c.Queries++
		}
		collections = append(collections, c)
	}
	if len(queries) == 0 {
		return nil, nil, fmt.Errorf("no query of %q finds two documents; name other collections", folders)
	}
	return collections, queries, nil
}

// bm25 ranks the documents of a collection.
type bm25 struct {
	analyzer   *lexical.Analyzer
	postings   *postings
	collection *lexical.Collection
	documents  []eval.Document
}

func newBM25(documents []eval.Document) (*bm25, error) {
	x := &bm25{analyzer: lexical.NewAnalyzer(), postings: &postings{}, documents: documents}
	builder := lexical.NewBuilder()
	for i, d := range documents {
		builder.Add(uint32(i), x.analyzer.Append(nil, d.Passage()))
	}
	_, err := builder.Write(x.postings)
	if err != nil {
		return nil, err
	}
	x.collection, err = lexical.NewCollection(x.postings, nil)
	return x, err
}

// candidates are the best documents for a query.
func (x *bm25) candidates(ctx context.Context, text string, depth int, p pairer) (query, error) {
	found, err := x.collection.Search(ctx, x.postings, x.analyzer.Query(text), depth, nil)
	if err != nil {
		return query{}, err
	}
	q := query{text: text}
	for _, hit := range found.Hits {
		passage := x.documents[hit.Chunk].Passage()
		q.passages = append(q.passages, passage)
		q.pairs = append(q.pairs, p(text, passage))
		q.prior = append(q.prior, hit.Score/found.Hits[0].Score)
	}
	return q, nil
}
