package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// Kernels are an embedder on one set of kernels.
type Kernels struct {
	Name     string
	Embedder interface {
		// EmbedCounted returns the vectors of texts, and of how many tokens they are.
		EmbedCounted(ctx context.Context, texts []string) ([]float32, int, error)
		// Operations of the projections for a token, 0 for unknown.
		Operations() float64
	}
	Peak float64 // operations a second at most, see kernel.Kernel.Peak
}

// EmbedReport is what Embed measured.
type EmbedReport struct {
	Passages   int        `json:"passages"`
	MeanTokens float64    `json:"mean_tokens"`
	Threads    int        `json:"threads"`
	Runs       []embedRun `json:"runs"`
}

// embedRun is one set of kernels.
type embedRun struct {
	Kernels   string  `json:"kernels"`
	Seconds   float64 `json:"seconds"`
	Rate      float64 `json:"chunks_per_second"`
	TokenRate float64 `json:"tokens_per_second"`
	Ratio     float64 `json:"ratio"` // to the first run's rate

	Share float64 `json:"share"` // of what the instruction set does in products at most, by projections alone; 0 for unknown
}

// embedSlice is how many passages are embedded between reports of progress.
const embedSlice = 256

// warmTexts is how many texts are embedded before anything is timed.
const warmTexts = 8

// Embed embeds at least one text on several sets of kernels, which take turns.
func Embed(ctx context.Context, texts []string, sets []Kernels, progress Progress) (*EmbedReport, error) {
	report := &EmbedReport{Passages: len(texts), Runs: make([]embedRun, len(sets))}
	for i, set := range sets {
		report.Runs[i].Kernels = set.Name
		if _, _, err := set.Embedder.EmbedCounted(ctx, texts[:min(warmTexts, len(texts))]); err != nil {
			return nil, fmt.Errorf("%s: %w", set.Name, err)
		}
	}
	tokens := make([]int, len(sets))
	parts := slices.Collect(slices.Chunk(texts, embedSlice))
	times, err := race("embedding", len(parts), len(sets), progress, func(part, i int) error {
		_, n, err := sets[i].Embedder.EmbedCounted(ctx, parts[part])
		if err != nil {
			return fmt.Errorf("%s: %w", sets[i].Name, err)
		}
		tokens[i] += n
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range report.Runs {
		r := &report.Runs[i]
		r.Seconds = total(times[i]) / 1000
		r.Rate, r.TokenRate = float64(len(texts))/r.Seconds, float64(tokens[i])/r.Seconds
		r.Ratio = r.Rate / report.Runs[0].Rate
		r.Share = shareOf(r.TokenRate, sets[i].Embedder.Operations(), sets[i].Peak)
		report.MeanTokens = float64(tokens[i]) / float64(len(texts))
	}
	return report, nil
}

// Write implements Report.
func (r *EmbedReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%d passages, %.0f tokens each, %d threads\n", r.Passages, r.MeanTokens, r.Threads)
	t := newTable(w, "kernels\tpassages/s\ttokens/s\tratio\tof the peak")
	for _, run := range r.Runs {
		t.row("%s\t%.1f\t%.0f\t%.1f\t%s", run.Kernels, run.Rate, run.TokenRate, run.Ratio, wordShare(run.Share))
	}
	return t.flush()
}
