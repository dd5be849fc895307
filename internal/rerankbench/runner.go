package rerankbench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/rerank"
	"dowse/engine/transformer"
	"dowse/models/pack"
)

// model is the pack that is measured.
type model struct {
	path    string
	shape   transformer.Model
	direct  bool // streaming reads past the page cache
	kernel  *kernel.Kernel
	threads int
	spill   string
	prior   float64
	prompt  *transformer.Prompt
	adapter string
	tokens  int // of a candidate of a decoder at most; 0 for its own limit
}

// openModel reads what is to be known of a pack and a tokenizer from it, which
// is valid until the pack is closed.
func openModel(path string, k *kernel.Kernel, opts *Options) (*model, *pack.Pack, error) {
	p, err := pack.Open(path)
	if err != nil {
		return nil, nil, err
	}
	stream, err := pack.OpenStream(path)
	if err != nil {
		return nil, nil, errors.Join(err, p.Close())
	}
	m := &model{
		path: path, direct: stream.Direct(), kernel: k, threads: max(opts.Threads, 1), spill: opts.Spill, prior: opts.Prior,
		prompt: opts.Prompt, adapter: opts.Adapter, tokens: opts.Tokens,
		shape: transformer.Model{Config: p.Config(), Mapped: p.Size(), Tokenizer: p.TokenizerSize()},
	}
	if err := stream.Close(); err != nil {
		return nil, nil, errors.Join(err, p.Close())
	}
	return m, p, nil
}

// runner is a model that runs in one way, with a ledger of its own.
type runner struct {
	way     way
	prior   float64
	encoder *transformer.CrossEncoder
	ledger  *memory.Ledger
	samples []sample
}

// sample is one query's cost.
type sample struct {
	millis       float64
	active, full int // layers computed, summed over candidates; and without pruning
	window       transformer.WindowStats
	words        transformer.WordStats
	statesRead   int64
	statesWrite  int64
}

// open opens the model to run in a way.
func (m *model) open(w way) (*runner, error) {
	r := &runner{way: w, prior: m.prior, ledger: &memory.Ledger{}}
	var err error
	r.encoder, err = transformer.OpenCrossEncoder(m.path, m.kernel, transformer.CrossEncoderOptions{
		Limits: transformer.Limits{Threads: m.threads}, Ledger: r.ledger, Spill: m.spill,
		Synchronous: w.synchronous, SeparatePrefixes: w.separate, Plan: w.plan(m.shape, m.threads),
		Prompt: m.prompt, Adapter: m.adapter, MaxTokens: m.tokens,
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// openAll opens the model to run in several ways.
func (m *model) openAll(ways []way) ([]*runner, error) {
	var runners []*runner
	for _, w := range ways {
		r, err := m.open(w)
		if err != nil {
			return nil, errors.Join(err, closeAll(runners))
		}
		runners = append(runners, r)
	}
	return runners, nil
}

func closeAll(runners []*runner) error {
	var err error
	for _, r := range runners {
		err = errors.Join(err, r.encoder.Close())
	}
	return err
}

// full are the options of a pass that computes everything.
func full() rerank.Options {
	o := rerank.Exact(1)
	o.Mode = rerank.Scores // in mode Set a single candidate would not be computed
	return o
}

// ask runs a query, under opts if the way prunes.
func (r *runner) ask(ctx context.Context, q query, opts rerank.Options) (rerank.Result, sample, error) {
	if !r.way.pruned {
		opts = full()
	}
	size := len(q.pairs)
	if r.way.batch > 0 {
		size = r.way.batch
	}
	var result rerank.Result
	var cost sample
	start := time.Now()
	for from := 0; from < len(q.pairs); from += size {
		to := min(from+size, len(q.pairs))
		part := query{pairs: q.pairs[from:to], prior: q.prior[min(from, len(q.prior)):min(to, len(q.prior))]}
		var err error
		if result, err = r.pass(ctx, part, opts, &cost, nil); err != nil {
			return result, cost, fmt.Errorf("%s: %w", r.way.name, err)
		}
	}
	cost.millis = float64(time.Since(start).Microseconds()) / 1000
	return result, cost, nil
}

// pass brings candidates through the layers and adds to cost. record, when not
// nil, gets to see the margins.
func (r *runner) pass(ctx context.Context, q query, opts rerank.Options, cost *sample, record func(rerank.Forward) rerank.Forward) (result rerank.Result, err error) {
	p, err := r.encoder.Begin(ctx, q.pairs)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	forward := rerank.Forward(p)
	if r.prior > 0 && len(q.prior) > 0 {
		forward = &blended{p, scaled(q.prior, r.prior)}
	}
	if record != nil {
		forward = record(forward)
	}
	if result, err = rerank.Run(ctx, forward, len(q.pairs), opts); err != nil {
		return result, err
	}
	cost.add(result, p.Stats())
	return result, nil
}

func (s *sample) add(r rerank.Result, p transformer.PassStats) {
	s.active += r.ActiveLayers
	s.full += r.FullLayers
	s.window.LayersRead += p.Window.LayersRead
	s.window.BytesRead += p.Window.BytesRead
	s.window.Stalls += p.Window.Stalls
	s.window.StallTime += p.Window.StallTime
	s.words.Hits += p.Words.Hits
	s.words.Misses += p.Words.Misses
	s.words.Surplus += p.Words.Surplus
	s.words.BytesRead += p.Words.BytesRead
	s.statesRead += p.OffloadRead
	s.statesWrite += p.OffloadWritten
}

// blended is a forward pass whose scores have a prior added.
type blended struct {
	rerank.Forward
	prior []float32
}

// scaled is a prior in the margins of a model: 0 for the best.
func scaled(prior []float64, weight float64) []float32 {
	out, top := make([]float32, len(prior)), slices.Max(prior)
	for i, p := range prior {
		out[i] = float32(weight * (p - top))
	}
	return out
}

// Scores implements rerank.Forward.
func (b *blended) Scores(layer int, active []int, dst []float32) {
	b.Forward.Scores(layer, active, dst)
	for i, c := range active {
		dst[i] += b.prior[c]
	}
}
