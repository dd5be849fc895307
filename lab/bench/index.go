package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"dowse/engine/leann"
)

// IndexOptions say what Index measures.
type IndexOptions struct {
	Folders   []string
	Chunks    int // at most so many; 0 means all
	Queries   int
	CodeBytes int     // of a product-quantized code; 0: what Budget leaves, as indexing takes it
	Budget    float64 // share of the text's bytes that an index may take
	Corpus    CorpusOptions
	Cache     string // folder of the cache of vectors
}

// IndexReport is what Index found.
type IndexReport struct {
	Files      int         `json:"files"`
	Chunks     int         `json:"chunks"`
	Duplicates int         `json:"duplicates"` // passages left out
	TextBytes  int64       `json:"text_bytes"`
	Queries    int         `json:"queries"`
	Dim        int         `json:"dim"`
	CodeBytes  int         `json:"code_bytes"`
	Cores      int         `json:"cores"`
	Methods    []methodRow `json:"methods"`
	Seconds    float64     `json:"seconds"`
}

// methodRow is a way to search and the cheapest settings of it.
type methodRow struct {
	Method        string       `json:"method"`
	BytesPerChunk float64      `json:"bytes_per_chunk"`
	TextShare     float64      `json:"text_share"` // of the bytes of the text
	Results       []goalResult `json:"results"`
}

// goalResult is the cheapest setting that reaches a recall.
type goalResult struct {
	Goal float64  `json:"goal"` // 0: the method has no setting
	Best *outcome `json:"best"` // nil: no setting reaches it
}

// outcome is what a setting came to, per query.
type outcome struct {
	Setting    setting `json:"setting"`
	Recall     float64 `json:"recall@3"`
	Recomputes float64 `json:"recomputes"` // vectors that have to be embedded again
	OwnMicros  float64 `json:"own_us"`     // without embedding
}

// setting is how many of the best codes are recomputed, at most and at a time, and by what
// margin a search ends before. The scan of stored vectors has none.
type setting struct {
	Batch  int     `json:"batch,omitempty"`
	Rerank int     `json:"rerank,omitempty"`
	Wanted int     `json:"wanted,omitempty"` // 0: all of Rerank are recomputed
	Margin float64 `json:"margin,omitempty"`
	Pull   float32 `json:"pull,omitempty"` // of a walk; 0: by the codes alone
}

func (s setting) String() string {
	switch {
	case s.Wanted == 0 && s.Pull > 0:
		return fmt.Sprintf("rerank=%d pull=%.1f", s.Rerank, s.Pull)
	case s.Wanted == 0:
		return fmt.Sprintf("rerank=%d", s.Rerank)
	}
	text := fmt.Sprintf("wanted=%d margin=%.1f", s.Wanted, s.Margin)
	if s.Pull > 0 {
		text += fmt.Sprintf(" pull=%.1f", s.Pull)
	}
	return text
}

// goals are the recalls that settings are to reach, in ascending order.
var goals = []float64{0.90, 0.95}

// leastChunks is the size below which there is nothing to compare.
const leastChunks = 100

// Check refuses options that mean nothing.
func (o *IndexOptions) Check() error {
	switch {
	case o.Chunks < 0 || o.CodeBytes < 0:
		return errors.New("--chunks and --code-bytes want a number from 0, which leaves the choice to dowse")
	case o.Queries < 1:
		return errors.New("--queries wants a number from 1")
	}
	return nil
}

// Index compares dowse's vector index with a scan of stored vectors over real text, in
// memory and in one run. It embeds the passages of the folders, takes queries from
// them, finds the nearest three of each by exact scan, and measures how many vectors
// the index recomputes to find them again: as many for each query, or until it ends.
func Index(ctx context.Context, opts IndexOptions, e Embedder, dot leann.Dotter, progress Progress) (*IndexReport, error) {
	start := time.Now()
	if err := opts.Check(); err != nil {
		return nil, err
	}
	corpus, err := ReadCorpus(ctx, opts.Folders, opts.Corpus, progress)
	if err != nil {
		return nil, err
	}
	corpus.Distinct()
	corpus.Sample(opts.Chunks)
	n := len(corpus.Passages)
	if n < leastChunks {
		return nil, fmt.Errorf("the folders hold %d passages; name folders with %d or more", n, leastChunks)
	}
	if opts.CodeBytes == 0 {
		opts.CodeBytes = leann.CodeBytes(opts.Budget, corpus.TextBytes(), n)
	}
	b := &comparison{codeBytes: opts.CodeBytes, progress: progress}
	c, err := b.embed(ctx, corpus, opts, e, dot)
	if err != nil {
		return nil, err
	}
	report := &IndexReport{
		Files: corpus.Files, Chunks: n, Duplicates: corpus.Duplicates, TextBytes: c.textBytes,
		Queries: len(c.queries), Dim: e.Dim(), CodeBytes: opts.CodeBytes, Cores: workers(),
	}
	own, err := b.ownIndex(ctx, c)
	if err != nil {
		return nil, err
	}
	report.Methods = append([]methodRow{flatRow(c)}, own...)
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

// comparison is a run of Index under way.
type comparison struct {
	codeBytes int
	probes    []float32 // queries that the margin is measured with, [n, Dim]; none is asked
	errors    leann.ErrorModel
	graph     *leann.Graph // nil where there are too few passages for one
	progress  Progress
}

// embed makes vectors of the corpus and of queries taken from it.
func (b *comparison) embed(ctx context.Context, corpus *Corpus, opts IndexOptions, e Embedder, dot leann.Dotter) (*searched, error) {
	documents := embedder{e.EmbedDocuments, e.Dim(), passageVectors}
	asking := embedder{e.EmbedQueries, e.Dim(), queryVectors}
	values, err := documents.vectors(ctx, opts.Cache, corpus.Texts(), b.progress)
	if err != nil {
		return nil, err
	}
	var bodies []string
	for _, p := range corpus.Passages {
		bodies = append(bodies, p.Body)
	}
	asked := queriesOf(corpus.Questions, bodies, opts.Queries)
	if len(asked) == 0 {
		return nil, errors.New("the folders hold no sentence that makes a query")
	}
	queries, err := asking.vectors(ctx, opts.Cache, asked, b.progress)
	if err != nil {
		return nil, err
	}
	if b.probes, err = asking.vectors(ctx, opts.Cache, probesOf(bodies, asked, opts.Queries), b.progress); err != nil {
		return nil, err
	}
	b.progress("scanning exactly", 0, 1)
	return newSearched(ctx, &Vectors{Dim: e.Dim(), Values: values, Dotter: dot}, corpus.TextBytes(), queries)
}

// Write implements Report.
func (r *IndexReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%d passages of %d files, %d bytes of text, %d queries, vectors of %d numbers, codes of %d bytes, %d cores\n",
		r.Chunks, r.Files, r.TextBytes, r.Queries, r.Dim, r.CodeBytes, r.Cores)
	t := newTable(w, "\nmethod\tbytes/chunk\t% of text\tgoal\trecall@3\trecomputes\town us\tsetting")
	for _, row := range r.Methods {
		for _, result := range row.Results {
			goal, chosen, o := missing, missing, result.Best
			if o != nil && o.Setting != (setting{}) {
				chosen = o.Setting.String()
			}
			if result.Goal > 0 {
				goal = fmt.Sprintf("%.2f", result.Goal)
			}
			if o == nil {
				t.row("%s\t%.1f\t%.2f\t%s\t-\t-\t-\t-", row.Method, row.BytesPerChunk, 100*row.TextShare, goal)
				continue
			}
			t.row("%s\t%.1f\t%.2f\t%s\t%.3f\t%.1f\t%.0f\t%s", row.Method, row.BytesPerChunk, 100*row.TextShare, goal,
				o.Recall, o.Recomputes, o.OwnMicros, chosen)
		}
	}
	return t.flush()
}
