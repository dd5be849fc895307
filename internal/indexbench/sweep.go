package indexbench

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"dowse/engine/leann"
)

// Setting is a choice of the parameters that methods have. Those of no
// meaning to a method are 0.
type Setting struct {
	Ratio  float64 `json:"a,omitempty"`      // leann.Params.Ratio
	Keep   int     `json:"keep,omitempty"`   // leann.Params.Keep
	Beam   int     `json:"beam,omitempty"`   // leann.Params.Beam
	Batch  int     `json:"batch,omitempty"`  // leann.Params.Batch
	Seeds  int     `json:"seeds,omitempty"`  // best codes that a walk begins from
	Rerank int     `json:"rerank,omitempty"` // best codes that are recomputed
	Probes int     `json:"probes,omitempty"` // lists of an inverted file
}

// String names the parameters that are set.
func (s Setting) String() string {
	var b strings.Builder
	if s.Ratio > 0 {
		fmt.Fprintf(&b, " a=%g", s.Ratio)
	}
	for _, p := range []struct {
		name  string
		value int
	}{{"keep", s.Keep}, {"beam", s.Beam}, {"batch", s.Batch}, {"seeds", s.Seeds}, {"rerank", s.Rerank}, {"probes", s.Probes}} {
		if p.value > 0 {
			fmt.Fprintf(&b, " %s=%d", p.name, p.value)
		}
	}
	return strings.TrimPrefix(b.String(), " ")
}

// search looks for the truthDepth nearest passages, asking exact for vectors.
type search func(ctx context.Context, query []float32, s Setting, exact leann.Exact) ([]leann.Hit, error)

// method is one way to search.
type method struct {
	name   string
	bytes  float64 // of all that is kept besides the text
	stored bool    // the vectors are at hand: none is recomputed
	cached []bool  // by node: its vector is kept
	// ladders hold settings, each from the cheapest to the dearest.
	ladders [][]Setting
	// open returns a search for one goroutine.
	open func() search
}

// Outcome is what a setting came to, per query.
type Outcome struct {
	Setting    Setting `json:"setting"`
	Recall     float64 `json:"recall@3"`
	Vectors    float64 `json:"vectors"`     // that were asked for
	Cached     float64 `json:"cached"`      // of those, the ones in a cache
	Recomputes float64 `json:"recomputes"`  // of those, the ones that have to be embedded again
	OwnMicros  float64 `json:"own_us"`      // without embedding
	Millis     float64 `json:"estimate_ms"` // with embedding as it was measured
}

// cost is what a sweep makes least: the vectors that are not in a cache.
func (o Outcome) cost() float64 { return o.Vectors - o.Cached }

// evaluate asks all queries with one setting. Recall and counts are the same
// on every run, times are not.
func (b *bench) evaluate(ctx context.Context, c *Collection, m *method, s Setting, goroutines int) (Outcome, error) {
	type result struct {
		recalled, asked, hits int
		millis                float64
		own                   time.Duration
	}
	results := make([]result, len(c.Queries))
	searches, meters := make([]search, goroutines), make([]*meter, goroutines)
	err := each(ctx, len(c.Queries), goroutines, func(ctx context.Context, i, g int) error {
		if searches[g] == nil {
			searches[g], meters[g] = m.open(), &meter{vectors: c.Vectors, cached: m.cached, cost: b.cost}
		}
		meter := meters[g]
		meter.reset()
		start := time.Now()
		hits, err := searches[g](ctx, c.Queries[i], s, meter)
		own := time.Since(start)
		if !m.stored { // where vectors are stored, reading them is own work
			own -= meter.handing
		}
		results[i] = result{c.recalled(i, hits), meter.asked, meter.hits, meter.millis, own}
		return err
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("%s, %s: %w", m.name, s, err)
	}
	o := Outcome{Setting: s}
	n := float64(len(results))
	var sum result
	for _, r := range results {
		sum.recalled, sum.asked, sum.hits = sum.recalled+r.recalled, sum.asked+r.asked, sum.hits+r.hits
		sum.millis, sum.own = sum.millis+r.millis, sum.own+r.own
	}
	o.Recall = float64(sum.recalled) / float64(c.wanted())
	o.Vectors, o.Cached = float64(sum.asked)/n, float64(sum.hits)/n
	o.OwnMicros, o.Millis = micros(sum.own)/n, sum.millis/n
	if m.stored {
		o.Millis = 0
	} else {
		o.Recomputes = o.Vectors - o.Cached
	}
	o.Millis += o.OwnMicros / 1000
	return o, nil
}

// sweep evaluates the settings of a method and returns, for each recall to be
// reached, the cheapest that reaches it, nil where none does. A ladder is left
// where the highest recall is reached or costs more than elsewhere.
func (b *bench) sweep(ctx context.Context, c *Collection, m *method, goals []float64) ([]*Outcome, error) {
	var all []Outcome
	highest := goals[len(goals)-1]
	limit := math.Inf(1)
	for i, ladder := range m.ladders {
		b.report(m.name, i, len(m.ladders))
		for _, s := range ladder {
			o, err := b.evaluate(ctx, c, m, s, workers())
			if err != nil {
				return nil, err
			}
			all = append(all, o)
			if o.Recall >= highest {
				limit = min(limit, o.cost())
			}
			if o.Recall >= highest || o.cost() >= limit {
				break
			}
		}
	}
	found := make([]*Outcome, len(goals))
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
func cheapest(outcomes []Outcome, recall float64) (best Outcome, ok bool) {
	for _, o := range outcomes {
		if o.Recall >= recall && (!ok || o.cost() < best.cost()) {
			best, ok = o, true
		}
	}
	return best, ok
}
