package bench

import (
	"context"
	"fmt"
	"time"
)

// EmbedCost is what embedding a passage takes on this machine when several
// are embedded at a time.
type EmbedCost []CostPoint

// CostPoint is the cost for one size of batch.
type CostPoint struct {
	Batch  int     `json:"batch"`
	Millis float64 `json:"ms_per_passage"`
}

// costSample is how many passages are embedded for each point.
const costSample = 64

// measureCost embeds a sample of texts, spread evenly, in batches of every
// power of two up to costSample.
func measureCost(ctx context.Context, e Embedder, texts []string) (EmbedCost, error) {
	sample := spread(texts, costSample)
	if _, err := e.EmbedDocuments(ctx, sample[:min(warmTexts, len(sample))]); err != nil {
		return nil, fmt.Errorf("embed passages: %w", err)
	}
	var cost EmbedCost
	for batch := 1; batch <= len(sample); batch *= 2 {
		start := time.Now()
		for from := 0; from < len(sample); from += batch {
			if _, err := e.EmbedDocuments(ctx, sample[from:min(from+batch, len(sample))]); err != nil {
				return nil, fmt.Errorf("embed passages: %w", err)
			}
		}
		cost = append(cost, CostPoint{batch, time.Since(start).Seconds() * 1000 / float64(len(sample))})
	}
	return cost, nil
}

// Of estimates the milliseconds that n passages take when embedded together.
func (c EmbedCost) Of(n int) float64 {
	millis := 0.0
	for _, p := range c {
		if p.Batch <= n {
			millis = p.Millis * float64(n)
		}
	}
	return millis
}
