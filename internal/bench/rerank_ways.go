package bench

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

// WayRow is what one way to run the model takes for a query.
type WayRow struct {
	Way        string  `json:"way"`
	Candidates int     `json:"candidates"`
	Tokens     float64 `json:"tokens"`  // of all candidates, mean
	Queries    int     `json:"queries"` // timed
	Millis     float64 `json:"ms"`      // median
	Least      float64 `json:"ms_least"`
	Most       float64 `json:"ms_most"`
	Ratio      float64 `json:"ratio"` // of the median to that of the first way

	// Means for a query.
	LayerBytes  float64 `json:"layer_bytes_read"`
	WordBytes   float64 `json:"word_bytes_read"`
	StateBytes  float64 `json:"state_bytes_moved"`
	Stalls      float64 `json:"stalls"`
	StallMillis float64 `json:"stall_ms"`

	Peak   int64   `json:"peak"`             // bytes held at a time, by the ledger
	OfInt8 float64 `json:"of_resident_int8"` // that as a share of the first way's
}

// rerankWay is a way to run a model: resident, or its layers streamed through a
// window, with hidden states in memory or in a file.
type rerankWay struct {
	name                string
	streamed, offloaded bool
}

const residentName = "resident"

// rerankWays are compared; the first is what the others are measured against.
var rerankWays = []rerankWay{
	{name: residentName},
	{name: "streamed", streamed: true},
	{name: "streamed, states in a file", streamed: true, offloaded: true},
}

// cachedShare of the vocabulary, as 1/cachedShare, is the cache of embedding
// rows of a streamed model.
const cachedShare = 10

// plan decides as MakePlan does, but for what the way is.
func (w rerankWay) plan(m transformer.Model, threads int) func(lengths []int) (transformer.Plan, error) {
	return func(lengths []int) (transformer.Plan, error) {
		p, err := transformer.MakePlan(m, transformer.Limits{Threads: threads}, lengths)
		if err != nil {
			return p, err
		}
		if w.offloaded { // one chunk is shared by the workers
			longest := slices.Max(append(lengths[:len(lengths):len(lengths)], 1))
			p.ChunkRows = threads*(p.ChunkRows-longest+1) + longest - 1
		}
		p.Streamed, p.Offload = w.streamed, w.offloaded
		if w.streamed {
			p.WordRows = (m.Config.Vocabulary + cachedShare - 1) / cachedShare
		}
		p.Peak = transformer.Peak{} // what is held is measured
		return p, nil
	}
}

// crossEncoder is the pack that is measured.
type crossEncoder struct {
	opts    *RerankOptions
	shape   transformer.Model
	direct  bool // streaming reads past the page cache
	kernel  *kernel.Kernel
	threads int
}

// newCrossEncoder reads what is to be known of a pack.
func newCrossEncoder(p *pack.Pack, k *kernel.Kernel, opts *RerankOptions) (*crossEncoder, error) {
	stream, err := pack.OpenStream(opts.Pack)
	if err != nil {
		return nil, err
	}
	return &crossEncoder{
		opts: opts, direct: stream.Direct(), kernel: k, threads: max(opts.Threads, 1),
		shape: transformer.Model{Config: p.Config(), Mapped: p.Size(), Tokenizer: p.TokenizerSize()},
	}, stream.Close()
}

// rerankRunner is a model that runs in one way, with a ledger of its own.
type rerankRunner struct {
	way     rerankWay
	prior   float64
	encoder *transformer.CrossEncoder
	ledger  *memory.Ledger
	millis  []float64
	stats   []transformer.PassStats
}

// open opens the model to run in a way.
func (m *crossEncoder) open(w rerankWay) (*rerankRunner, error) {
	r := &rerankRunner{way: w, prior: m.opts.Prior, ledger: &memory.Ledger{}}
	var err error
	r.encoder, err = transformer.OpenCrossEncoder(m.opts.Pack, m.kernel, transformer.CrossEncoderOptions{
		Limits: transformer.Limits{Threads: m.threads}, Ledger: r.ledger, Spill: m.opts.Spill, Plan: w.plan(m.shape, m.threads),
		Prompt: m.opts.Prompt, Adapter: m.opts.Adapter, MaxTokens: m.opts.Tokens,
	})
	return r, err
}

// inFull are the options of a pass that computes everything.
func inFull() rerank.Options {
	o := rerank.Exact(1)
	o.Mode = rerank.Scores // in mode Set a single candidate would not be computed
	return o
}

// pass brings candidates through the layers and adds to what was measured. record,
// when not nil, gets to see the margins.
func (r *rerankRunner) pass(ctx context.Context, q candidates, opts rerank.Options, record func(rerank.Forward) rerank.Forward) (result rerank.Result, err error) {
	start := time.Now()
	p, err := r.encoder.Begin(ctx, q.pairs)
	if err != nil {
		return result, fmt.Errorf("%s: %w", r.way.name, err)
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	forward := rerank.Forward(p)
	if r.prior > 0 && len(q.prior) > 0 {
		forward = &blended{p, q.prior, r.prior}
	}
	if record != nil {
		forward = record(forward)
	}
	if result, err = rerank.Run(ctx, forward, len(q.pairs), opts); err != nil {
		return result, fmt.Errorf("%s: %w", r.way.name, err)
	}
	r.millis, r.stats = append(r.millis, millis(time.Since(start))), append(r.stats, p.Stats())
	return result, nil
}

// blended is a forward pass whose scores have a prior added, as searching does.
type blended struct {
	rerank.Forward
	prior  []float64 // 1 for the best
	weight float64   // of the prior in the margins of the model
}

// Scores implements rerank.Forward.
func (b *blended) Scores(layer int, active []int, dst []float32) {
	b.Forward.Scores(layer, active, dst)
	for i, c := range active {
		dst[i] += float32(b.weight * (b.prior[c] - 1))
	}
}

// compareWays times all ways, in turns, on the queries with n candidates.
// Before that each answers another query, so that caches are what they are in
// use.
func (b *reranking) compareWays(ctx context.Context, n int) (rows []WayRow, err error) {
	var runners []*rerankRunner
	defer func() {
		for _, r := range runners {
			err = errors.Join(err, r.encoder.Close())
		}
	}()
	for _, w := range rerankWays {
		r, err := b.model.open(w)
		if err != nil {
			return nil, err
		}
		runners = append(runners, r)
		if _, err := r.pass(ctx, b.queries[0].first(n), inFull(), nil); err != nil {
			return nil, err
		}
		r.millis, r.stats = nil, nil
	}
	timed := b.timed(n)
	err = turns(fmt.Sprintf("ways of %d candidates", n), len(timed), len(runners), b.progress, func(query, way int) error {
		_, err := runners[way].pass(ctx, timed[query], inFull(), nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, r := range runners {
		row := r.row(n, timed)
		if len(rows) > 0 {
			row.Ratio, row.OfInt8 = row.Millis/rows[0].Millis, float64(row.Peak)/float64(rows[0].Peak)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// row sums up what a runner took, as the first way.
func (r *rerankRunner) row(n int, timed []candidates) WayRow {
	row := WayRow{
		Way: r.way.name, Candidates: n, Queries: len(timed), Ratio: 1, OfInt8: 1, Peak: r.ledger.Peak(),
		Millis: median(r.millis), Least: slices.Min(r.millis), Most: slices.Max(r.millis),
	}
	count := float64(len(timed))
	for i, s := range r.stats {
		for _, p := range timed[i].pairs {
			row.Tokens += float64(len(p.IDs)) / count
		}
		row.LayerBytes += float64(s.Window.BytesRead) / count
		row.WordBytes += float64(s.Words.BytesRead) / count
		row.StateBytes += float64(s.OffloadRead+s.OffloadWritten) / count
		row.Stalls += float64(s.Window.Stalls) / count
		row.StallMillis += millis(s.Window.StallTime) / count
	}
	return row
}
