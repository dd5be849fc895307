package crossencoder

import (
	"context"

	"dowse/engine"
	"dowse/engine/rerank"
)

// Calibrate chooses the threshold for n candidates of which k are wanted.
func (o *Model) Calibrate(ctx context.Context, name string, asked, n, k int) (*engine.CalibrationReport, error) {
	t := o.Tuning
	t.keeping.Lock()
	defer t.keeping.Unlock()
	key := t.Key(n, k)
	traces, err := t.Traces(key)
	if err != nil {
		return nil, err
	}
	c, chosen, err := t.calibrate(ctx, key, traces, k)
	if err != nil {
		return nil, err
	}
	report := &engine.CalibrationReport{
		Model: name, Queries: asked, Traces: len(traces), Needed: rerank.MinTraces, Target: t.target,
		Pruning: chosen.prunes(), Shipped: chosen != nil && chosen == t.shipped[key], MinLayers: c.MinLayers, Agreement: 1, Cost: 1,
	}
	if chosen != nil {
		report.Agreement, report.Cost = chosen.Agreement, chosen.Cost
	}
	if report.Pruning {
		report.Tau, report.Sure, report.MinLayers = chosen.Tau, chosen.Sure, chosen.MinLayers
	}
	for _, l := range c.Layers {
		report.Gamma, report.Cluster = append(report.Gamma, l.Gamma), append(report.Cluster, l.ClusterGamma)
	}
	return report, nil
}
