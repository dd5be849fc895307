package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/rerank"
	"dowse/engine/transformer"
	"dowse/models/pack"
)

// RerankOptions say what Rerank measures, and on what.
type RerankOptions struct {
	Model   string // its name
	Pack    string // path of the model
	Adapter string // folder of a decoder's adapter; "" for none
	Prompt  *transformer.Prompt
	Folders []string // of judged collections
	// Base are the options that searching prunes a model with.
	Base func(pack.Config) rerank.Options

	Queries    int   // to record, over all collections; 0 means all
	Timed      int   // queries that are timed
	Candidates []int // of a query
	K          []int // results wanted
	Tokens     int   // of a candidate at most; 0: the most that the model takes

	Threads int
	Target  float64 // agreement that pruning has to hold
	Prior   float64 // what the whole score by BM25 is worth in the model's margins
	Pairs   string  // file to write what is timed to; "" writes none
}

// RerankReport is what Rerank measured.
type RerankReport struct {
	Model        string             `json:"model"`
	Architecture string             `json:"architecture"`
	ModelLayers  int                `json:"model_layers"`
	Hidden       int                `json:"hidden"`
	PackBytes    int64              `json:"pack_bytes"`
	Kernels      string             `json:"kernels"`
	Threads      int                `json:"threads"`
	Prior        float64            `json:"prior"`
	Target       float64            `json:"target"`
	Collections  []rerankCollection `json:"collections"`
	Pruning      []pruningRow       `json:"pruning"`
	Layers       []layerRow         `json:"layers"`
	Seconds      float64            `json:"seconds"`
}

// rerankCollection is where queries come from.
type rerankCollection struct {
	Name      string `json:"name"`
	Documents int    `json:"documents"`
	Queries   int    `json:"queries"` // that were taken
}

// reranking is a run of Rerank under way.
type reranking struct {
	opts     RerankOptions
	config   pack.Config
	encoder  *transformer.CrossEncoder
	queries  []candidates
	progress Progress
}

// Check refuses options that mean nothing.
func (o *RerankOptions) Check() error {
	switch {
	case o.Queries < 0 || o.Tokens < 0:
		return errors.New("--queries and --tokens want a number from 0, which means all")
	case o.Timed < 1:
		return errors.New("--timed wants a number from 1")
	case len(o.Candidates) == 0 || slices.Min(o.Candidates) < 2:
		return errors.New("--candidates wants numbers from 2, such as 20,60")
	case len(o.K) == 0 || slices.Min(o.K) < 1:
		return errors.New("--k wants numbers from 1, such as 1,5,10")
	case len(o.Folders) == 0:
		return errors.New("there is nothing to rank; name folders of judged collections")
	}
	return nil
}

// Rerank measures what pruning a cross-encoder saves, in layers and in time, at which
// agreement with the full pass.
func Rerank(ctx context.Context, opts RerankOptions, k *kernel.Kernel, progress Progress) (report *RerankReport, err error) {
	start := time.Now()
	if err := opts.Check(); err != nil {
		return nil, err
	}
	opts.Threads = max(opts.Threads, 1)
	b := &reranking{opts: opts, progress: progress}
	collections, size, err := b.open(ctx, k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.encoder.Close()) }()
	c, d := b.config, k.Describe()
	report = &RerankReport{
		Model: opts.Model, Architecture: c.Architecture, ModelLayers: c.Layers, Hidden: c.Hidden,
		PackBytes: size, Kernels: fmt.Sprintf("%s, %s", d.ISA, d.Backend),
		Threads: opts.Threads, Prior: opts.Prior, Target: opts.Target, Collections: collections,
		Pruning: []pruningRow{}, Layers: []layerRow{}, // JSON writes nil as null
	}
	if err := b.prune(ctx, report); err != nil {
		return nil, err
	}
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

// threshold is a dispersion above which candidates may leave. +Inf, which
// prunes nothing, is null in JSON.
type threshold float64

// MarshalJSON implements json.Marshaler.
func (t threshold) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(t), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(t))
}

// String returns the threshold in three digits.
func (t threshold) String() string {
	if math.IsInf(float64(t), 1) {
		return "none"
	}
	return fmt.Sprintf("%.3g", float64(t))
}

// Write implements Report.
func (r *RerankReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s, %d layers of width %d, pack of %.1f MB; %s kernels, %d threads\n",
		r.Model, r.Architecture, r.ModelLayers, r.Hidden, float64(r.PackBytes)/1e6, r.Kernels, r.Threads)
	for _, c := range r.Collections {
		fmt.Fprintf(w, "%s: %d documents, %d queries\n", c.Name, c.Documents, c.Queries)
	}
	return errors.Join(r.writePruning(w), r.writeLayers(w))
}

// writePruning prints what the calibrated thresholds save.
func (r *RerankReport) writePruning(w io.Writer) error {
	t := newTable(w, fmt.Sprintf("\npruning, target %.3g\tn\tk\tsure\ttau\tfrom layer\tcalibrating\tagreement\tlower\tlayers %%\theld out\tagreement\tlayers %%\tms full\tms pruned\tsaved %%", r.Target))
	for _, p := range r.Pruning {
		t.row("%s\t%d\t%d\t%d\t%s\t%d\t%d\t%.4f\t%.4f\t%.1f\t%d\t%.4f\t%.1f\t%.1f\t%.1f\t%.1f",
			p.Mode, p.Candidates, p.K, p.Sure, p.Tau, p.MinLayers, p.Even.Queries, p.Even.Agreement, p.Lower, 100*p.Even.Layers,
			p.Odd.Queries, p.Odd.Agreement, 100*p.Odd.Layers, p.FullMillis, p.Millis, 100*p.Saved)
	}
	return t.flush()
}

func (r *RerankReport) writeLayers(w io.Writer) error {
	t := newTable(w, "\nlayer\tn\tgamma\tcluster gamma")
	for _, l := range r.Layers {
		t.row("%d\t%d\t%.4f\t%.4f", l.Layer+1, l.Candidates, l.Gamma, l.ClusterGamma)
	}
	return t.flush()
}
