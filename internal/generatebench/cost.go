package generatebench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dowse/engine/generate"
	"dowse/engine/transformer"
)

const (
	// curveContext is how many tokens stand before what is timed.
	curveContext = 512
	// curveRows is the widest verification of the curve.
	curveRows = 64
	// curveRounds is how often each width is timed; the median counts.
	curveRounds = 7
	// speedRounds is how often reading and writing are timed, of speedTokens.
	speedRounds = 3
	speedTokens = 64
)

// CostPoint is what a verification of so many rows takes.
type CostPoint struct {
	Rows   int     `json:"rows"`
	Millis float64 `json:"ms"` // median
	Least  float64 `json:"least_ms"`
	Most   float64 `json:"most_ms"`
	Cost   float64 `json:"cost"` // in verifications of one row
}

// Machine is how fast the model runs here, behind a prompt.
type Machine struct {
	Context int         `json:"context"` // tokens of that prompt
	Prefill float64     `json:"prefill_tokens_per_second"`
	Decode  float64     `json:"decode_tokens_per_second"` // without drafts
	Profile []float64   `json:"profile_ms"`               // of 1, 2, ... rows, which drafting is budgeted by
	Curve   []CostPoint `json:"curve"`
}

// measure finds out how fast the model runs, and what trees of up to so many
// rows cost.
func (b *bench) measure(ctx context.Context, rows int) (m Machine, err error) {
	window := b.language.decoder.MaxTokens()
	widest := min(curveRows, window/4)
	rows = min(rows, widest)
	if rows < 1 {
		return m, fmt.Errorf("the model's window of %d tokens is too small to measure in", window)
	}
	m.Context = min(curveContext, window/2)
	if err := b.speeds(ctx, &m); err != nil {
		return m, err
	}
	c := b.language.decoder.NewContext()
	defer func() { err = errors.Join(err, c.Free()) }()
	if err := c.Append(ctx, b.language.filler(m.Context), nil); err != nil {
		return m, err
	}
	seconds, err := b.language.generator.Profile(ctx, c, rows)
	if err != nil {
		return m, err
	}
	for _, s := range seconds {
		m.Profile = append(m.Profile, 1e3*s)
	}
	m.Curve, err = b.curve(ctx, c, widest)
	return m, err
}

// speeds times reading a prompt and writing after it.
func (b *bench) speeds(ctx context.Context, m *Machine) error {
	g, err := b.language.newGenerator(nil) // an end would cut it short
	if err != nil {
		return err
	}
	prompt := b.language.filler(m.Context)
	tokens := min(speedTokens, b.language.decoder.MaxTokens()-m.Context)
	var prefill, decode []float64
	for i := range speedRounds {
		b.report("reading and writing", i, speedRounds)
		c := b.language.decoder.NewContext()
		result, err := g.Run(ctx, c, prompt, generate.Options{MaxTokens: tokens}, drop)
		if err := errors.Join(err, c.Free()); err != nil {
			return err
		}
		prefill = append(prefill, result.Stats.PromptSpeed())
		decode = append(decode, result.Stats.DecodeSpeed())
	}
	m.Prefill, m.Decode = median(prefill), median(decode)
	return nil
}

// drop takes text that nobody reads.
func drop(string) error { return nil }

// curve times verifications of 1 to most rows, in turns, so that what else the
// machine does hits all of them.
func (b *bench) curve(ctx context.Context, c *transformer.Context, most int) ([]CostPoint, error) {
	vocabulary := b.language.decoder.Vocabulary()
	logits := make([]float32, most*vocabulary)
	tokens, parents := b.language.filler(most), make([]int32, most)
	for i := range parents {
		parents[i] = int32(i) - 1 // a tree without branches
	}
	times := make([][]float64, most)
	for round := range curveRounds {
		b.report("cost of verifying", round, curveRounds)
		for rows := 1; rows <= most; rows++ {
			start := time.Now()
			if err := c.Verify(ctx, tokens[:rows], parents[:rows], logits[:rows*vocabulary]); err != nil {
				return nil, err
			}
			times[rows-1] = append(times[rows-1], 1e3*time.Since(start).Seconds())
		}
	}
	points := make([]CostPoint, most)
	for i, t := range times {
		points[i] = CostPoint{Rows: i + 1, Millis: median(t), Least: slices.Min(t), Most: slices.Max(t)}
		points[i].Cost = points[i].Millis / points[0].Millis
	}
	return points, c.Keep(nil)
}

// median is that of values in any order, of which there are some.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
