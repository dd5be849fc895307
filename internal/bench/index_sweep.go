package bench

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"dowse/engine/leann"
)

// setting is a choice of the parameters that methods have. Those of no
// meaning to a method are 0.
type setting struct {
	Ratio  float64 `json:"a,omitempty"`      // leann.Params.Ratio
	Keep   int     `json:"keep,omitempty"`   // leann.Params.Keep
	Beam   int     `json:"beam,omitempty"`   // leann.Params.Beam
	Batch  int     `json:"batch,omitempty"`  // leann.Params.Batch
	Rerank int     `json:"rerank,omitempty"` // best codes that are recomputed
	Probes int     `json:"probes,omitempty"` // lists of an inverted file
}

// String names the parameters that are set.
func (s setting) String() string {
	var b strings.Builder
	if s.Ratio > 0 {
		fmt.Fprintf(&b, " a=%g", s.Ratio)
	}
	for _, p := range []struct {
		name  string
		value int
	}{{"keep", s.Keep}, {"beam", s.Beam}, {"batch", s.Batch}, {"rerank", s.Rerank}, {"probes", s.Probes}} {
		if p.value > 0 {
			fmt.Fprintf(&b, " %s=%d", p.name, p.value)
		}
	}
	return strings.TrimPrefix(b.String(), " ")
}

// outcome is what a setting came to, per query.
type outcome struct {
	Setting    setting `json:"setting"`
	Recall     float64 `json:"recall@3"`
	Recomputes float64 `json:"recomputes"` // vectors that have to be embedded again
	OwnMicros  float64 `json:"own_us"`     // without embedding
}

// method is one way to search.
type method struct {
	name  string
	bytes float64 // of all that is kept besides the text
	// ladders hold settings, each from the cheapest to the dearest.
	ladders [][]setting
	// open returns a search for one goroutine: it looks for the truthDepth nearest
	// passages, asking exact for vectors.
	open func() search
}

type search func(ctx context.Context, query []float32, s setting, exact leann.Exact) ([]leann.Hit, error)

// evaluate asks all queries with one setting. Recall and counts are the same
// on every run, times are not.
func (b *comparison) evaluate(ctx context.Context, c *searched, m *method, s setting, goroutines int) (outcome, error) {
	type result struct {
		recalled int
		meter    meter
		own      time.Duration
	}
	results, searches := make([]result, len(c.queries)), make([]search, goroutines)
	err := each(ctx, len(c.queries), goroutines, func(ctx context.Context, i, g int) error {
		if searches[g] == nil {
			searches[g] = m.open()
		}
		r := &results[i]
		r.meter = meter{vectors: c.Vectors}
		start := time.Now()
		hits, err := searches[g](ctx, c.queries[i], s, &r.meter)
		r.own = time.Since(start) - r.meter.handing
		r.recalled = c.recalled(i, hits)
		return err
	})
	if err != nil {
		return outcome{}, fmt.Errorf("%s, %s: %w", m.name, s, err)
	}
	o, n := outcome{Setting: s}, float64(len(results))
	wanted := 0
	for i, r := range results {
		wanted += len(c.truth[i])
		o.Recall += float64(r.recalled)
		o.Recomputes += float64(r.meter.asked) / n
		o.OwnMicros += micros(r.own) / n
	}
	o.Recall /= float64(wanted)
	return o, nil
}

// sweep evaluates the settings of a method and returns, for each of the goals, the
// cheapest that reaches it, the one that asks for the fewest vectors, nil where none
// does. Nothing is interpolated. A ladder is left where the highest recall is reached
// or costs more than elsewhere.
func (b *comparison) sweep(ctx context.Context, c *searched, m *method) ([]*outcome, error) {
	var all []outcome
	highest := goals[len(goals)-1]
	limit := math.Inf(1)
	for i, ladder := range m.ladders {
		b.progress(m.name, i, len(m.ladders))
		for _, s := range ladder {
			o, err := b.evaluate(ctx, c, m, s, workers())
			if err != nil {
				return nil, err
			}
			all = append(all, o)
			if o.Recall >= highest {
				limit = min(limit, o.Recomputes)
			}
			if o.Recall >= highest || o.Recomputes >= limit {
				break
			}
		}
	}
	found := make([]*outcome, len(goals))
	for i, goal := range goals {
		best, ok := cheapest(all, goal)
		if !ok {
			continue
		}
		// Timed again on its own: during the sweep all cores were busy.
		o, err := b.evaluate(ctx, c, m, best.Setting, 1)
		if err != nil {
			return nil, err
		}
		found[i] = &o
	}
	return found, nil
}

// cheapest is the outcome of least cost that reaches a recall.
func cheapest(outcomes []outcome, recall float64) (best outcome, ok bool) {
	for _, o := range outcomes {
		if o.Recall >= recall && (!ok || o.Recomputes < best.Recomputes) {
			best, ok = o, true
		}
	}
	return best, ok
}
