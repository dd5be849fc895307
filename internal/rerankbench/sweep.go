package rerankbench

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"dowse/engine/rerank"
)

// Threshold is a dispersion above which candidates may leave. +Inf, which
// prunes nothing, is null in JSON.
type Threshold float64

// MarshalJSON implements json.Marshaler.
func (t Threshold) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(t), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(t))
}

// String is the threshold in three digits.
func (t Threshold) String() string {
	if math.IsInf(float64(t), 1) {
		return "none"
	}
	return fmt.Sprintf("%.3g", float64(t))
}

// Effect is what a threshold does to queries.
type Effect struct {
	Queries   int     `json:"queries"`
	Agreement float64 `json:"agreement"` // mean rerank.Agreement with the full pass
	Layers    float64 `json:"layers"`    // mean share of the full pass that is computed
}

// Curve is the sweep of thresholds for one number of candidates and results.
type Curve struct {
	Candidates int          `json:"candidates"`
	K          int          `json:"k"`
	Mode       string       `json:"mode"`
	Guards     string       `json:"guards"`
	Points     []CurvePoint `json:"points"`

	mode rerank.Mode
}

// CurvePoint is what a threshold does on both halves.
type CurvePoint struct {
	Tau    Threshold `json:"tau"`
	Chosen bool      `json:"chosen"`
	Even   Effect    `json:"calibrating"`
	Lower  float64   `json:"lower"` // 95% bound of the agreement there
	Odd    Effect    `json:"held_out"`
}

// LayerRow is how far the scores after a layer tell the final order.
type LayerRow struct {
	Candidates   int     `json:"candidates"`
	Layer        int     `json:"layer"` // from 0
	Gamma        float64 `json:"gamma"`
	ClusterGamma float64 `json:"cluster_gamma"`
}

// choice is a calibrated threshold and what to use it with.
type choice struct {
	n         int
	variant   variant
	opts      rerank.Options // with the threshold
	even, odd []traced
	found     rerank.Calibration
}

// bootstrapSeed makes calibration deterministic.
const bootstrapSeed = 20261121

// calibrate chooses the threshold for n candidates and k results, as a variant
// prunes.
func (b *bench) calibrate(ctx context.Context, n, k int, v variant) (*choice, error) {
	c := &choice{n: n, variant: v}
	c.even, c.odd = halves(b.traces, n, k)
	base := v.options(k, b.model.shape.Config.Layers, b.model.shape.Config.Decoder)
	var err error
	if c.found, err = rerank.Calibrate(ctx, tracesOf(c.even), base, b.opts.Target, bootstrapSeed); err != nil {
		return nil, err
	}
	c.opts = c.found.Apply(base)
	return c, nil
}

// sweepStep is the distance of the thresholds that a curve shows: every fifth
// of those that calibration tries.
const sweepStep = 5

// curve measures thresholds on the held-out half.
func (c *choice) curve(ctx context.Context) (Curve, error) {
	out := Curve{Candidates: c.n, K: c.opts.K, Mode: c.opts.Mode.String(), Guards: c.variant.guards, mode: c.opts.Mode, Points: []CurvePoint{}}
	for i, p := range c.found.Curve {
		chosen := p.Tau == c.opts.Tau
		if i%sweepStep != 0 && !chosen {
			continue
		}
		if err := ctx.Err(); err != nil {
			return out, err
		}
		opts := c.opts
		opts.Tau = p.Tau
		odd, err := replay(c.odd, opts)
		if err != nil {
			return out, err
		}
		out.Points = append(out.Points, CurvePoint{
			Tau: Threshold(p.Tau), Chosen: chosen, Lower: p.Lower, Odd: odd,
			Even: Effect{Queries: c.found.Traces, Agreement: p.Agreement, Layers: p.Cost},
		})
	}
	return out, nil
}

// replay measures what options do to traces, against the full pass.
func replay(list []traced, opts rerank.Options) (Effect, error) {
	e := Effect{Queries: len(list)}
	if len(list) == 0 {
		return e, nil
	}
	exact := opts
	exact.Tau = math.Inf(1)
	for _, t := range list {
		want, err := rerank.Replay(t.trace, exact)
		if err != nil {
			return e, err
		}
		got, err := rerank.Replay(t.trace, opts)
		if err != nil {
			return e, err
		}
		e.Agreement += rerank.Agreement(opts.Mode, want.Top, got.Top)
		e.Layers += got.Cost()
	}
	e.Agreement /= float64(len(list))
	e.Layers /= float64(len(list))
	return e, nil
}

// trust lists the layers of a calibration.
func (c *choice) trust() []LayerRow {
	var rows []LayerRow
	for i, l := range c.found.Layers {
		rows = append(rows, LayerRow{c.n, i, l.Gamma, l.ClusterGamma})
	}
	return rows
}
