package indexbench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"dowse/engine/leann"
)

// Options say what is compared, and on what.
type Options struct {
	Folders   []string
	Chunks    int // at most so many; 0 means all
	Queries   int
	CodeBytes int     // of a product-quantized code; 0: what Budget leaves, as indexing takes it
	Budget    float64 // share of the text's bytes that an index may take
	Corpus    CorpusOptions
	Cache     string // path of the cache of vectors
}

// Report is what a run found.
type Report struct {
	Files      int         `json:"files"`
	Chunks     int         `json:"chunks"`
	Duplicates int         `json:"duplicates"` // passages left out
	TextBytes  int64       `json:"text_bytes"`
	Queries    int         `json:"queries"`
	Dim        int         `json:"dim"`
	CodeBytes  int         `json:"code_bytes"`
	Cores      int         `json:"cores"`
	Embedding  EmbedCost   `json:"embedding"`
	Methods    []MethodRow `json:"methods"`
	Graphs     []GraphRow  `json:"graphs"`
	Growth     []GrowthRow `json:"growth"`
	Seconds    float64     `json:"seconds"`
}

// bench is a run under way.
type bench struct {
	opts Options
	cost EmbedCost
	// seconds are what building a graph took.
	seconds map[*leann.Graph]float64
	report  func(phase string, done, total int)
}

// workers is how many queries are asked at the same time while settings are
// looked for.
func workers() int { return runtime.GOMAXPROCS(0) }

// Run makes the comparison. progress is called from this goroutine.
func Run(ctx context.Context, opts Options, e Embedder, dot leann.Dotter, progress func(phase string, done, total int)) (*Report, error) {
	start := time.Now()
	b := &bench{opts: opts, seconds: map[*leann.Graph]float64{}, report: progress}
	corpus, err := ReadCorpus(ctx, opts.Folders, opts.Corpus, func(done, total int) { progress("reading files", done, total) })
	if err != nil {
		return nil, err
	}
	if n := len(corpus.Passages); opts.Chunks > 0 && opts.Chunks < n {
		corpus.Keep(corpus.Shuffle()[:opts.Chunks])
	}
	if n := len(corpus.Passages); n < minChunks {
		return nil, fmt.Errorf("the folders hold %d passages; name folders with %d or more", n, minChunks)
	}
	if b.opts.CodeBytes == 0 {
		b.opts.CodeBytes = leann.CodeBytes(opts.Budget, corpus.TextBytes(), len(corpus.Passages))
	}
	in, err := b.embed(ctx, corpus, e, dot)
	if err != nil {
		return nil, err
	}
	report := &Report{
		Files: corpus.Files, Chunks: len(corpus.Passages), Duplicates: corpus.Duplicates, TextBytes: corpus.TextBytes(),
		Queries: len(in.queries), Dim: e.Dim(), CodeBytes: b.opts.CodeBytes, Cores: workers(), Embedding: b.cost,
	}
	if err := b.compare(ctx, in, report); err != nil {
		return nil, err
	}
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

// minChunks is the size below which there is nothing to compare.
const minChunks = 100

// input is what is compared, embedded.
type input struct {
	vectors *Vectors
	bytes   []int64 // of the body of each passage
	queries [][]float32
	order   []int // a shuffle of the passages
}

// embed turns the corpus into vectors.
func (b *bench) embed(ctx context.Context, corpus *Corpus, e Embedder, dot leann.Dotter) (in *input, err error) {
	cache, err := OpenCache(b.opts.Cache, e.Dim())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, cache.Close()) }()
	texts := make([]string, len(corpus.Passages))
	in = &input{order: corpus.Shuffle(), bytes: make([]int64, len(texts))}
	for i, p := range corpus.Passages {
		texts[i], in.bytes[i] = p.Text, int64(len(p.Body))
	}
	values, err := Embed(ctx, e, cache, texts, func(done, total int) { b.report("embedding", done, total) })
	if err != nil {
		return nil, err
	}
	in.vectors = &Vectors{Dim: e.Dim(), Values: values, Dotter: dot}
	// Of passages that the small collection holds too, or its queries would
	// miss what they were taken from.
	var bodies []string
	for _, place := range in.order[:smallSize(len(texts))] {
		bodies = append(bodies, corpus.Passages[place].Body)
	}
	asked := Queries(corpus.Questions, bodies, b.opts.Queries)
	if len(asked) == 0 {
		return nil, errors.New("the folders hold no sentence that makes a query")
	}
	values, err = Embed(ctx, e, cache, asked, func(int, int) {})
	if err != nil {
		return nil, err
	}
	for ; len(values) > 0; values = values[e.Dim():] {
		in.queries = append(in.queries, values[:e.Dim():e.Dim()])
	}
	b.report("timing the model", 0, 1)
	b.cost, err = MeasureCost(ctx, e, texts)
	return in, err
}

// visitProbes is how many passages tell which vectors searches visit most.
const visitProbes = 2000

// probes are vectors of passages at the end of the shuffle, from which no
// query was taken where there are enough.
func (in *input) probes() [][]float32 {
	var probes [][]float32
	for _, place := range in.order[max(0, len(in.order)-visitProbes):] {
		probes = append(probes, in.vectors.Vector(uint32(place)))
	}
	return probes
}

// part is the collection of the first n passages of the shuffle.
func (in *input) part(ctx context.Context, n int) (*Collection, error) {
	total := int64(0)
	for _, place := range in.order[:n] {
		total += in.bytes[place]
	}
	vectors := in.vectors
	if n < vectors.Len() {
		vectors = vectors.subset(in.order[:n])
	}
	return NewCollection(ctx, vectors, total, in.queries)
}

// compare fills the tables of the report.
func (b *bench) compare(ctx context.Context, in *input, report *Report) error {
	b.report("scanning exactly", 0, 1)
	all, err := in.part(ctx, in.vectors.Len())
	if err != nil {
		return err
	}
	b.report("quantizing", 0, 1)
	quantized, err := NewQuantized(ctx, all.Vectors, b.opts.CodeBytes, rotates(all))
	if err != nil {
		return err
	}
	graphs, err := b.buildGraphs(ctx, all.Vectors, in.order)
	if err != nil {
		return err
	}
	if report.Methods, err = b.compareMethods(ctx, all, graphs, &indexes{graphs.hub, quantized, in.probes()}); err != nil {
		return err
	}
	if report.Graphs, err = b.comparePrunings(ctx, all, graphs); err != nil {
		return err
	}
	small, err := in.part(ctx, smallSize(in.vectors.Len()))
	if err != nil {
		return err
	}
	report.Growth, err = b.compareGrowth(ctx, all, small, graphs.hubLinks, report.Methods)
	return err
}
