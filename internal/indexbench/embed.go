package indexbench

import (
	"context"
	"fmt"
	"time"
)

// Embedder turns texts into vectors of unit length.
type Embedder interface {
	// EmbedDocuments returns the vectors of texts, [len(texts), Dim].
	EmbedDocuments(ctx context.Context, texts []string) ([]float32, error)
	// Dim is the length of a vector.
	Dim() int
	// Count is the number of tokens of a text.
	Count(text string) int
}

// embedSlice is how many texts are embedded between writes to the cache.
const embedSlice = 256

// Embed returns the vectors of texts, [len(texts), Dim]: those in the cache
// from there, all others from the model, which then stand in the cache too.
func Embed(ctx context.Context, e Embedder, cache *Cache, texts []string, progress func(done, total int)) ([]float32, error) {
	var hashes []Hash
	var missing []string
	waiting := map[Hash]bool{}
	for _, text := range texts {
		if h := HashText(text); !cache.Has(h) && !waiting[h] {
			waiting[h] = true
			hashes, missing = append(hashes, h), append(missing, text)
		}
	}
	for from := 0; from < len(missing); from += embedSlice {
		progress(from, len(missing))
		to := min(from+embedSlice, len(missing))
		vectors, err := e.EmbedDocuments(ctx, missing[from:to])
		if err != nil {
			return nil, fmt.Errorf("embed passages: %w", err)
		}
		if err := cache.Put(hashes[from:to], vectors); err != nil {
			return nil, err
		}
	}
	dim := e.Dim()
	out := make([]float32, len(texts)*dim)
	for i, text := range texts {
		found, err := cache.Get(HashText(text), out[i*dim:(i+1)*dim])
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fmt.Errorf("the vector of passage %d is not in the cache", i)
		}
	}
	return out, nil
}

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

// MeasureCost embeds a sample of texts, spread evenly, in batches of every
// power of two up to costSample.
func MeasureCost(ctx context.Context, e Embedder, texts []string) (EmbedCost, error) {
	n := min(costSample, len(texts))
	sample := make([]string, n)
	for i := range sample {
		sample[i] = texts[i*len(texts)/n]
	}
	if _, err := e.EmbedDocuments(ctx, sample[:min(8, n)]); err != nil { // warm up
		return nil, fmt.Errorf("embed passages: %w", err)
	}
	var cost EmbedCost
	for batch := 1; batch <= n; batch *= 2 {
		start := time.Now()
		for from := 0; from < n; from += batch {
			if _, err := e.EmbedDocuments(ctx, sample[from:min(from+batch, n)]); err != nil {
				return nil, fmt.Errorf("embed passages: %w", err)
			}
		}
		cost = append(cost, CostPoint{batch, time.Since(start).Seconds() * 1000 / float64(n)})
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
